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
#include "cli/series_folder.hpp"
#include "files/file.hpp"
#include "files/folder.hpp"

namespace pprofdelta::tool {

void fleet_files::add_folder(const std::string& root, sides to) {
    for_each_series(root, [&](const std::string& name, const std::string& folder,
                              const std::vector<std::string>& profiles) {
        // Two folders that are compared are one series each, whatever they are called.
        const bool is_one = to.base != to.head && folder == root;
        add_series(is_one ? "." : service_of(name), {folder, nullptr, to}, profiles.size());
    });
}

void fleet_files::add_paths(const std::vector<std::string>& paths, sides to) {
    batch_items& items = m_items.emplace_back();
    for (const std::string& path : paths) {
        items.add(items.keep(folder_of(path)), items.keep(path));
    }
    for (const series_items& series : items.series()) {
        add_series(service_of(series.name), {"", &series, to}, series.inputs.size());
    }
}

void fleet_files::add_series(const std::string& service, series_of_service series,
                             std::size_t files) {
    if (m_pattern.empty() || ::fnmatch(m_pattern.c_str(), service.c_str(), 0) == 0) {
        m_services[service].push_back(std::move(series));
        m_files += files;
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
        while (true) {
            fleet_comparison::service sums{m_to};
            bad_files bad;
            bool is_overtaken = false;
            for (const series_of_service& series : service.second) {
                is_overtaken |= !add(series, sums, bad);
                sums.next_series();
            }
            if (is_overtaken) {
                continue; // once for a series, as its lock is there from then on
            }
            m_to.add(service.first, sums);
            const std::lock_guard lock{m_mutex};
            m_bad.messages.insert(m_bad.messages.end(), bad.messages.begin(), bad.messages.end());
            m_bad.status = worse_of(m_bad.status, bad.status);
            return;
        }
    }

    // Whether it is whole, and not what a run that began to merge it has left.
    bool add(const series_of_service& series, fleet_comparison::service& sums, bad_files& bad) {
        if (series.given != nullptr) {
            for (const std::string_view input : series.given->inputs) {
                add(path_of_input(input), series.to, sums, bad);
            }
            return true;
        }
        try {
            const series_reader reader{series.folder};
            for (const std::string& path : profiles_in(series.folder)) {
                add(path, series.to, sums, bad);
            }
            return !reader.is_overtaken();
        } catch (const failure& e) {
            note(e, bad);
            return true;
        }
    }

    void add(const std::string& path, sides to, fleet_comparison::service& sums, bad_files& bad) {
        bool is_bad = false;
        try {
            const profile_file delta{raw_file{path, m_how.max_size}, m_how};
            about(delta, [&] { sums.add(delta.bytes(), to.base, to.head); });
        } catch (const failure& e) {
            note(e, bad);
            is_bad = true;
        }
        const std::lock_guard lock{m_mutex};
        m_progress.add(0, is_bad);
    }

    static void note(const failure& reason, bad_files& bad) {
        bad.messages.emplace_back(reason.what());
        bad.status = worse_of(bad.status, reason.status());
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
