// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_HOST_QUEUES_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_HOST_QUEUES_HPP

#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pprofdelta::tool {

/// A URL that is to be read, and what was tried so far.
struct fetch_target {
    std::size_t id = 0;
    std::string url;
    std::string host; ///< With the port; empty if the URL is none.
    unsigned tries = 0;
    std::string first_url;   ///< What redirects began with; empty if there was none in this try.
    unsigned redirects = 0;  ///< In this try.
    double seconds_used = 0; ///< In this try.
    std::size_t room = 0;    ///< That its answer has to have, as it ended without it.
};

/// What waits for a transfer, in a queue for each host, of which no more than a number are taken
/// at a time. The hosts take turns.
class host_queues {
public:
    explicit host_queues(unsigned per_host) : m_per_host{per_host} {}

    void add_last(fetch_target target);
    /// For one that has waited before.
    void add_first(fetch_target target);

    /// The next one of the next host that may have one more; nothing if there is none.
    [[nodiscard]] std::optional<fetch_target> take();
    /// One that was taken is done, or waits for something else.
    void give_back(const std::string& host);

    /// All that wait, host by host.
    [[nodiscard]] std::vector<fetch_target> take_all();

private:
    struct host_queue {
        std::list<fetch_target> waiting; // a deque would take half a kilobyte for each host
        unsigned taken = 0;
        bool has_turn = false; // is one of m_turns
    };

    void give_turn(host_queue& queue);

    unsigned m_per_host;
    std::unordered_map<std::string, host_queue> m_hosts; // which never moves its values
    std::deque<host_queue*> m_turns;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_HOST_QUEUES_HPP
