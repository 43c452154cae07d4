// SPDX-License-Identifier: Apache-2.0
#include "output/forms.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include <unistd.h>

#include <pprofdelta/otlp_profile.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

std::string fitted(std::size_t max_bytes,
                   const std::function<std::string(std::optional<std::size_t>)>& make) {
    std::string whole = make({});
    if (max_bytes == 0 || whole.size() <= max_bytes) {
        return whole;
    }
    std::string best = make(0);
    if (best.size() > max_bytes) {
        wrong_usage("--max-bytes " + std::to_string(max_bytes) +
                    ": even without rows, the output has " + std::to_string(best.size()) +
                    " bytes");
    }
    constexpr std::size_t least_of_row = 8; // in bytes
    std::size_t fits = 0;
    std::size_t too_many = max_bytes / least_of_row + 1;
    while (too_many - fits > 1) {
        const std::size_t middle = fits + (too_many - fits) / 2;
        std::string text = make(middle);
        if (text.size() <= max_bytes) {
            fits = middle;
            best = std::move(text);
        } else {
            too_many = middle;
        }
    }
    return best;
}

std::string output_form::next_line(const command_list& next) const {
    // Such characters need no quotes in a shell.
    const auto is_plain = [](char c) {
        return is_in_word(c) || std::string_view{"-./,:=+@%"}.find(c) != std::string_view::npos;
    };
    const auto quoted = [&](const std::string& word) {
        if (!word.empty() && std::ranges::all_of(word, is_plain)) {
            return word;
        }
        std::string text = "'";
        for (const char c : printable(word)) {
            text += c == '\'' ? "'\\''" : std::string(1, c);
        }
        return text + "'";
    };
    return max_bytes == 0 || next.empty() ? ""
                                          : "next: " + joined(next.front(), " ", quoted) + "\n";
}

std::size_t output_form::width() const { return file.empty() ? standard_output_width() : 0; }

bool output_form::has_colors() const {
    const char* const no_color = ::secure_getenv("NO_COLOR");
    const bool is_wanted = width() != 0 && (no_color == nullptr || *no_color == '\0');
    return colors == color::always || (colors == color::automatic && is_wanted);
}

std::string output_form::in_words(document content, std::optional<std::size_t> most_rows,
                                  const std::string& next) const {
    const std::string bound = ", for --max-bytes " + std::to_string(max_bytes) + "\n";
    const auto written = [&](const std::string& last_line) {
        return (format == form::markdown ? as_markdown(content)
                                         : as_text(content, width(), has_colors())) +
               last_line;
    };
    const std::string next_line = format == form::text ? next : "";
    if (!most_rows) {
        return written(next_line);
    }
    const std::string last_line =
        "\nAt most " + counted(*most_rows, "row") + " of each table" + bound;
    std::string text = written(last_line);
    if (*most_rows == 0 && text.size() > max_bytes && !content.findings.empty()) {
        content.types.clear();
        content.totals = {};
        content.notes.clear();
        content.notes_below.clear();
        text = written("");
        text += (text.ends_with("\n\n") ? "The summary alone" : "\nThe summary alone") + bound;
    }
    return *most_rows != 0 || text.size() + next_line.size() <= max_bytes ? text + next_line : text;
}

bool output_form::is_beside_errors() const { return file.empty() && standard_outputs_are_one(); }

void profile_output::refuse_terminal() const {
    if (file.empty() && !force && ::isatty(STDOUT_FILENO) != 0) {
        throw failure{exit_status::usage, "refusing to write a profile to a terminal: redirect it, "
                                          "use -o FILE, or force it with -f"};
    }
}

std::string profile_output::encoded(std::string profile, bool is_delta, std::string& lost) const {
    if (format == profile_format::otlp) {
        std::string otlp;
        const otlp_losses losses = with_file_context(
            "the output", [&] { return write_otlp_profile(profile, otlp, is_delta); });
        profile = std::move(otlp);
        for (const auto& [count, what] :
             {std::pair{losses.changed_strings, "names that are not UTF-8"},
              {losses.changed_labels, "labels with both text and number, or with several units"},
              {losses.unknown_fields, "unknown fields"}}) {
            if (count != 0) { // of several the gravest, which comes last
                lost = std::string{"OTLP cannot hold "} + what + " (" + std::to_string(count) + ")";
            }
        }
    }
    if (compress == codec::none) {
        return profile;
    }
    return encode(profile, compress, level);
}

void trim_delta(const trim_options& kept, match_mode match, std::string& delta,
                delta_summary& summary) {
    if (!kept.are_empty()) {
        profile_sum only{{.match = match, .trim = kept}};
        only.add(delta);
        summary.samples_kept = only.write(delta).samples_out;
    }
}

std::string none_left_text(std::size_t before, std::size_t after) {
    return before != 0 && after == 0
               ? "the filters match none of the " + std::to_string(before) + " samples"
               : "";
}

} // namespace pprofdelta::tool
