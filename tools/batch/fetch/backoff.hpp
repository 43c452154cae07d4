// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_BACKOFF_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_BACKOFF_HPP

#include <random>

namespace pprofdelta::tool {

/// How long to wait before a retry. Each pause is twice as long as the one before, but at most 30
/// seconds; and any part of it up to a half is left out, so that those who failed together do not
/// come back together.
class backoff {
public:
    /// @param first_seconds the first pause.
    explicit backoff(double first_seconds);

    /// In seconds.
    /// @param tries               that failed, at least 1.
    /// @param retry_after_seconds what the server asked for; or 0.
    [[nodiscard]] double pause(unsigned tries, double retry_after_seconds);

private:
    double m_first_seconds;
    std::minstd_rand m_random;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_BACKOFF_HPP
