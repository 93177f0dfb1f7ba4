#include "case.h"

using Sizes = std::vector<size_t>;
using Places = std::vector<long>;

/// The unit of 16 bytes, counted within a line of 128, at which PTX ISA 5.5.7 puts a unit of that line.
static size_t unit(size_t line, size_t unit, int swizzle) {
    switch (swizzle) {
        case 32: return unit ^ line % 2;
        case 64: return unit ^ line % 4;
        case 128: return unit ^ line % 8;
        default: return unit;
    }
}

static size_t swizzled(size_t at, int swizzle) { return at / 128 * 128 + unit(at / 128, at / 16 % 8, swizzle) * 16 + at % 16; }

/// Where a row of a box begins in shared memory: rows take the whole span of a swizzle (measured on an H100; the manual does not say).
static size_t placed(size_t at, size_t rowBytes, int swizzle) { return swizzle == 0 ? at : at / rowBytes * size_t(swizzle) + at % rowBytes; }

/// Calls `use(byte of shared memory, index of the element or -1)` for each element of a box.
template <typename Use>
static void forEach(size_t each, const Sizes &shape, const Sizes &box, const Sizes &steps, const Places &start, int swizzle, Use use) {
    Sizes counts;
    size_t total = 1;
    for (size_t axis = 0; axis < box.size(); axis++) {
        counts.push_back((box[axis] + steps[axis] - 1) / steps[axis]);
        total *= counts.back();
    }
    for (size_t i = 0; i < total; i++) {
        size_t rest = i, stride = 1;
        long index = 0;
        bool inside = true;
        for (size_t axis = 0; axis < box.size(); axis++) {
            long at = start[axis] + long(rest % counts[axis] * steps[axis]);
            rest /= counts[axis];
            inside = inside && at >= 0 && at < long(shape[axis]);
            index += at * long(stride);
            stride *= shape[axis];
        }
        use(swizzled(placed(i * each, counts[0] * each, swizzle), swizzle), inside ? index : -1);
    }
}

static size_t product(const Sizes &sizes) {
    size_t result = 1;
    for (size_t size : sizes) result *= size;
    return result;
}

template <typename T>
static void load(const std::string &name, Sizes shape, Sizes box, Places start, int swizzle, Sizes steps = {}, const std::string &more = "", T fill = T{}) {
    Random random{shape[0] * 7 + box[0] + size_t(swizzle)};
    auto values = random.integers<T>(product(shape), 0, 100);
    if (steps.empty()) steps.assign(box.size(), 1);
    size_t count = 1;
    for (size_t axis = 0; axis < box.size(); axis++) count *= (box[axis] + steps[axis] - 1) / steps[axis];
    size_t rowBytes = (box[0] + steps[0] - 1) / steps[0] * sizeof(T), counted = count * sizeof(T);
    std::vector<uint8_t> bytes(swizzle == 0 ? counted : counted / rowBytes * size_t(swizzle));
    forEach(sizeof(T), shape, box, steps, start, swizzle, [&](size_t at, long index) {
        std::memcpy(&bytes[at], index < 0 ? &fill : &values[size_t(index)], sizeof(T));
    });
    Case launch("load" + std::to_string(shape.size()), "launch-" + name + ".json");
    launch.grid(1).block(64).tensorMap(name, values, shape, box, swizzle, more).template poison<uint8_t>("out_" + name, {bytes.size()}).s32(int(counted)).s32(int(bytes.size()));
    for (long place : start) launch.s32(int(place));
    launch.expect("out_" + name, bytes).write();
}

template <typename T, typename Combine>
static void store(const std::string &entry, const std::string &name, Sizes shape, Sizes box, Places start, int swizzle, Combine combine) {
    Random random{product(shape)};
    auto values = random.integers<T>(product(shape), 0, 1000), result = values;
    size_t words = product(box);
    forEach(4, shape, box, Sizes(box.size(), 1), start, swizzle, [&](size_t at, long index) {
        if (index >= 0) result[size_t(index)] = combine(values[size_t(index)], T(int(at / 4 + 1)));
    });
    Case launch(entry, "launch-" + name + ".json");
    launch.grid(1).block(64).tensorMap(name, values, shape, box, swizzle).s32(int(words));
    for (long place : start) launch.s32(int(place));
    launch.expect(name, result, {shape.rbegin(), shape.rend()}).write();
}

int main() {
    load<f16>("plain", {72, 40}, {24, 16}, {8, 5}, 0);
    load<f16>("swizzle_32", {72, 40}, {16, 24}, {16, 3}, 32);
    load<f16>("swizzle_64", {72, 40}, {32, 24}, {8, 0}, 64);
    load<f16>("swizzle_128", {72, 40}, {64, 32}, {0, 4}, 128);
    load<float>("swizzle_f32", {40, 40}, {32, 16}, {4, 20}, 128);
    load<uint8_t>("swizzle_u8", {144, 40}, {128, 16}, {16, 20}, 128);
    load<f16>("outside", {72, 40}, {64, 16}, {40, 30}, 128);
    load<f16>("before", {72, 40}, {64, 16}, {-16, -3}, 128);
    load<f16>("narrow", {72, 40}, {24, 16}, {8, 4}, 64);
    load<uint8_t>("narrow_u8", {144, 40}, {48, 20}, {16, 4}, 128);
    load<float>("behind", {40, 40}, {16, 8}, {100, 60}, 0);
    // Elements outside are NaN: 0x7ff7 in every 16 bits, as an H100 gives them.
    uint32_t nan = 0x7ff77ff7;
    float single;
    f16 half;
    std::memcpy(&single, &nan, 4), std::memcpy(&half, &nan, 2);
    load<float>("nan_f32", {40, 40}, {32, 16}, {32, 35}, 128, {}, ",\"fill\":\"nan\"", single);
    load<f16>("nan_f16", {72, 40}, {64, 16}, {40, 30}, 128, {}, ",\"fill\":\"nan\"", half);
    load<int32_t>("steps", {40, 40}, {16, 15}, {4, 1}, 64, {1, 3}, ",\"elementStrides\":[1,3]");
    load<float>("row", {1000}, {64}, {968}, 0);
    load<f16>("cube", {24, 10, 12}, {16, 5, 4}, {8, 7, -1}, 32);
    load<int32_t>("four", {12, 6, 5, 7}, {8, 4, 3, 2}, {4, 3, 1, 6}, 0);
    load<uint8_t>("five", {48, 5, 4, 3, 6}, {32, 3, 2, 3, 2}, {16, 1, 3, -1, 2}, 32);
    auto keep = [](auto, auto next) { return next; };
    store<uint32_t>("store2", "stored", {40, 30}, {32, 8}, {4, 3}, 128, keep);
    auto add = [](float a, float b) { return a + b; };
    store<float>("add2", "added", {40, 30}, {32, 8}, {4, 3}, 128, add);
    store<uint32_t>("largest2", "largest", {40, 30}, {8, 16}, {4, 3}, 32, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
    store<uint32_t>("either2", "either", {40, 30}, {32, 8}, {4, 3}, 0, [](uint32_t a, uint32_t b) { return a ^ b; });
}
