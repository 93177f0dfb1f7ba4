#include <algorithm>

#include "case.h"

constexpr size_t BYTES = 256, OPERATIONS = 24, BLOCKS = 4;

template <typename T> static T load(const std::vector<uint8_t> &bytes, size_t at) {
    T value;
    std::memcpy(&value, &bytes[at], sizeof value);
    return value;
}
template <typename T> static void save(std::vector<uint8_t> &bytes, size_t at, T value) { std::memcpy(&bytes[at], &value, sizeof value); }

struct Reduction {
    Random random{442};
    std::vector<uint8_t> in = std::vector<uint8_t>(BLOCKS * OPERATIONS * BYTES), out = std::vector<uint8_t>(OPERATIONS * BYTES), result = out;

    /// Operation i on elements that `draw` gives; the order of the blocks must not matter.
    template <typename T, typename Draw, typename Combine> void run(size_t i, Draw draw, Combine combine) {
        for (size_t at = i * BYTES; at < (i + 1) * BYTES; at += sizeof(T)) {
            T value = draw();
            save(out, at, value);
            for (size_t block = 0; block < BLOCKS; block++) {
                T operand = draw();
                save(in, block * OPERATIONS * BYTES + at, operand);
                value = combine(value, operand);
            }
            save(result, at, value);
        }
    }

    template <typename T> void bits(size_t i) {
        auto draw = [&] { return T(random.next()); };
        run<T>(i, draw, [](T a, T b) { return T(a & b); });
        run<T>(i + 1, draw, [](T a, T b) { return T(a | b); });
        run<T>(i + 2, draw, [](T a, T b) { return T(a ^ b); });
    }
    template <typename T> void extremes(size_t i) {
        auto draw = [&] { return T(random.next()); };
        run<T>(i, draw, [](T a, T b) { return std::min(a, b); });
        run<T>(i + 1, draw, [](T a, T b) { return std::max(a, b); });
    }
    template <typename T> void sum(size_t i) {
        run<T>(i, [&] { return T(float(random.integer(-32, 32))); }, [](T a, T b) { return T(float(a) + float(b)); });
    }
};

int main() {
    Reduction r;
    auto word = [&] { return uint32_t(r.random.next()); };
    r.bits<uint32_t>(0);
    r.bits<uint64_t>(3);
    r.run<uint32_t>(6, word, [](uint32_t a, uint32_t b) { return a + b; });
    r.run<uint32_t>(7, word, [](uint32_t a, uint32_t b) { return a + b; });
    r.run<uint64_t>(8, [&] { return r.random.next(); }, [](uint64_t a, uint64_t b) { return a + b; });
    // far from where they wrap, for any order
    r.run<uint32_t>(9, [&] { return uint32_t(r.random.integer(1000, 1100) * (r.random.integer(0, 3) + 2)); }, [](uint32_t a, uint32_t) { return a; });
    r.run<uint32_t>(10, [&] { return uint32_t(0); }, [](uint32_t a, uint32_t) { return a; });
    for (size_t at = 0; at < BYTES; at += 4) {
        save<uint32_t>(r.out, 9 * BYTES + at, uint32_t(at)), save<uint32_t>(r.out, 10 * BYTES + at, uint32_t(at + 100));
        save<uint32_t>(r.result, 9 * BYTES + at, uint32_t(at + BLOCKS)), save<uint32_t>(r.result, 10 * BYTES + at, uint32_t(at + 100 - BLOCKS));
        for (size_t block = 0; block < BLOCKS; block++) save<uint32_t>(r.in, (block * OPERATIONS + 10) * BYTES + at, 5000);
    }
    r.extremes<uint32_t>(11);
    r.extremes<int32_t>(13);
    r.extremes<uint64_t>(15);
    r.extremes<int64_t>(17);
    r.sum<float>(19);
    r.sum<double>(20);
    r.sum<f16>(21);
    r.run<bf16>(22, [&] { return bf16(float(r.random.integer(-100, 100))); }, [](bf16 a, bf16 b) { return float(a) < float(b) ? a : b; });
    r.sum<bf16>(23);
    Case("bulk_reduce").grid(BLOCKS).block(64).in("in", r.in, {BLOCKS, OPERATIONS, BYTES}).in("out", r.out, {OPERATIONS, BYTES})
        .expect("out", r.result, {OPERATIONS, BYTES}).write();
}
