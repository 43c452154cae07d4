// SPDX-License-Identifier: Apache-2.0
// The fetcher of a build without libcurl, which refuses URLs.
#include "base/failure.hpp"
#include "batch/fetcher.hpp"

namespace pprofdelta::tool {

std::unique_ptr<fetcher> fetcher::start(fetch_options /*options*/, use_result /*use*/) {
    wrong_usage("this build cannot read URLs: it was built without libcurl");
}

} // namespace pprofdelta::tool
