// SPDX-License-Identifier: Apache-2.0
// What there is of the fetcher in a build without libcurl.
#include "base/failure.hpp"
#include "batch/fetcher.hpp"

namespace pprofdelta::tool {

class fetcher::impl {};

bool can_fetch() noexcept { return false; }

fetcher::fetcher(fetch_options /*options*/, use_result /*use*/) {
    wrong_usage("this build cannot read URLs: it was built without libcurl");
}

fetcher::~fetcher() = default;

void fetcher::add(std::size_t /*id*/, std::string /*url*/) {}

void fetcher::release(std::size_t /*room*/) {}

void fetcher::stop() {}

} // namespace pprofdelta::tool
