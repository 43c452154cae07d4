// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/host_queues.hpp"

#include <utility>

namespace pprofdelta::tool {

void host_queues::give_turn(host_queue& queue) {
    if (!queue.has_turn && !queue.waiting.empty() && queue.taken < m_per_host) {
        m_turns.push_back(&queue);
        queue.has_turn = true;
    }
}

void host_queues::add_last(fetch_target target) {
    host_queue& queue = m_hosts[target.host];
    queue.waiting.push_back(std::move(target));
    give_turn(queue);
}

void host_queues::add_first(fetch_target target) {
    host_queue& queue = m_hosts[target.host];
    queue.waiting.push_front(std::move(target));
    give_turn(queue);
}

std::optional<fetch_target> host_queues::take() {
    if (m_turns.empty()) {
        return std::nullopt;
    }
    host_queue& queue = *m_turns.front();
    m_turns.pop_front();
    queue.has_turn = false;
    std::optional<fetch_target> next{std::move(queue.waiting.front())};
    queue.waiting.pop_front();
    ++queue.taken;
    give_turn(queue);
    return next;
}

void host_queues::give_back(const std::string& host) {
    host_queue& queue = m_hosts[host];
    --queue.taken;
    give_turn(queue);
}

std::vector<fetch_target> host_queues::take_all() {
    std::vector<fetch_target> all;
    for (auto& [host, queue] : m_hosts) {
        for (fetch_target& target : queue.waiting) {
            all.push_back(std::move(target));
        }
        queue.waiting.clear();
        queue.has_turn = false;
    }
    m_turns.clear();
    return all;
}

} // namespace pprofdelta::tool
