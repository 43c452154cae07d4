// SPDX-License-Identifier: Apache-2.0
#include "commands/fleet_files.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fnmatch.h>

#include "batch/plan/tree.hpp"
#include "cli/progress.hpp"
#include "files/file.hpp"
#include "files/folder.hpp"

namespace pprofdelta::tool {

namespace {

bool is_worse(exit_status a, exit_status b) {
    const auto rank = [](exit_status status) {
        return status == exit_status::done        ? 0
               : status == exit_status::io        ? 3
               : status == exit_status::malformed ? 2
                                                  : 1;
    };
    return rank(a) > rank(b);
}

} // namespace

void fleet_files::add_folder(const std::string& root, sides to) {
    add_tree(root, m_items.emplace_back());
    add_all(m_items.back(), root, to);
}

void fleet_files::add_paths(const std::vector<std::string>& paths, sides to) {
    batch_items& items = m_items.emplace_back();
    for (const std::string& path : paths) {
        items.add(items.keep(folder_of(path)), items.keep(path));
    }
    add_all(items, "", to);
}

void fleet_files::add_all(const batch_items& items, const std::string& root, sides to) {
    for (const series_items& series : items.series()) {
        // Two folders that are compared are one series each, whatever they are called.
        const bool is_root =
            to.base != to.head && !root.empty() &&
            folder_of(std::string{series.inputs.front()}) == folder_of(root + "/-");
        std::string service = is_root ? "." : service_of(series.name);
        if (m_pattern.empty() || ::fnmatch(m_pattern.c_str(), service.c_str(), 0) == 0) {
            m_services[std::move(service)].push_back({&series, to});
            m_files += series.inputs.size();
        }
    }
}

std::string fleet_files::service_of(std::string_view series) const {
    std::size_t end = m_depth == 0 ? std::string_view::npos : 0;
    for (std::size_t part = 0; part < m_depth && end != std::string_view::npos; ++part) {
        end = series.find('/', end + 1);
    }
    return std::string{series.substr(0, end)};
}

// What the threads have in common.
class fleet_files::work {
public:
    work(const fleet_files& files, fleet_comparison& to, const reading& how, bool has_progress)
        : m_to{to}, m_how{how}, m_next{files.m_services.begin()}, m_end{files.m_services.end()},
          m_progress{files.m_files, 0, has_progress} {}

    // On each thread.
    void run() noexcept {
        try {
            while (const services_by_name::value_type* const service = next()) {
                add(*service);
            }
        } catch (...) {
            const std::lock_guard lock{m_mutex};
            m_reason = m_reason ? m_reason : std::current_exception();
            m_next = m_end;
        }
    }

    bad_files end() {
        if (m_reason) {
            std::rethrow_exception(m_reason);
        }
        m_progress.end();
        std::sort(m_bad.messages.begin(), m_bad.messages.end());
        return std::move(m_bad);
    }

private:
    const services_by_name::value_type* next() {
        const std::lock_guard lock{m_mutex};
        return m_next == m_end ? nullptr : &*m_next++;
    }

    void add(const services_by_name::value_type& service) {
        fleet_comparison::service sums{m_to};
        for (const series_of_service& series : service.second) {
            for (const std::string_view input : series.items->inputs) {
                add(path_of_input(input), series.to, sums);
            }
            sums.next_series();
        }
        m_to.add(service.first, sums);
    }

    void add(const std::string& path, sides to, fleet_comparison::service& sums) {
        std::string message;
        exit_status status = exit_status::done;
        try {
            const profile_file delta{raw_file{path, m_how.max_size}, m_how};
            about(delta, [&] { sums.add(delta.bytes(), to.base, to.head); });
        } catch (const failure& e) {
            message = e.what();
            status = e.status();
        }
        const std::lock_guard lock{m_mutex};
        m_progress.add(0, !message.empty());
        if (!message.empty()) {
            m_bad.messages.push_back(std::move(message));
            m_bad.status = is_worse(status, m_bad.status) ? status : m_bad.status;
        }
    }

    fleet_comparison& m_to;
    const reading& m_how;
    std::mutex m_mutex; // for all that follows
    services_by_name::const_iterator m_next;
    services_by_name::const_iterator m_end;
    progress m_progress;
    bad_files m_bad;
    std::exception_ptr m_reason; // the first one
};

fleet_files::bad_files fleet_files::read_into(fleet_comparison& to, const reading& how,
                                              unsigned threads, bool has_progress) const {
    work all{*this, to, how, has_progress};
    std::vector<std::thread> others;
    for (unsigned i = 1; i < std::min<std::size_t>(threads, m_services.size()); ++i) {
        try {
            others.emplace_back([&all] { all.run(); });
        } catch (const std::system_error&) {
            break; // those that run do it all
        }
    }
    all.run();
    for (std::thread& each : others) {
        each.join();
    }
    return all.end();
}

} // namespace pprofdelta::tool
