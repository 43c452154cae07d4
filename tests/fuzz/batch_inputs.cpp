// SPDX-License-Identifier: Apache-2.0
// Bytes taken for what a batch has to do: a letter for its form, a template to the end of the line,
// and a manifest or a list of targets. Refused as wrong usage, or names of series that give each
// series paths of its own, below the template's folder, and one place among shards.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "batch/item_lists.hpp"
#include "batch/series.hpp"
#include "files/path_list.hpp"
#include "fuzz.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

// The result of `make`; nothing if it refuses.
template <typename Make>
auto made_or_refused(Make&& make) -> std::optional<decltype(make())> {
    try {
        return make();
    } catch (const tool::failure& e) {
        require(e.status() == tool::exit_status::usage, "what is refused is wrong usage");
        require(*e.what() != '\0', "a refusal has a reason");
        return std::nullopt;
    }
}

tool::batch_items items_of(char form, std::string_view text) {
    tool::batch_items items;
    if (form == 'j') {
        tool::add_targets(text, "list", {{"/heap", "/allocs?x=1"}, {"job", "__address__"}}, items);
    } else {
        tool::add_manifest(std::string{text}, "list", form == '0', items);
    }
    return items;
}

void require_sound(const tool::batch_items& items, bool are_urls) {
    std::size_t size = 0;
    std::set<std::string_view> names;
    for (const tool::series_items& each : items.series()) {
        require(tool::fault_in_series_name(each.name).empty(), "a series has a name");
        require(names.insert(each.name).second, "a series is there once");
        require(items.find(each.name) == &each, "a series is found by its name");
        require(!each.inputs.empty(), "a series has inputs");
        size += each.inputs.size();
        for (const std::string_view input : each.inputs) {
            require(!input.empty() && !tool::has_credentials(input), "an input can be shown");
            require(!are_urls ||
                        (tool::is_url(input) &&
                         input.find_first_of(" \t\r\n#\"<>\\^`{|}") == std::string_view::npos),
                    "a target has a URL");
        }
    }
    require(size == items.size(), "items are counted");
}

void require_below(std::string_view path, std::string_view folder) {
    require(path.starts_with(folder) && path.size() > folder.size(), "a path is in its folder");
    require(path.find('\0') == std::string_view::npos, "a path has no NUL");
    path.remove_prefix(folder.size());
    require(!path.starts_with('/') || folder.empty(), "a path has no empty component");
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        require(path.substr(0, end) != "..", "a path does not leave its folder");
        path.remove_prefix(std::min(end + 1, path.size()));
    }
}

// Each series with a type of its own, as a type is whatever a profile says.
void require_own_paths(const tool::batch_items& items, const tool::output_template& by) {
    std::set<std::string> paths;
    std::size_t count = 0;
    for (const auto& [number, time] :
         {std::pair{1U, std::int64_t{-1}}, std::pair{1000001U, INT64_MAX}}) {
        for (const tool::series_items& each : items.series()) {
            const std::string path =
                by.path({each.name, time, number, each.inputs.front().substr(0, 300)});
            require_below(path, by.folder());
            paths.insert(path);
            ++count;
        }
    }
    require(paths.size() == count, "each delta has a path of its own");
}

// Takes the items' other shards away.
void require_partition(char form, std::string_view text, std::size_t size) {
    for (const std::uint64_t count : {2U, 3U, 7U}) {
        std::size_t all = 0;
        for (std::uint64_t index = 0; index < count; ++index) {
            tool::batch_items part = items_of(form, text);
            part.keep_shard({index, count});
            require_sound(part, form == 'j');
            all += part.size();
            for (const tool::series_items& each : part.series()) {
                for (std::uint64_t other = 0; other < count; ++other) {
                    require(tool::shard{other, count}.has(each.name) == (other == index),
                            "a series is in one shard");
                }
            }
        }
        require(all == size, "shards have all items");
    }
}

} // namespace

FUZZ_TARGET(batch_inputs, data, size) {
    steering bytes{data, size};
    const char form = static_cast<char>(bytes.byte());
    std::string_view text = bytes.rest();
    const std::string given{text.substr(0, text.find('\n'))};
    text.remove_prefix(std::min(given.size() + 1, text.size()));
    require(tool::fault_in_series_name(tool::series_component(given.substr(0, 66))).empty(),
            "any text can be a component");
    const auto by = made_or_refused([&] { return tool::output_template{given}; });
    const auto items = made_or_refused([&] { return items_of(form, text); });
    if (items) {
        require_sound(*items, form == 'j');
        require_own_paths(*items, by ? *by : tool::output_template{"out/{n}{type}/{series}-{n}"});
        require_partition(form, text, items->size());
    }
    return 0;
}
