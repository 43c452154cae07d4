// SPDX-License-Identifier: Apache-2.0

// cpp-names allocates from functions whose names take some work to read, and from inlined ones,
// under the heap profiler that it is linked with, as cpp-text is:
//
//     cpp-names STEM       writes STEM*.prev.heap and STEM*.cur.heap

#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../cpp-text/work.hpp"

namespace {

constexpr std::size_t block = 512;

// Not to be left out, nor seen through, by the compiler; what is kept stays in use.
void* volatile last_block;

void keep(std::size_t size) { last_block = std::malloc(size); }

struct hidden {
    [[gnu::noinline]] hidden() { keep(block); }
    [[gnu::noinline]] ~hidden() { keep(block); }
    [[gnu::noinline]] void method(int count) const {
        for (int i = 0; i < count; ++i) {
            keep(block);
        }
    }
};

} // namespace

extern "C" [[gnu::noinline]] void plain_c_function() { keep(block); }

namespace shop {

// Three levels that are inlined into one function.
inline void innermost() { keep(block); }
inline void middle() { innermost(); }
inline void outer() { middle(); }
[[gnu::noinline]] void inlines() {
    outer();
    last_block = nullptr;
}

template <typename Key, typename Value>
class table {
public:
    template <typename Other>
    [[gnu::noinline]] Value add(Key key, Other&& other) {
        keep(block);
        return m_values[key] = static_cast<Value>(other);
    }
    [[gnu::noinline]] bool operator<(const table& /*other*/) const {
        keep(block);
        return last_block == nullptr;
    }
    [[gnu::noinline]] table& operator<<(int /*number*/) {
        keep(block);
        return *this;
    }
    [[gnu::noinline]] Value operator()(const std::function<Value(Key)>& f, Key key) const {
        keep(block);
        return f(key);
    }
    [[gnu::noinline]] Value& operator[](Key key) {
        keep(block);
        return m_values[key];
    }
    [[gnu::noinline]] const table* operator->() const {
        keep(block);
        return this;
    }
    [[gnu::noinline]] explicit operator std::vector<Value>() const {
        keep(block);
        return {};
    }
    static void* operator new(std::size_t size);
    static void operator delete(void* block) { std::free(block); }

private:
    std::map<Key, Value> m_values;
};

template <typename Key, typename Value>
[[gnu::noinline]] void* table<Key, Value>::operator new(std::size_t size) {
    void* const made = std::malloc(size);
    last_block = made;
    return made;
}

template <typename Number>
[[gnu::noinline]] std::vector<Number> several(Number number) {
    keep(block);
    return {number};
}

template <typename Left, typename Right>
[[gnu::noinline]] auto sum(Left left, Right right) -> decltype(left + right) {
    keep(block);
    return left + right;
}

// A function that returns a pointer to one.
template <typename Number>
[[gnu::noinline]] void (*chosen(Number number))(int) {
    keep(block);
    constexpr auto work = [](int count) { keep(block + static_cast<std::size_t>(count)); };
    return number == 0 ? nullptr : +work;
}

struct shape {
    virtual ~shape() = default;
    virtual void draw() const = 0;
};
struct named {
    virtual ~named() = default;
    virtual void name() { keep(block); }
};
struct circle : shape, named {
    [[gnu::noinline]] void draw() const override { keep(block); }
    [[gnu::noinline]] void name() override { keep(block); }
};

[[gnu::noinline]] void local_names(int count) {
    struct local {
        [[gnu::noinline]] static void work() { keep(block); }
    };
    const auto lambda = [count](auto extra) __attribute__((noinline)) {
        keep(block + static_cast<std::size_t>(count) + static_cast<std::size_t>(extra));
    };
    const std::function<void(const std::string&)> function = [&](const std::string& text) {
        keep(text.size());
    };
    local::work();
    lambda(1);
    lambda(1L);
    function(std::string(block, 'x'));
}

} // namespace shop

namespace {

[[gnu::noinline]] void all() {
    plain_c_function();
    hidden{}.method(2);
    shop::inlines();
    shop::local_names(3);
    const std::unique_ptr<shop::table<int, long>> table{new shop::table<int, long>};
    table->add(1, 2);
    table->add(2, 3.0);
    *table << 4;
    (*table)[7] = static_cast<long>(*table < *table);
    (*table)([](int key) { return static_cast<long>(key); }, 5);
    (void)table->operator->();
    (void)static_cast<std::vector<long>>(*table);
    (void)shop::several(std::string(block, 'y'));
    (void)shop::sum(1, 2.0);
    if (auto* const f = shop::chosen(3)) {
        f(4);
    }
    const shop::shape* volatile shape = new shop::circle;
    shape->draw();
    dynamic_cast<shop::named*>(const_cast<shop::shape*>(shape))->name();
    delete shape;
    std::unordered_map<std::string, std::vector<int>> map;
    for (int i = 0; i < 40; ++i) {
        map[std::to_string(i) + std::string(block, 'z')].resize(100);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        return 2;
    }
    const std::string stem = argv[1];
    start_profiler();
    volatile int rounds = 2;
    for (int round = 0; round < rounds; ++round) {
        all();
        dump(stem, round == 0 ? "prev" : "cur");
    }
}
