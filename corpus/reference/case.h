// One case of the corpus: the inputs of a kernel, its launch and what a host reference says must come out.
//
// A reference program includes this header, computes the expected values with plain C++ (nothing of Heddle, nothing of CUDA)
// and writes `launch.json` and the `.npy` files into the current folder. Every array is written once; arguments appear in the
// order of the calls.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

using f16 = _Float16;

/// A bf16 number, kept as its sixteen bits.
struct bf16 {
    uint16_t bits = 0;

    bf16() = default;
    bf16(float value) {
        uint32_t word;
        std::memcpy(&word, &value, 4);
        if (value != value) {
            bits = 0x7fff;
        } else {
            bits = uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);   // to nearest, ties to even
        }
    }
    operator float() const {
        uint32_t word = uint32_t(bits) << 16;
        float value;
        std::memcpy(&value, &word, 4);
        return value;
    }
};

/// An 8-bit float; exact for the small values that the corpus uses, and refuses every other.
template <int ExponentBits, int MantissaBits>
struct TinyFloat {
    uint8_t bits = 0;

    TinyFloat() = default;
    TinyFloat(float value) {
        for (int candidate = 0; candidate < 1 << (1 + ExponentBits + MantissaBits); candidate++) {
            bits = uint8_t(candidate);
            if (float(*this) == value) {
                return;
            }
        }
        std::fprintf(stderr, "%g is no number of this format\n", value);
        std::exit(1);
    }
    operator float() const {
        int bias = (1 << (ExponentBits - 1)) - 1;
        int exponent = bits >> MantissaBits & ((1 << ExponentBits) - 1);
        int mantissa = bits & ((1 << MantissaBits) - 1);
        float magnitude = exponent == 0 ? std::ldexp(float(mantissa), 1 - bias - MantissaBits)
                                        : std::ldexp(float(mantissa + (1 << MantissaBits)), exponent - bias - MantissaBits);
        return bits >> (ExponentBits + MantissaBits) & 1 ? -magnitude : magnitude;
    }
};
using e4m3 = TinyFloat<4, 3>;
using e5m2 = TinyFloat<5, 2>;
using e2m3 = TinyFloat<2, 3>;
using e3m2 = TinyFloat<3, 2>;
using e2m1 = TinyFloat<2, 1>;

template <typename T> struct Format;
template <> struct Format<double> { static constexpr const char *name = "f64", *npy = "<f8"; };
template <> struct Format<float> { static constexpr const char *name = "f32", *npy = "<f4"; };
template <> struct Format<f16> { static constexpr const char *name = "f16", *npy = "<f2"; };
template <> struct Format<bf16> { static constexpr const char *name = "bf16", *npy = "<u2"; };
template <> struct Format<e4m3> { static constexpr const char *name = "e4m3", *npy = "|u1"; };
template <> struct Format<e5m2> { static constexpr const char *name = "e5m2", *npy = "|u1"; };
template <> struct Format<int64_t> { static constexpr const char *name = "s64", *npy = "<i8"; };
template <> struct Format<uint64_t> { static constexpr const char *name = "u64", *npy = "<u8"; };
template <> struct Format<int32_t> { static constexpr const char *name = "s32", *npy = "<i4"; };
template <> struct Format<uint32_t> { static constexpr const char *name = "u32", *npy = "<u4"; };
template <> struct Format<int16_t> { static constexpr const char *name = "s16", *npy = "<i2"; };
template <> struct Format<uint16_t> { static constexpr const char *name = "u16", *npy = "<u2"; };
template <> struct Format<int8_t> { static constexpr const char *name = "s8", *npy = "|i1"; };
template <> struct Format<uint8_t> { static constexpr const char *name = "u8", *npy = "|u1"; };

/// A seeded generator (splitmix64), the same on every machine.
struct Random {
    uint64_t state;

    uint64_t next() {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    /// An integer of `low..high`, both included.
    int integer(int low, int high) { return low + int(next() % uint64_t(high - low + 1)); }
    /// A number of [low, high) on a grid of 2^-20 of the interval.
    double real(double low, double high) { return low + (high - low) * std::ldexp(double(next() >> 44), -20); }

    template <typename T> std::vector<T> integers(size_t count, int low, int high) {
        std::vector<T> values(count);
        for (T &value : values) value = T(integer(low, high));
        return values;
    }
    template <typename T> std::vector<T> reals(size_t count, double low, double high) {
        std::vector<T> values(count);
        for (T &value : values) value = T(float(real(low, high)));
        return values;
    }
};

class Case {
  public:
    explicit Case(std::string entry, std::string file = "launch.json") : entry(std::move(entry)), file(std::move(file)) {}

    Case &grid(unsigned x, unsigned y = 1, unsigned z = 1) { return set(gridSize, x, y, z); }
    Case &block(unsigned x, unsigned y = 1, unsigned z = 1) { return set(blockSize, x, y, z); }
    Case &cluster(unsigned x, unsigned y = 1, unsigned z = 1) { return set(clusterSize, x, y, z); }
    Case &shared(unsigned bytes) { sharedBytes = bytes; return *this; }
    Case &cooperative() { isCooperative = true; return *this; }
    Case &note(const std::string &text) { noteText = text; return *this; }
    Case &prints(const std::string &text) { printed = text; hasPrinted = true; return *this; }

    template <typename T>
    Case &in(const std::string &name, const std::vector<T> &values, std::vector<size_t> shape = {}) {
        if (shape.empty()) shape = {values.size()};
        save(name + ".npy", Format<T>::npy, values.data(), values.size(), sizeof(T), shape);
        return argument("\"buffer\":\"" + name + "\",\"file\":\"" + name + ".npy\",\"format\":\"" + Format<T>::name + "\"");
    }
    template <typename T> Case &zeros(const std::string &name, std::vector<size_t> shape) { return fresh<T>("zeros", name, shape); }
    template <typename T> Case &poison(const std::string &name, std::vector<size_t> shape) { return fresh<T>("poison", name, shape); }
    template <typename T>
    Case &random(const std::string &name, std::vector<size_t> shape, unsigned seed, int low, int high) {
        std::ostringstream text;
        text << "\"buffer\":\"" << name << "\",\"random\":{\"format\":\"" << Format<T>::name << "\",\"shape\":" << list(shape)
             << ",\"seed\":" << seed << ",\"range\":[" << low << "," << high << "]}";
        return argument(text.str());
    }
    Case &s32(int value) { return argument("\"s32\":" + std::to_string(value)); }
    Case &u32(unsigned value) { return argument("\"u32\":" + std::to_string(value)); }
    Case &s64(long value) { return argument("\"s64\":" + std::to_string(value)); }
    Case &u64(unsigned long value) { return argument("\"u64\":" + std::to_string(value)); }
    Case &f32(float value) { return argument("\"f32\":" + number(value)); }
    Case &f64(double value) { return argument("\"f64\":" + number(value)); }
    Case &bytes(const void *data, size_t count) {
        std::ostringstream hex;
        for (size_t i = 0; i < count; i++) {
            hex << std::hex << std::setw(2) << std::setfill('0') << int(static_cast<const uint8_t *>(data)[i]);
        }
        return argument("\"bytes\":\"" + hex.str() + "\"");
    }
    /// A CUtensorMap (128 bytes of parameter) over a packed buffer, innermost dimension first; `swizzle` in bytes, `more` further fields.
    template <typename T>
    Case &tensorMap(const std::string &name, const std::vector<T> &values, std::vector<size_t> shape, std::vector<size_t> box, int swizzle, const std::string &more = "") {
        save(name + ".npy", Format<T>::npy, values.data(), values.size(), sizeof(T), {shape.rbegin(), shape.rend()});
        return argument("\"tensorMap\":\"" + name + "\",\"file\":\"" + name + ".npy\",\"format\":\"" + Format<T>::name + "\",\"shape\":" + list(shape)
                        + ",\"box\":" + list(box) + ",\"swizzle\":" + std::to_string(swizzle) + more);
    }

    /// A CUtensorMap with all its fields given, over a packed buffer; both shapes have the innermost dimension first.
    template <typename T>
    Case &tensorMapOf(const std::string &name, const std::vector<T> &values, std::vector<size_t> packed, std::vector<size_t> shape, const std::string &fields) {
        save(name + ".npy", Format<T>::npy, values.data(), values.size(), sizeof(T), {packed.rbegin(), packed.rend()});
        return argument("\"tensorMap\":\"" + name + "\",\"file\":\"" + name + ".npy\",\"format\":\"" + Format<T>::name + "\",\"shape\":" + list(shape) + "," + fields);
    }

    template <typename T>
    Case &expect(const std::string &name, const std::vector<T> &values, std::vector<size_t> shape = {}, const std::string &within = "\"exact\"") {
        if (shape.empty()) shape = {values.size()};
        std::string npy = name + ".expected.npy";
        save(npy, Format<T>::npy, values.data(), values.size(), sizeof(T), shape);
        expectations.push_back("{\"buffer\":\"" + name + "\",\"file\":\"" + npy + "\",\"within\":" + within + "}");
        return *this;
    }
    template <typename T> Case &expectUlps(const std::string &name, const std::vector<T> &values, int ulps, std::vector<size_t> shape = {}) {
        return expect(name, values, shape, "{\"ulps\":" + std::to_string(ulps) + "}");
    }
    template <typename T> Case &expectRelative(const std::string &name, const std::vector<T> &values, double bound, std::vector<size_t> shape = {}) {
        return expect(name, values, shape, "{\"relative\":" + number(bound) + "}");
    }


    void write() const {
        std::ofstream out(file);
        out << "{\n  \"entry\": \"" << entry << "\",\n  \"grid\": " << list(gridSize) << ",\n  \"block\": " << list(blockSize)
            << ",\n  \"shared\": " << sharedBytes;
        if (!clusterSize.empty()) out << ",\n  \"cluster\": " << list(clusterSize);
        if (isCooperative) out << ",\n  \"cooperative\": true";
        out << ",\n  \"args\": [" << lines(arguments) << "],\n  \"expect\": [" << lines(expectations) << "]";
        if (hasPrinted) out << ",\n  \"stdout\": \"" << quote(printed) << "\"";
        if (!noteText.empty()) out << ",\n  \"note\": \"" << quote(noteText) << "\"";
        out << "\n}\n";
    }

  private:
    std::string entry, file, noteText, printed;
    bool hasPrinted = false, isCooperative = false;
    std::vector<size_t> gridSize{1, 1, 1}, blockSize{32, 1, 1}, clusterSize;
    unsigned sharedBytes = 0;
    std::vector<std::string> arguments, expectations;

    Case &set(std::vector<size_t> &target, unsigned x, unsigned y, unsigned z) { target = {x, y, z}; return *this; }
    Case &argument(const std::string &text) { arguments.push_back("{" + text + "}"); return *this; }
    template <typename T> Case &fresh(const char *kind, const std::string &name, const std::vector<size_t> &shape) {
        size_t count = sizeof(T);
        for (size_t extent : shape) count *= extent;
        return argument("\"buffer\":\"" + name + "\",\"" + kind + "\":" + std::to_string(count) + ",\"format\":\"" + Format<T>::name
                        + "\",\"shape\":" + list(shape));
    }
    static std::string number(double value) {
        std::ostringstream text;
        text << std::setprecision(17) << value;
        return text.str();
    }
    static std::string list(const std::vector<size_t> &values) {
        std::string text;
        for (size_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
        return "[" + text + "]";
    }
    static std::string lines(const std::vector<std::string> &items) {
        std::string text;
        for (const std::string &item : items) text += (text.empty() ? "\n    " : ",\n    ") + item;
        return text.empty() ? text : text + "\n  ";
    }
    static std::string quote(const std::string &text) {
        std::string quoted;
        for (char c : text) quoted += c == '\n' ? "\\n" : c == '"' ? "\\\"" : c == '\\' ? "\\\\" : std::string(1, c);
        return quoted;
    }
    static void save(const std::string &file, const char *format, const void *data, size_t count, size_t size, const std::vector<size_t> &shape) {
        std::string extents;
        size_t product = 1;
        for (size_t extent : shape) extents += std::to_string(extent) + ", ", product *= extent;
        if (product != count) {
            std::fprintf(stderr, "%s: %zu values for %zu places\n", file.c_str(), count, product);
            std::exit(1);
        }
        if (shape.size() > 1) extents.resize(extents.size() - 2);
        else extents.resize(extents.size() - 1);
        std::string header = std::string("{'descr': '") + format + "', 'fortran_order': False, 'shape': (" + extents + "), }";
        while ((10 + header.size() + 1) % 64 != 0) header += ' ';
        header += '\n';
        std::ofstream out(file, std::ios::binary);
        out << "\x93NUMPY" << char(1) << char(0) << char(header.size() & 255) << char(header.size() >> 8) << header;
        out.write(static_cast<const char *>(data), std::streamsize(count * size));
    }
};

/// C = A * B with integers small enough that every sum is exact; A is m x k by rows, B is k x n by columns (n rows of k).
template <typename D, typename A, typename B>
std::vector<D> multiply(const std::vector<A> &a, const std::vector<B> &b, size_t m, size_t n, size_t k) {
    std::vector<D> d(m * n);
    for (size_t row = 0; row < m; row++) {
        for (size_t column = 0; column < n; column++) {
            double sum = 0;
            for (size_t i = 0; i < k; i++) sum += double(float(a[row * k + i])) * double(float(b[column * k + i]));
            d[row * n + column] = D(sum);
        }
    }
    return d;
}
