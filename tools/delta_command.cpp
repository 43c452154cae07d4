// SPDX-License-Identifier: Apache-2.0
#include <future>
#include <memory>
#include <string>
#include <system_error>

#include <pprofdelta/delta.hpp>

#include "commands.hpp"
#include "file.hpp"
#include "gate.hpp"
#include "profile_file.hpp"
#include "report_output.hpp"
#include "result.hpp"

namespace pprofdelta::tool {

namespace {

// A profile that is read, and inflated, while something else goes on. Files only: who has to wait
// for a pipe could not end before it does.
class profile_ahead {
public:
    explicit profile_ahead(const std::string& path) : m_path{path} {
        if (!is_regular_file(path)) {
            return;
        }
        try {
            m_future = std::async(std::launch::async,
                                  [path] { return std::make_unique<profile_file>(path); });
        } catch (const std::system_error&) {
            // No thread to be had: it is read when it is asked for.
        }
    }

    /// @throws failure of the reading.
    std::unique_ptr<profile_file> get() {
        return m_future.valid() ? m_future.get() : std::make_unique<profile_file>(m_path);
    }

private:
    std::string m_path;
    std::future<std::unique_ptr<profile_file>> m_future;
};

} // namespace

exit_status run_delta(const options& chosen) {
    if (!chosen.no_delta) {
        refuse_terminal(chosen);
    }
    gate limits{chosen};
    const bool has_report = chosen.report != options::report_form::none;
    result r;
    profile_ahead ahead{chosen.files[1]};
    auto previous = std::make_unique<profile_file>(chosen.files[0]);
    const std::string previous_name = previous->name();
    r.count(*previous);
    std::unique_ptr<profile_file> current;
    if (chosen.diff) {
        current = ahead.get();
        r.count(*current);
        r.diff(*previous, *current, chosen.delta);
    } else {
        delta_computer computer{chosen.delta};
        about(previous_name, [&] { computer.prime(previous->bytes()); });
        if (!limits.is_on() && !has_report) {
            previous.reset(); // for its memory to be free again when the delta is made
        }
        current = ahead.get();
        r.count(*current);
        r.compute(computer, *current, previous_name);
    }
    // Before anything is written: limits and reports that do not fit the profiles are an error.
    if (limits.is_on()) {
        limits.judge(*previous, *current);
    }
    std::string report;
    if (has_report) {
        report = make_report_text(chosen, *previous, *current, limits.judgements());
    }
    if (!chosen.no_delta) {
        r.write(chosen);
    }
    r.report(chosen, previous_name);
    if (has_report) {
        write_report(chosen, report);
    }
    return limits.report(chosen);
}

} // namespace pprofdelta::tool
