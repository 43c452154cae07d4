// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <system_error>

#include <pprofdelta/delta.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "profile_file.hpp"
#include "result.hpp"

namespace pprofdelta::tool {

namespace {

// A profile that is read, and inflated, while something else goes on. Files only: who has to wait
// for a pipe could not end before it does.
class profile_ahead {
public:
    profile_ahead(const std::string& path, std::size_t max_size)
        : m_path{path}, m_max_size{max_size} {
        if (!is_regular_file(path)) {
            return;
        }
        try {
            m_future = std::async(std::launch::async,
                                  [=] { return std::make_unique<profile_file>(path, max_size); });
        } catch (const std::system_error&) {
            // No thread to be had: it is read when it is asked for.
        }
    }

    /// @throws failure of the reading.
    std::unique_ptr<profile_file> get() {
        return m_future.valid() ? m_future.get()
                                : std::make_unique<profile_file>(m_path, m_max_size);
    }

private:
    std::string m_path;
    std::size_t m_max_size;
    std::future<std::unique_ptr<profile_file>> m_future;
};

} // namespace

void run_delta(const options& chosen) {
    refuse_terminal(chosen);
    result r;
    profile_ahead ahead{chosen.files[1], chosen.max_size};
    if (chosen.diff) {
        const profile_file previous{chosen.files[0], chosen.max_size};
        const auto current = ahead.get();
        r.count(previous);
        r.count(*current);
        r.diff(previous, *current, chosen.delta);
        r.write(chosen);
        r.report(chosen, previous.name());
        return;
    }
    delta_computer computer{chosen.delta};
    std::string previous_name;
    {
        // In a scope of its own, for its memory to be free again when the delta is made.
        const profile_file previous{chosen.files[0], chosen.max_size};
        previous_name = previous.name();
        r.count(previous);
        about(previous.name(), [&] { computer.prime(previous.bytes()); });
    }
    const auto current = ahead.get();
    r.count(*current);
    r.compute(computer, *current, previous_name);
    r.write(chosen);
    r.report(chosen, previous_name);
}

} // namespace pprofdelta::tool
