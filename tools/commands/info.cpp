// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/state.hpp>

#include "base/failure.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "cli/command_options.hpp"
#include "cli/inputs.hpp"
#include "cli/options.hpp"
#include "cli/paths.hpp"
#include "cli/status.hpp"
#include "commands/commands.hpp"
#include "commands/inputs.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta info`: describes profiles and states.
struct info_command : command {
    void add_options(command_options& options) override;
    void check() override;
    [[nodiscard]] exit_status run() const override;

    std::vector<std::string> files; ///< Files, folders, patterns and URLs; "-" is standard input.
    list_options list;              ///< Of more.
    delta_options delta;
    reading input;
    url_options urls;
    std::size_t max_bytes = 0; ///< Of what is printed; 0 for no limit.
    bool json = false;
};

namespace {

constexpr std::int64_t second = 1'000'000'000; // in nanoseconds

// What is known about a file, in the order in which it is shown.
class facts {
public:
    facts(const std::string& name, bool is_profile)
        : m_is_profile{is_profile}, m_json{{"file", name},
                                           {"kind", is_profile ? "profile" : "state"}} {}

    void add_to_json(const std::string& name, ordered_json value) {
        m_json[name] = std::move(value);
    }
    void add_to_text(const std::string& name, const std::string& value) {
        m_text += name + " " + value + "\n";
    }

    void add(const std::string& name, std::uint64_t number) {
        add_to_json(name, number);
        add_to_text(name, std::to_string(number));
    }
    void add(const std::string& name, const char* word) {
        add_to_json(name, word);
        add_to_text(name, word);
    }
    void add_types(const std::vector<type_treatment>& types) {
        ordered_json all = ordered_json::array();
        for (const auto& [type, is_cumulative] : types) {
            add_to_text("type",
                        printable(to_string(type)) + (is_cumulative ? " cumulative" : " gauge"));
            ordered_json each = type_json(type);
            each["cumulative"] = is_cumulative;
            all.push_back(std::move(each));
        }
        add_to_json("types", std::move(all));
    }
    void add_labels(const label_list& list) {
        ordered_json all = ordered_json::array();
        for (const label_info& label : list.labels) {
            const bool has_unit = !label.is_text && label.unit != label.key;
            add_to_text("label", printable(label.key) + ": " + std::to_string(label.values) +
                                     (label.is_text ? " text" : " number") +
                                     (label.values == 1 ? "" : "s") +
                                     (has_unit ? " of " + printable(label.unit) : "") + ", " +
                                     std::to_string(label.samples) +
                                     (label.samples == 1 ? " sample" : " samples"));
            all.push_back({{"key", label.key},
                           {"kind", label.is_text ? "text" : "number"},
                           {"unit", label.is_text ? nullptr : ordered_json(label.unit)},
                           {"values", label.values},
                           {"samples", label.samples}});
        }
        if (list.left_out != 0) {
            add_to_text("labels_left_out", std::to_string(list.left_out));
        }
        add_to_json("labels", std::move(all));
        add_to_json("labels_left_out", list.left_out);
    }
    void add_time(std::int64_t nanos) {
        add_to_json("time_nanos", nanos);
        const std::string text = time_text(nanos);
        add_to_text("time", text.empty() ? "unknown" : text);
    }
    // As text, since not every reader of JSON has numbers of 64 bits.
    void add_process(std::uint64_t id) {
        const std::string text = id == 0 ? "" : hexadecimal(id, 16);
        add_to_json("process", text_or_null(text));
        add_to_text("process", id == 0 ? "unknown" : text);
    }
    // Exact, as "10.5s".
    void add_duration(std::int64_t nanos) {
        add_to_json("duration_nanos", nanos);
        const auto part = [nanos](std::int64_t number) { return nanos < 0 ? -number : number; };
        std::string text = std::to_string(part(nanos / second));
        std::string fraction = std::to_string(second + part(nanos % second));
        fraction.front() = '.';
        text += fraction.substr(0, fraction.find_last_not_of(".0") + 1);
        add_to_text("duration", nanos == 0 ? "unknown" : (nanos < 0 ? "-" : "") + text + "s");
    }

    [[nodiscard]] bool is_profile() const noexcept { return m_is_profile; }
    [[nodiscard]] const std::string& text() const noexcept { return m_text; }
    [[nodiscard]] const ordered_json& for_programs() const noexcept { return m_json; }

private:
    bool m_is_profile;
    std::string m_text;
    ordered_json m_json;
};

const char* word(codec compression) {
    switch (compression) {
    case codec::gzip:
        return "gzip";
    case codec::zstd:
        return "zstd";
    case codec::none:
        break;
    }
    return "none";
}

facts of_profile(raw_file raw, const info_command& chosen) {
    const profile_file profile{std::move(raw), chosen.input};
    const profile_info info =
        about(profile.name(), [&] { return read_profile_info(profile.bytes(), chosen.delta); });
    const label_list labels = about(profile.name(), [&] { return list_labels(profile.bytes()); });
    facts found{profile.name(), true};
    found.add("source", to_string(profile.source()));
    found.add_types(info.types);
    found.add_labels(labels);
    found.add_time(info.time_nanos);
    found.add_duration(info.duration_nanos);
    found.add_process(info.process);
    found.add("samples", info.samples);
    found.add("locations", info.locations);
    found.add("functions", info.functions);
    found.add("mappings", info.mappings);
    found.add("strings", info.strings);
    found.add("size", profile.size_on_disk());
    found.add("compression", word(profile.compression()));
    found.add("uncompressed", profile.uncompressed_size());
    return found;
}

facts of_state(const raw_file& raw) {
    const state_info info = about(raw.name, [&] { return read_state_info(raw.bytes); });
    facts found{raw.name, false};
    found.add_to_text("version", std::to_string(info.version));
    found.add_to_json("format_version", info.version);
    found.add("source", to_string(info.source));
    found.add("match", to_string(info.match));
    found.add_types(info.types);
    found.add_time(info.time_nanos);
    found.add_process(info.process);
    found.add("samples", info.samples);
    found.add("vanished", info.vanished);
    found.add("size", info.size);
    found.add("uncompressed", info.uncompressed_size);
    return found;
}

facts of_file(raw_file raw, const info_command& chosen) {
    return is_state(raw.bytes) ? of_state(raw) : of_profile(std::move(raw), chosen);
}

// What is in one profile, between two, or over many.
command_list next_of(const std::vector<std::string>& profiles) {
    if (profiles.empty() || !can_be_read_again(profiles)) {
        return {};
    }
    return {next_command(profiles.size() > 2 ? "trend" : "report", {"--format", "json"}, profiles)};
}

} // namespace

void info_command::add_options(command_options& options) {
    options.add_files(files);
    add_list(options, list);
    options.add_flag("--json", json, "Write JSON");
    add_max_bytes(options, max_bytes);
    add_types(options, delta);
    add_max_size(options, input.max_size);
    add_unit(options, input.counted);
    options.add_help();
    add_urls(options, urls, input);
}

void info_command::check() {
    if (files.empty() && list.file.empty()) {
        wrong_usage("info needs a file");
    }
    refuse_credentials(files);
    run_paths used{{}};
    used.read(list.file);
    used.read(urls.files());
    used.read(files);
}

exit_status info_command::run() const {
    std::vector<std::string> texts;
    std::vector<ordered_json> objects;
    std::vector<std::string> profiles;
    exit_status status = exit_status::done;
    series_readers held;
    const std::vector<std::string> found_files = find_files(files, list, &held);
    for (const std::string& path : found_files) {
        try {
            const facts found = of_file(raw_file{path, input}, *this);
            texts.push_back((found_files.size() > 1 ? printable(display_name(path)) + ":\n" : "") +
                            found.text());
            objects.push_back(found.for_programs());
            if (found.is_profile()) {
                profiles.push_back(path);
            }
        } catch (const failure& e) {
            // The others may be what is looked for.
            std::fprintf(stderr, "pprofdelta: %s\n", e.what());
            status = status == exit_status::done ? e.status() : status;
        }
    }
    write_standard_output(fitted(max_bytes, [&](std::optional<std::size_t> most_files) {
        const std::size_t shown = std::min(texts.size(), most_files.value_or(texts.size()));
        const std::size_t left_out = texts.size() - shown;
        std::optional<row_budget> budget;
        if (max_bytes != 0) {
            budget = {max_bytes, most_files};
        }
        if (json && !objects.empty()) {
            ordered_json all{{"schema", "pprofdelta/info/1"},
                             {"version", 1},
                             {"files", std::vector(objects.begin(),
                                                   std::next(objects.begin(),
                                                             static_cast<std::ptrdiff_t>(shown)))},
                             {"files_left_out", left_out}};
            add_end(all, budget, left_out == 0 ? next_of(profiles) : command_list{});
            return to_text(all, json_layout::lines);
        }
        std::string text;
        for (std::size_t i = 0; i < shown; ++i) {
            text += texts[i];
        }
        return text + (left_out == 0
                           ? ""
                           : "\n" + std::to_string(left_out) + " more left out for --max-bytes " +
                                 std::to_string(max_bytes) + "\n");
    }));
    return status;
}

const command_kind info_kind{"info", "Describe profiles and state files",
                             "Usage: pprofdelta info [OPTION]... FILE...\n",
                             make_command<info_command>};

} // namespace pprofdelta::tool
