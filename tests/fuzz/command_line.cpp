// SPDX-License-Identifier: Apache-2.0
// Lines taken for the arguments of a command: refused as wrong usage, or options within their
// ranges.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/failure.hpp"
#include "commands/command_line.hpp"
#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

// Swallows what --help and --version print.
class sink : public std::streambuf {
protected:
    int overflow(int c) override { return c == traits_type::eof() ? 0 : c; }
};

std::optional<tool::command> parse(std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    try {
        return tool::parse_command_line(static_cast<int>(words.size()), arguments.data());
    } catch (const tool::failure& e) {
        require(e.status() == tool::exit_status::usage || e.status() == tool::exit_status::io,
                "what is refused is wrong usage, or a path that cannot be followed");
        require(*e.what() != '\0', "a refusal has a reason");
        return std::nullopt;
    }
}

void require_size(std::size_t size) {
    require(size >= 1 && size <= max_profile_size, "--max-size is a size");
}

void require_state(const tool::state_options& chosen) {
    require(std::isfinite(chosen.lock_timeout_seconds) && chosen.lock_timeout_seconds >= 0,
            "--lock-timeout is a time");
}

void require_output(const tool::profile_output& chosen) {
    const level_range range = levels(chosen.compress);
    require(chosen.level == default_level ||
                (chosen.level >= range.lowest && chosen.level <= range.highest),
            "--level is one of the codec's");
}

void require_within_ranges(const tool::delta_command& chosen) {
    require_size(chosen.input.max_size);
    require_state(chosen.state);
    require_output(chosen.output);
    require(chosen.files.size() == (chosen.state.file.empty() ? 2U : 1U), "a delta has its files");
}

void require_within_ranges(const tool::report_command& chosen) {
    require_size(chosen.input.max_size);
    require(chosen.top >= 0, "--top is a number of rows");
    require_state(chosen.state);
    require(chosen.files.size() == 1 || (chosen.state.file.empty() && chosen.files.size() == 2),
            "a report has its files");
}

template <typename Options>
void require_tested(const Options& chosen, const tool::test_options& given) {
    require(given.top() <= std::numeric_limits<std::int64_t>::max(), "--top is a number of rows");
    require(chosen.alpha > 0 && chosen.alpha < 1, "--alpha is a chance");
    require(chosen.min_change >= 0 && chosen.min_share >= 0,
            "--min-change and --min-amount are parts");
}

void require_within_ranges(const tool::compare_command& chosen) {
    require_size(chosen.input.max_size);
    require_tested(chosen.compared, chosen.tested);
    require(!chosen.base.empty() && !chosen.head.empty() && chosen.files.empty(),
            "each side has captures");
}

void require_within_ranges(const tool::trend_command& chosen) {
    require_size(chosen.input.max_size);
    require_tested(chosen.followed, chosen.tested);
    require(!chosen.followed.seconds_between || *chosen.followed.seconds_between > 0,
            "--every is a time");
    require(!chosen.captures.empty(), "there are captures");
}

void require_within_ranges(const tool::merge_command& chosen) {
    require_size(chosen.input.max_size);
    require_output(chosen.output);
    require(!chosen.files.empty() || !chosen.list.empty(), "there are profiles to add up");
    require(chosen.weights.empty() || chosen.weights.size() == chosen.files.size(),
            "each file has a weight, or none");
    for (const double weight : chosen.weights) {
        require(weight > 0 && std::isfinite(weight), "--weight is a positive number");
    }
}

void require_within_ranges(const tool::batch_command& chosen) {
    require_size(chosen.plan.input.max_size);
    require_output(chosen.plan.form);
    const int given = (chosen.files.empty() ? 0 : 1) + (chosen.targets.empty() ? 0 : 1) +
                      (chosen.root.empty() ? 0 : 1);
    require(given == 1 && chosen.files.size() <= 1, "a batch has one list of items");
    require(!chosen.state_folder.empty() && !chosen.output_text.empty(), "a batch has its folders");
    require(chosen.part.index < chosen.part.count, "--shard is one of so many");
    require(chosen.jobs > 0, "somebody works");
    require(chosen.urls.fetch.timeout_seconds > 0 &&
                chosen.urls.fetch.connect_timeout_seconds > 0 &&
                chosen.urls.fetch.connections > 0 && chosen.urls.fetch.per_host > 0,
            "a URL can be read");
    require(!chosen.prune_age || chosen.prune_age->count() > 0, "--prune-states is a time");
}

void require_within_ranges(const tool::top_command& chosen) {
    require_size(chosen.input.max_size);
    require(chosen.folders.empty() != chosen.list.empty(), "there are deltas");
    require(chosen.top >= 0 && chosen.functions >= 0 && chosen.depth >= 0,
            "--top, --functions and --depth are numbers");
    require(chosen.asked.alpha > 0 && chosen.asked.alpha < 1 && chosen.asked.min_change >= 0,
            "--alpha is a chance, and --min-change a part");
    require(chosen.since.count() > 0 && (!chosen.ago || chosen.ago->count() > 0) &&
                (!chosen.until || *chosen.until > 0),
            "the times are times");
}

void require_within_ranges(const tool::export_command& chosen) {
    require_size(chosen.input.max_size);
    require(!chosen.files.empty() && (chosen.format == "ndjson" || chosen.files.size() <= 2),
            "there are as many profiles as a format takes");
}

void require_within_ranges(const tool::info_command& chosen) {
    require_size(chosen.input.max_size);
    require(!chosen.files.empty(), "there is a file to tell of");
}

} // namespace

FUZZ_TARGET(command_line, data, size) {
    // What --help and --version print.
    static const bool is_silent = std::freopen("/dev/null", "w", stdout) != nullptr;
    require(is_silent, "standard output is out of the way");
    std::vector<std::string> words{"pprofdelta"};
    std::string_view rest{reinterpret_cast<const char*>(data), size};
    constexpr std::size_t most_words = 64;
    while (!rest.empty() && words.size() < most_words) {
        // No argument can have a zero byte.
        const std::size_t end =
            std::min(rest.find_first_of(std::string_view{"\n\0", 2}), rest.size());
        words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (const auto chosen = parse(std::move(words))) {
        std::visit([](const auto& command) { require_within_ranges(command); }, *chosen);
    }
    return 0;
}
