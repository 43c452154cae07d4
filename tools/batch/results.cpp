// SPDX-License-Identifier: Apache-2.0
#include "batch/results.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <numeric>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <pprofdelta/error.hpp>

#include <pprofdelta/json.hpp>
#include <pprofdelta/report.hpp>

#include "base/json.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"
#include "batch/memory_pool.hpp"
#include "document/report.hpp"

namespace pprofdelta::tool {

namespace {

using clock = std::chrono::steady_clock;

// The signal, or 0, and when it came. A handler can run in any thread.
std::atomic<int> came = 0;
std::atomic<clock::rep> came_at = 0;
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<clock::rep>::is_always_lock_free); // as a handler must not wait

extern "C" void remember_or_end(int signal_number) {
    if (came == 0) {
        came_at = clock::now().time_since_epoch().count(); // before what says that it is there
    }
    note_end_signal(signal_number);
    if (came.exchange(signal_number) != 0) {
        end_commands();
        remove_temporary_file();
        end_by_signal(signal_number);
    }
}

} // namespace

void stop_signals::catch_them() {
    came = 0;
    catch_end_signals(remember_or_end);
}

bool stop_signals::is_stopping() noexcept { return came != 0; }

bool stop_signals::is_late() noexcept {
    return is_stopping() &&
           clock::now().time_since_epoch() - clock::duration{came_at} > std::chrono::seconds{1};
}

void stop_signals::end_by_signal() noexcept {
    if (came != 0) {
        tool::end_by_signal(came);
    }
}

namespace {

constexpr std::size_t most_types = 16;
constexpr std::size_t most_functions = 10'000; // of a type
constexpr std::size_t longest_function = 150;

} // namespace

std::vector<type_rates> rates_of(const std::string& delta, const std::vector<type_treatment>& types,
                                 double seconds) {
    std::vector<type_rates> all;
    const viewed_profiles viewed{delta};
    for (const type_treatment& each : types) {
        if (!each.is_cumulative() || !(seconds > 0)) {
            continue;
        }
        report_options options;
        options.sample_type = value_type_pattern{to_string(each.type)};
        type_rates rates{.type = each.type};
        try {
            for (const report::row& row : make_report(viewed, options).rows) {
                if (row.flat.current != 0) {
                    // Names that are the same when they are shown are one here, too.
                    rates.functions.emplace_back(shortened(row.name, longest_function),
                                                 static_cast<double>(row.flat.current) / seconds);
                }
            }
        } catch (const error&) {
            continue; // sums that would not fit are no reason to do without the delta
        }
        all.push_back(std::move(rates));
    }
    return all;
}

void rate_sums::add(const std::vector<type_rates>& rates) {
    for (const type_rates& each : rates) {
        const std::pair key{shortened(each.type.type, longest_function),
                            shortened(each.type.unit, longest_function)};
        if (m_types.size() >= most_types && !m_types.contains(key)) {
            continue;
        }
        sums& of_type = m_types[key];
        for (const auto& [function, rate] : each.functions) {
            of_type.total += rate;
            if (const auto known = of_type.functions.find(function);
                known != of_type.functions.end()) {
                known->second += rate;
            } else if (of_type.functions.size() < most_functions) {
                of_type.functions.emplace(function, rate);
            }
        }
    }
}

std::vector<type_rates> rate_sums::largest(std::size_t count) const {
    std::vector<type_rates> all;
    for (const auto& [type, of_type] : m_types) {
        type_rates rates{.type = {type.first, type.second}, .rest = of_type.total};
        rates.functions.assign(of_type.functions.begin(), of_type.functions.end());
        keep_first(rates.functions, count, [](const auto& one, const auto& other) {
            return one.second != other.second ? one.second > other.second : one.first < other.first;
        });
        for (const auto& [function, rate] : rates.functions) {
            rates.rest -= rate;
        }
        all.push_back(std::move(rates));
    }
    return all;
}

namespace {

// Returns pointers of the type that the C library asks for, which does not write to them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers =
        mapped(texts, [](const std::string& text) { return const_cast<char*>(text.c_str()); });
    pointers.push_back(nullptr);
    return pointers;
}

std::string text_of(int error) { return std::generic_category().message(error); }

// Starts a command that prints to `output`.
// @returns a number of errno, or 0.
int start(pid_t& process, const std::vector<std::string>& words,
          const std::vector<std::string>& environment, int output) {
    const std::vector<char*> arguments = pointers_to(words);
    const std::vector<char*> variables = pointers_to(environment);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_t settings;
    ::posix_spawnattr_init(&settings);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&settings, &none);
    sigset_t own; // which this program ignores, and a shell could not get back
    ::sigemptyset(&own);
    ::sigaddset(&own, SIGPIPE);
    ::sigaddset(&own, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&settings, &own);
    ::posix_spawnattr_setpgroup(&settings, 0);
    ::posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    const int fault = ::posix_spawnp(&process, words.front().c_str(), &files, &settings,
                                     arguments.data(), variables.data());
    ::posix_spawnattr_destroy(&settings);
    ::posix_spawn_file_actions_destroy(&files);
    return fault;
}

// Reads what a command prints, of which `text` keeps the end.
// @returns whether there may be more.
bool read_end(int pipe, std::string& text) {
    constexpr std::size_t most = 4096;
    std::array<char, most> bytes{};
    const ssize_t size = ::read(pipe, bytes.data(), bytes.size());
    if (size > 0) {
        text.append(bytes.data(), static_cast<std::size_t>(size));
        text.erase(0, text.size() - std::min(text.size(), most));
    }
    return size > 0 || (size < 0 && errno == EINTR);
}

// The last line that is not empty.
std::string last_line(const std::string& text) {
    constexpr std::size_t width = 200;
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) {
        return {};
    }
    const std::size_t start = text.find_last_of("\r\n", end) + 1;
    return printable(text.substr(start, std::min(end + 1 - start, width)));
}

// Whether it has ended, and how, as waitpid(2) has it.
bool has_ended(pid_t process, int& status) {
    const pid_t found = ::waitpid(process, &status, WNOHANG);
    return found == process || (found < 0 && errno != EINTR);
}

// Reads what a command prints until it has ended, or the time is over, its own or that of the run.
// Waits for the process alone: children that it left behind may keep the pipe open.
// @returns whether it has ended.
bool wait_for(pid_t process, int pipe, clock::time_point deadline, std::string& text, int& status) {
    bool is_open = true;
    while (!has_ended(process, status)) {
        if (clock::now() >= deadline || stop_signals::is_late()) {
            return false;
        }
        struct pollfd wanted = {pipe, POLLIN, 0};
        const int pause = is_open ? 50 : 2; // milliseconds; then the end is near
        if (::poll(&wanted, is_open ? 1 : 0, pause) > 0) {
            is_open = read_end(pipe, text);
        }
    }
    while (is_open) {
        struct pollfd wanted = {pipe, POLLIN, 0};
        is_open = ::poll(&wanted, 1, 0) > 0 && read_end(pipe, text);
    }
    return true;
}

// The process groups of what runs, for a signal handler; 0 where there is none.
std::array<std::atomic<pid_t>, most_commands> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free); // as a handler must not wait

// A place there.
class running_group {
public:
    explicit running_group(pid_t process) noexcept {
        for (pid_t nobody = 0; !m_place->compare_exchange_strong(nobody, process); nobody = 0) {
            m_place = m_place + 1 == running.end() ? running.begin() : m_place + 1;
        }
    }
    ~running_group() { *m_place = 0; }
    running_group(const running_group&) = delete;
    running_group& operator=(const running_group&) = delete;

private:
    decltype(running)::iterator m_place = running.begin();
};

// First politely.
void end_group(pid_t process) {
    ::kill(-process, SIGTERM);
    int status = 0;
    const bool is_gone =
        poll_until(clock::now() + std::chrono::seconds{1}, std::chrono::milliseconds{2},
                   [&] { return has_ended(process, status); });
    ::kill(-process, SIGKILL); // also what it has started
    if (!is_gone) {
        ::waitpid(process, nullptr, 0);
    }
}

} // namespace

command_end run_command(const std::vector<std::string>& words,
                        const std::vector<std::string>& environment,
                        std::chrono::duration<double> timeout) {
    const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(timeout);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return {{}, "cannot be started: " + text_of(errno)};
    }
    const descriptor output{ends[0]};
    descriptor input{ends[1]};
    pid_t process = 0;
    if (const int fault = start(process, words, environment, input.number()); fault != 0) {
        return {{}, "cannot be started: " + text_of(fault)};
    }
    const running_group counted{process};
    static_cast<void>(input.close());
    std::string said;
    int end = 0;
    if (!wait_for(process, output.number(), deadline, said, end)) {
        end_group(process);
        return {{},
                stop_signals::is_late() ? "was not waited for, because the run is ending"
                                        : "took too long, see --exec-timeout"};
    }
    std::string line = last_line(said);
    line.insert(0, line.empty() ? "" : ": ");
    if (WIFSIGNALED(end)) {
        return {{}, "was ended by signal " + std::to_string(WTERMSIG(end)) + line};
    }
    const int status = WEXITSTATUS(end);
    return {status, status == 0 ? "" : "ended with status " + std::to_string(status) + line};
}

void end_commands() noexcept {
    for (const std::atomic<pid_t>& each : running) {
        if (const pid_t process = each; process != 0) {
            ::kill(-process, SIGKILL);
        }
    }
}

namespace {

constexpr std::string_view variable_prefix = "PPROFDELTA_";

std::string whole_seconds(std::int64_t nanos) { return std::to_string(nanos / nanos_per_second); }

placeholder_values values_of(const unsent_note& note, const unsent_delta& delta) {
    return {
        {"file", delta.path},    {"from", whole_seconds(delta.time_nanos - delta.duration_nanos)},
        {"id", delta.id},        {"n", std::to_string(delta.number)},
        {"series", note.series}, {"time", time_in_path(delta.time_nanos)},
        {"type", delta.type},    {"until", whole_seconds(delta.time_nanos)}};
}

std::string upper_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

// Returns this program's environment with the values, as PPROFDELTA_FILE, PPROFDELTA_LABEL_team.
std::vector<std::string> environment_with(const unsent_note& note,
                                          const placeholder_values& values) {
    std::vector<std::string> variables;
    for (char** each = ::environ; *each != nullptr; ++each) {
        if (!std::string_view{*each}.starts_with(variable_prefix)) {
            variables.emplace_back(*each);
        }
    }
    const auto add = [&variables](std::string_view name, std::string_view value) {
        variables.emplace_back(variable_prefix).append(name).append("=").append(value);
    };
    for (const auto& [name, value] : values) {
        add(upper_case(name), value);
    }
    for (const auto& [name, value] : note.labels) {
        if (std::ranges::all_of(name, is_in_word)) { // a shell can name no other variables
            add("LABEL_" + name, value);
        }
    }
    return variables;
}

// @returns false if the run is to end meanwhile.
bool sleep_for(double seconds) {
    return !poll_until(clock::now() + std::chrono::duration<double>{seconds},
                       std::chrono::milliseconds{20}, stop_signals::is_stopping);
}

} // namespace

delivery deliver(const exec_options& options, const unsent_note& note, const unsent_delta& delta) {
    const auto start = clock::now();
    placeholder_values values = values_of(note, delta);
    const std::vector<std::string> environment = environment_with(note, values);
    values.insert(note.labels.begin(), note.labels.end()); // none takes the place of what is there
    const std::vector<std::string> words = options.command.words(values);
    constexpr double first_pause = 0.5;
    delivery found{.id = delta.id};
    do {
        if (stop_signals::is_stopping()) {
            found.fault = "it was not tried, because the run is ending";
            break;
        }
        command_end end =
            run_command(words, environment, std::chrono::duration<double>{options.timeout_seconds});
        ++found.tries;
        found.status = end.status;
        found.fault = end.fault.empty() ? "" : words.front() + " " + end.fault;
    } while (!found.fault.empty() && found.tries <= options.retries &&
             sleep_for(retry_pause(first_pause, found.tries)));
    found.milliseconds = std::chrono::duration<double, std::milli>(clock::now() - start).count();
    return found;
}

const char* to_string(item_status status) noexcept {
    constexpr std::array<const char*, item_statuses> names{
        "done", "skipped", "limit", "sent", "malformed", "incompatible", "io", "unsent"};
    return names[static_cast<std::size_t>(status)];
}

void item_outcome::fail(exit_status fault, const std::string& why) {
    const bool does_not_fit = fault == exit_status::incompatible ||
                              fault == exit_status::usage; // limits that do not fit the profile
    status = fault == exit_status::malformed ? item_status::malformed
             : does_not_fit                  ? item_status::incompatible
                                             : item_status::io;
    error = why;
    output.clear();
    bytes_out_on_disk = 0;
    crossed.clear();
    totals.clear();
    rates.clear();
}

void item_outcome::skip(const std::string& why) {
    status = item_status::skipped;
    error = why;
}

namespace {

// Counters have a value per second if the duration is known.
ordered_json totals_json(const item_outcome& outcome) {
    const double seconds = seconds_of(outcome.summary.duration_nanos);
    return mapped(outcome.totals, [&](const type_total& each) {
        ordered_json total = type_json(each.type);
        total["cumulative"] = each.is_cumulative;
        total["value"] = each.value;
        total["per_second"] = each.is_cumulative && seconds > 0
                                  ? ordered_json(static_cast<double>(each.value) / seconds)
                                  : nullptr;
        return total;
    });
}

} // namespace

std::string to_json_line(const item_outcome& outcome) {
    const delta_summary& summary = outcome.summary;
    ordered_json line{{"schema", "pprofdelta/result/1"}, {"series", outcome.series}};
    if (outcome.labels.are_known()) {
        ordered_json& labels = line["labels"] = ordered_json::object();
        for (const auto& [name, value] : outcome.labels.shown()) {
            labels[name] = value;
        }
    }
    line["input"] = text_or_null(std::string{outcome.input});
    line["output"] = text_or_null(outcome.output);
    line["status"] = to_string(outcome.status);
    line["time_nanos"] = summary.time_nanos;
    line["duration_nanos"] = summary.duration_nanos;
    line["totals"] = totals_json(outcome);
    line["samples_in"] = summary.samples_in;
    line["samples_out"] = summary.samples_kept;
    line["bytes_in"] = outcome.bytes_in;
    line["bytes_in_on_disk"] = outcome.bytes_in_on_disk;
    line["bytes_out_on_disk"] = outcome.bytes_out_on_disk;
    line["first"] = summary.first;
    line["reset"] = summary.reset;
    line["reset_reason"] = text_or_null(summary.reset ? to_string(summary.reason) : "");
    line["negative_samples"] = summary.negative_samples;
    line["milliseconds"] = written(fixed_text(outcome.milliseconds, 3));
    if (outcome.sent) {
        line["exec"] = {{"id", outcome.sent->id},
                        {"exit_status", outcome.sent->status},
                        {"tries", outcome.sent->tries},
                        {"milliseconds", written(fixed_text(outcome.sent->milliseconds, 3))}};
    }
    if (outcome.limits) {
        line["limits"] = mapped(*outcome.limits, written);
    }
    line["error"] = text_or_null(outcome.error);
    line["next"] =
        outcome.output.empty() ? command_list{} : command_list{report_of_profile(outcome.output)};
    return to_text(line, json_layout::compact) + "\n";
}

namespace {

// Ends a line that a killed run wrote in part, so that the next one is whole.
void end_last_line(int file, const std::string& path) {
    char last = '\n';
    const off_t size = ::lseek(file, 0, SEEK_END);
    if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n') {
        write_all(file, "\n", path);
    }
}

} // namespace

std::size_t batch_counts::failed() const noexcept {
    return of(item_status::malformed) + of(item_status::incompatible) + of(item_status::io) +
           of(item_status::unsent);
}

exit_status batch_counts::status(double allowed) const noexcept {
    constexpr double percent = 100;
    const std::size_t tried = std::accumulate(items.begin(), items.end(), std::size_t{0}) -
                              of(item_status::skipped) - of(item_status::sent);
    if (static_cast<double>(failed()) * percent > allowed * static_cast<double>(tried)) {
        return of(item_status::io) + of(item_status::unsent) != 0 ? exit_status::io
               : of(item_status::malformed) != 0                  ? exit_status::malformed
                                                                  : exit_status::incompatible;
    }
    return of(item_status::limit_crossed) != 0 ? exit_status::limit_crossed : exit_status::done;
}

batch_results::batch_results(std::string path, std::size_t items, bool quiet)
    : m_path{std::move(path)}, m_is_quiet{quiet}, m_progress{items, 0, !quiet} {
    if (m_path.empty()) {
        return;
    }
    if (m_path == "-") {
        m_file = descriptor{STDOUT_FILENO};
        return;
    }
    m_file = descriptor{::open(m_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
    if (m_file.number() < 0) {
        throw io_failure(m_path, "cannot be opened");
    }
    end_last_line(m_file.number(), m_path);
}

void batch_results::count(const item_outcome& outcome) {
    ++m_counts.items[static_cast<std::size_t>(outcome.status)];
    if (outcome.labels.are_known()) {
        const std::string_view job = outcome.labels.value("job");
        ++m_counts.jobs[std::string{job.empty() ? "targets" : job}]
                       [static_cast<std::size_t>(outcome.status)];
    }
    m_counts.rates.add(outcome.rates);
    if (outcome.input.empty()) { // of an earlier run
        m_counts.left_unsent += outcome.is_failure() ? 1 : 0;
        return;
    }
    if (outcome.status != item_status::skipped) {
        m_counts.resets += outcome.summary.reset ? 1 : 0;
        m_counts.bytes_in += outcome.bytes_in;
        m_counts.bytes_in_on_disk += outcome.bytes_in_on_disk;
        m_counts.bytes_out_on_disk += outcome.bytes_out_on_disk;
    }
    m_progress.add(outcome.bytes_in_on_disk, outcome.is_failure());
}

// The text replaces the line that shows how far the run is.
void batch_results::print(const std::string& text) {
    m_progress.clear();
    std::fprintf(stderr, "pprofdelta: %s\n", text.c_str());
}

void batch_results::publish(const item_outcome& outcome) {
    const auto series = [&] { return printable(outcome.series); };
    if (outcome.is_failure() && !m_is_quiet) {
        print(series() + ": " + printable(outcome.error));
    }
    if (!m_is_quiet) {
        std::vector<std::string> found = series_findings(outcome.summary);
        if (outcome.summary.previous_has_duration && m_of_deltas.emplace(outcome.series).second) {
            found.emplace_back("its profiles have durations, so they may already be deltas");
        }
        for (const std::string& each : found) {
            print(std::string{"warning: "}.append(series()).append(": ").append(each));
        }
    }
    if (!outcome.crossed.empty()) {
        print(series() + ": limit crossed: " + printable(outcome.crossed));
    }
}

void batch_results::warn(const std::string& text) {
    const std::lock_guard lock{m_mutex};
    m_warnings.push_back(text);
    if (!m_is_quiet) {
        print("warning: " + printable(text));
    }
}

std::vector<std::string> batch_results::warnings() {
    const std::lock_guard lock{m_mutex};
    return m_warnings;
}

void batch_results::end() {
    const std::lock_guard lock{m_mutex};
    m_progress.end();
}

void batch_results::add(const std::vector<item_outcome>& outcomes) {
    std::string lines;
    const std::lock_guard lock{m_mutex};
    for (const item_outcome& each : outcomes) {
        count(each);
        if (m_file.number() >= 0) {
            lines += to_json_line(each);
        }
    }
    if (!lines.empty()) {
        try {
            // The lines are written at once, so that those of several runs are not mixed.
            write_all(m_file.number(), lines, m_path == "-" ? "standard output" : m_path);
        } catch (const failure&) {
            m_file = descriptor{-1};
            std::ranges::for_each(outcomes, [this](const auto& each) { publish(each); });
            throw;
        }
    }
    std::ranges::for_each(outcomes, [this](const auto& each) { publish(each); });
}

namespace {

// The value is in quotes. A printable text has nothing that JSON escapes in another way than
// Prometheus.
std::string label_value(std::string_view text) { return ordered_json(printable(text)).dump(); }

// The metrics of a run, all of which have its labels.
class metrics_text {
public:
    explicit metrics_text(const batch_metrics& metrics)
        : m_labels{"{batch=" + label_value(metrics.batch)} {
        if (const std::string part = to_string(metrics.part); !part.empty()) {
            m_labels += ",shard=" + label_value(part);
        }
    }

    // Begins a metric; later values belong to it.
    void begin(const std::string& name, const std::string& help) {
        m_name = "pprofdelta_batch_" + name;
        m_text += "# HELP " + m_name + " " + help + "\n# TYPE " + m_name + " gauge\n";
    }
    void add(const std::string& value, const std::string& more_labels = "") {
        m_text += m_name + m_labels + more_labels + "} " + value + "\n";
    }
    // A metric that has one value.
    void add(const std::string& name, const std::string& help, const std::string& value) {
        begin(name, help);
        add(value);
    }

    [[nodiscard]] const std::string& text() const noexcept { return m_text; }

private:
    std::string m_labels;
    std::string m_name;
    std::string m_text;
};

std::string seconds_text(std::int64_t nanos) { return fixed_text(seconds_of(nanos), 3); }

void add_items(const std::array<std::size_t, item_statuses>& items, const std::string& labels,
               metrics_text& to) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        to.add(std::to_string(items[i]),
               labels + ",status=\"" + to_string(static_cast<item_status>(i)) + "\"");
    }
}

std::string type_labels(const type_rates& rates) {
    return ",type=" + label_value(rates.type.type) + ",unit=" + label_value(rates.type.unit);
}

void add_rates(const std::vector<type_rates>& rates, metrics_text& to) {
    if (rates.empty()) {
        return;
    }
    to.begin("function_rate", "Rates of the functions with the highest rates.");
    for (const type_rates& each : rates) {
        for (const auto& [function, rate] : each.functions) {
            to.add(json_number(rate), type_labels(each) + ",function=" + label_value(function));
        }
    }
    to.begin("function_rate_rest", "Rate of all other functions together.");
    for (const type_rates& each : rates) {
        to.add(json_number(each.rest), type_labels(each));
    }
}

} // namespace

std::string to_text(const batch_metrics& metrics) {
    const batch_counts& counts = metrics.counts;
    metrics_text to{metrics};
    to.begin("items", "Profiles of the last run by outcome.");
    add_items(counts.items, "", to);
    to.add("resets", "Profiles of the last run after a counter reset.",
           std::to_string(counts.resets));
    to.add("bytes_in", "Uncompressed bytes of the profiles of the last run.",
           std::to_string(counts.bytes_in));
    to.add("bytes_in_on_disk", "Bytes of the profiles of the last run as they were read.",
           std::to_string(counts.bytes_in_on_disk));
    to.add("bytes_out_on_disk", "Bytes of the deltas that the last run wrote.",
           std::to_string(counts.bytes_out_on_disk));
    to.add("duration_seconds", "Duration of the last run.", fixed_text(metrics.seconds, 3));
    to.add("last_run_timestamp_seconds", "Time at which the last run ended, in seconds since 1970.",
           seconds_text(metrics.end_nanos));
    to.add("exit_status", "The exit status of the last run.",
           std::to_string(static_cast<int>(metrics.status)));
    if (!counts.jobs.empty()) {
        to.begin("job_items", "Profiles of the last run by job and outcome.");
    }
    for (const auto& [job, items] : counts.jobs) {
        add_items(items, ",job=" + label_value(job), to);
    }
    if (metrics.top != 0) {
        add_rates(counts.rates.largest(metrics.top), to);
    }
    if (!metrics.oldest.empty()) {
        to.begin("series_age_seconds",
                 "Time since the last profile, of the series for which it is longest.");
        for (const auto& [series, time] : metrics.oldest) {
            to.add(seconds_text(metrics.end_nanos - time), ",series=" + label_value(series));
        }
    }
    return to.text();
}

} // namespace pprofdelta::tool
