// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/state.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "commands/reading.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

namespace {

// The facts about a file, in the order in which they are shown.
struct facts {
    std::string text{};
    ordered_json json;
    bool is_profile = true;

    void add_line(const std::string& name, const std::string& value) {
        text += name + " " + value + "\n";
    }
    // A word or a number.
    void add(const std::string& name, const ordered_json& value) {
        json[name] = value;
        add_line(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
    void add_types(const std::vector<type_treatment>& types) {
        ordered_json& all = json["types"] = ordered_json::array();
        for (const auto& [type, kind] : types) {
            add_line("type", printable(to_string(type)) + " " + to_string(kind));
            all.push_back(type_json(type));
            all.back()["cumulative"] = kind == value_kind::cumulative;
            all.back()["kind"] = to_string(kind);
        }
    }
    void add_labels(const label_list& list) {
        ordered_json& all = json["labels"] = ordered_json::array();
        for (const label_info& label : list.labels) {
            const bool has_unit = !label.is_text && label.unit != label.key;
            add_line("label", printable(label.key) + ": " + std::to_string(label.values) +
                                  (label.is_text ? " text" : " number") +
                                  (label.values == 1 ? "" : "s") +
                                  (has_unit ? " of " + printable(label.unit) : "") + ", " +
                                  counted(label.samples, "sample"));
            all.push_back({{"key", label.key},
                           {"kind", label.is_text ? "text" : "number"},
                           {"unit", label.is_text ? nullptr : ordered_json(label.unit)},
                           {"values", label.values},
                           {"samples", label.samples}});
        }
        if (list.left_out != 0) {
            add_line("labels_left_out", std::to_string(list.left_out));
        }
        json["labels_left_out"] = list.left_out;
    }
    void add_time(std::int64_t nanos) {
        json["time_nanos"] = nanos;
        const std::string time = time_text(nanos);
        add_line("time", time.empty() ? "unknown" : time);
    }
    // The number is text, since not every reader of JSON has numbers of 64 bits.
    void add_process(std::uint64_t id) {
        const std::string process = id == 0 ? "" : hexadecimal(id, 16);
        json["process"] = text_or_null(process);
        add_line("process", id == 0 ? "unknown" : process);
    }
    // Exact, as "10.5s".
    void add_duration(std::int64_t nanos) {
        json["duration_nanos"] = nanos;
        const auto part = [nanos](std::int64_t number) { return nanos < 0 ? -number : number; };
        std::string fraction = std::to_string(nanos_per_second + part(nanos % nanos_per_second));
        fraction.front() = '.';
        const std::string duration = std::to_string(part(nanos / nanos_per_second)) +
                                     fraction.substr(0, fraction.find_last_not_of(".0") + 1);
        add_line("duration", nanos == 0 ? "unknown" : (nanos < 0 ? "-" : "") + duration + "s");
    }
};

constexpr std::array<const char*, 3> words_of_codecs{"none", "gzip", "zstd"};

facts of_profile(raw_file raw, const read_options& input, const delta_options& delta) {
    const profile_file profile{std::move(raw), input};
    const profile_info info = with_file_context(
        profile.name(), [&] { return read_profile_info(profile.bytes(), delta); });
    const label_list labels =
        with_file_context(profile.name(), [&] { return list_labels(profile.bytes()); });
    facts found{.json = {{"file", profile.name()}, {"kind", "profile"}}};
    found.add("source", to_string(profile.source()));
    found.add_types(info.types);
    if (info.counters != counter_form::usual) {
        found.add("counters", to_string(info.counters));
    }
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
    found.add("compression", words_of_codecs[static_cast<std::size_t>(profile.compression())]);
    found.add("uncompressed", profile.uncompressed_size());
    return found;
}

facts of_state(const raw_file& raw) {
    const state_info info = with_file_context(raw.name, [&] { return read_state_info(raw.bytes); });
    facts found{.json = {{"file", raw.name}, {"kind", "state"}}, .is_profile = false};
    found.add_line("version", std::to_string(info.version));
    found.json["format_version"] = info.version;
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

// The commands for one profile, for two, or for many.
command_list next_of(const std::vector<std::string>& profiles) {
    if (profiles.empty() || !can_be_read_again(profiles)) {
        return {};
    }
    return {next_command(profiles.size() > 2 ? "trend" : "report", {"--format", "json"}, profiles)};
}

} // namespace

/// `pprofdelta info`: describes profiles and states.
struct info_command : reading_command {
    delta_options delta;
    std::size_t max_bytes = 0; ///< The most bytes of what is printed; 0 for no limit.
    bool json = false;

    void add_options(command_options& options) override {
        options.add_files(files);
        add_list(options, list);
        options.add_flag("--json", json, "Write JSON");
        add_max_bytes(options, max_bytes);
        add_types(options, delta);
        add_max_size(options, input.max_size);
        add_unit(options, input);
        options.add_help();
        add_urls(options, urls, input);
    }

    void check() override {
        if (files.empty() && list.file.empty()) {
            wrong_usage("info needs a file");
        }
        check_paths({}, {{list.file}, urls.files(), files});
    }

    [[nodiscard]] exit_status work(run_status& /*status*/) const override {
        std::vector<facts> all;
        std::vector<std::string> profiles;
        std::set<std::string> sources;
        exit_status worst = exit_status::done;
        series_readers held;
        const std::vector<std::string> found = find_files(files, list, &held);
        for (const std::string& path : found) {
            try {
                raw_file raw{path, input};
                facts& of = all.emplace_back(
                    is_state(raw.bytes) ? of_state(raw) : of_profile(std::move(raw), input, delta));
                if (found.size() > 1) {
                    of.text.insert(0, printable(display_name(path)) + ":\n");
                }
                if (of.is_profile) {
                    profiles.push_back(path);
                    sources.insert(of.json["source"].get<std::string>());
                }
            } catch (const failure& e) {
                // The others may be what is looked for.
                std::fprintf(stderr, "pprofdelta: %s\n", e.what());
                worst = worst == exit_status::done ? e.status() : worst;
            }
        }
        if (sources.size() > 1) {
            profiles.clear(); // no command takes them together
        }
        write_standard_output(fitted(max_bytes, [&](std::optional<std::size_t> most_files) {
            const std::size_t shown = std::min(all.size(), most_files.value_or(all.size()));
            return json && !all.empty() ? json_of(all, shown, most_files, profiles)
                                        : text_of(all, shown);
        }));
        return worst;
    }

private:
    [[nodiscard]] std::string json_of(const std::vector<facts>& all, std::size_t shown,
                                      std::optional<std::size_t> most_files,
                                      const std::vector<std::string>& profiles) const {
        const std::size_t left_out = all.size() - shown;
        ordered_json made{{"schema", "pprofdelta/info/1"}, {"version", 1}};
        made["files"] = mapped(first_of(all, shown), &facts::json);
        made["files_left_out"] = left_out;
        add_end(made,
                max_bytes == 0 ? std::nullopt : std::optional{row_budget{max_bytes, most_files}},
                left_out == 0 ? next_of(profiles) : command_list{});
        return to_text(made, json_layout::lines);
    }

    [[nodiscard]] std::string text_of(const std::vector<facts>& all, std::size_t shown) const {
        const std::string text = joined(first_of(all, shown), "", &facts::text);
        return shown == all.size()
                   ? text
                   : text + "\n" + std::to_string(all.size() - shown) +
                         " more left out for --max-bytes " + std::to_string(max_bytes) + "\n";
    }
};

const command_kind info_kind{"info", "Describe profiles and state files",
                             "Usage: pprofdelta info [OPTION]... FILE...\n",
                             make_command<info_command>};

} // namespace pprofdelta::tool
