// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/delta.hpp>

#include "commands.hpp"
#include "profile_file.hpp"
#include "result.hpp"

namespace pprofdelta::tool {

void run_delta(const options& chosen) {
    refuse_terminal(chosen);
    result r;
    if (chosen.diff) {
        const profile_file previous{chosen.files[0]};
        const profile_file current{chosen.files[1]};
        r.count(previous);
        r.count(current);
        r.diff(previous, current, chosen.delta);
        r.write(chosen);
        r.report(chosen, previous.name());
        return;
    }
    delta_computer computer{chosen.delta};
    std::string previous_name;
    {
        // In a scope of its own, so that the two are not in memory at the same time.
        const profile_file previous{chosen.files[0]};
        previous_name = previous.name();
        r.count(previous);
        about(previous.name(), [&] { computer.prime(previous.bytes()); });
    }
    const profile_file current{chosen.files[1]};
    r.count(current);
    r.compute(computer, current, previous_name);
    r.write(chosen);
    r.report(chosen, previous_name);
}

} // namespace pprofdelta::tool
