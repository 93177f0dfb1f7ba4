// Runs one launch file on a real GPU through the driver and compares what comes out with what the reference expects.
// usage: gpu FOLDER/launch.json KERNEL.ptx [SAVE-TO]     one line of result; exit 1 if anything differs
//
// build: g++ -std=c++17 -O2 -I CUDA/include -o gpu gpu.cpp -lcuda
#include <cuda.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

struct Json {
    enum { NOTHING, NUMBER, TEXT, LIST, OBJECT } kind = NOTHING;
    std::string text;   // of a number too
    std::vector<Json> items;
    std::map<std::string, Json> members;

    bool has(const std::string &name) const { return members.count(name) > 0; }
    const Json &operator[](const std::string &name) const {
        static const Json nothing;
        auto found = members.find(name);
        return found == members.end() ? nothing : found->second;
    }
    double number() const { return std::stod(text); }
};

struct Parser {
    const char *at;

    void skip() { while (*at && std::strchr(" \n\r\t", *at)) at++; }
    bool take(char c) { skip(); return *at == c ? at++, true : false; }
    std::string string() {
        std::string text;
        for (at++; *at != '"'; at++) {
            if (*at == '\\') at++, text += *at == 'n' ? '\n' : *at;
            else text += *at;
        }
        at++;
        return text;
    }
    Json parse() {
        Json json;
        skip();
        if (take('{')) {
            json.kind = Json::OBJECT;
            while (!take('}')) {
                skip();
                std::string name = string();
                take(':');
                json.members[name] = parse();
                take(',');
            }
        } else if (take('[')) {
            json.kind = Json::LIST;
            while (!take(']')) json.items.push_back(parse()), take(',');
        } else if (*at == '"') {
            json.kind = Json::TEXT;
            json.text = string();
        } else {
            json.kind = Json::NUMBER;
            while (*at && !std::strchr(",]} \n", *at)) json.text += *at++;
        }
        return json;
    }
};

static std::string read(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        std::printf("no file %s\n", file.c_str());
        std::exit(2);
    }
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Array {
    std::string type, bytes, header;
};

static Array load(const std::string &file) {
    std::string whole = read(file);
    size_t length = uint8_t(whole[8]) | size_t(uint8_t(whole[9])) << 8;
    Array array;
    array.header = whole.substr(0, 10 + length);
    size_t type = array.header.find("'descr': '") + 10;
    array.type = array.header.substr(type, 3);
    array.bytes = whole.substr(10 + length);
    return array;
}

static void check(CUresult result, const char *what) {
    if (result == CUDA_SUCCESS) return;
    const char *name = "?";
    cuGetErrorName(result, &name);
    std::printf("FAILED %s: %s\n", what, name);
    std::exit(1);
}

static float half(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    float value = exponent == 31 ? (mantissa ? NAN : INFINITY) : exponent == 0 ? std::ldexp(float(mantissa), -24) : std::ldexp(float(mantissa + 1024), exponent - 25);
    return bits >> 15 ? -value : value;
}

/// The value of an element and its place among the numbers of its format, for distances in ulps.
static void element(const Array &array, const char *bytes, size_t i, double &value, int64_t &place) {
    int64_t word = 0;
    if (array.type == "<f8") std::memcpy(&word, bytes + 8 * i, 8), std::memcpy(&value, &word, 8), place = word < 0 ? INT64_MIN - word : word;
    if (array.type == "<f4") {
        int32_t bits;
        float number;
        std::memcpy(&bits, bytes + 4 * i, 4), std::memcpy(&number, &bits, 4);
        value = number, place = bits < 0 ? INT32_MIN - int64_t(bits) : bits;
    }
    if (array.type == "<f2") {
        uint16_t bits;
        std::memcpy(&bits, bytes + 2 * i, 2);
        value = half(bits), place = bits & 0x8000 ? -int64_t(bits & 0x7fff) : bits;
    }
}

struct Buffer {
    CUdeviceptr address;
    size_t size;
};

int main(int count, char **arguments) {
    if (count < 3) return 2;
    std::string file = arguments[1], folder = file.substr(0, file.find_last_of('/') + 1), text = read(file), ptx = read(arguments[2]);
    Parser parser{text.c_str()};
    Json launch = parser.parse();

    check(cuInit(0), "cuInit");
    CUdevice device;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    CUcontext context;
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    char log[4000] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, reinterpret_cast<void *>(sizeof log)};
    CUmodule module;
    CUresult loaded = cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values);
    if (loaded != CUDA_SUCCESS) std::printf("%s\n", log);
    check(loaded, "module");
    CUfunction kernel;
    check(cuModuleGetFunction(&kernel, module, launch["entry"].text.c_str()), "entry");

    std::map<std::string, Buffer> buffers;
    std::vector<std::vector<char>> parameters;
    auto pass = [&](const void *data, size_t size) { parameters.emplace_back(static_cast<const char *>(data), static_cast<const char *>(data) + size); };
    auto allocate = [&](const std::string &name, const char *data, size_t size, int fill) {
        Buffer buffer{0, size};
        check(cuMemAlloc(&buffer.address, size), "memory");
        check(data ? cuMemcpyHtoD(buffer.address, data, size) : cuMemsetD8(buffer.address, uint8_t(fill), size), "copy");
        buffers[name] = buffer;
        return buffer.address;
    };
    for (const Json &argument : launch["args"].items) {
        if (argument.has("tensorMap")) {
            Array array = load(folder + argument["file"].text);
            CUdeviceptr address = allocate(argument["tensorMap"].text, array.bytes.data(), array.bytes.size(), 0);
            cuuint64_t shape[2], pitch[1];
            cuuint32_t box[2], steps[2] = {1, 1};
            for (int i = 0; i < 2; i++) shape[i] = cuuint64_t(argument["shape"].items[i].number()), box[i] = cuuint32_t(argument["box"].items[i].number());
            pitch[0] = array.bytes.size() / shape[1];
            alignas(64) CUtensorMap map;
            if (argument["format"].text != "f16" || argument["swizzle"].number() != 128) return 2;
            check(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, reinterpret_cast<void *>(address), shape, pitch, box, steps,
                                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                  "tensor map");
            pass(&map, sizeof map);
        } else if (argument.has("buffer")) {
            std::string name = argument["buffer"].text;
            CUdeviceptr address;
            if (argument.has("file")) {
                Array array = load(folder + argument["file"].text);
                address = allocate(name, array.bytes.data(), array.bytes.size(), 0);
            } else if (argument.has("zeros")) {
                address = allocate(name, nullptr, size_t(argument["zeros"].number()), 0);
            } else if (argument.has("poison")) {
                address = allocate(name, nullptr, size_t(argument["poison"].number()), 0xcb);
            } else {
                std::printf("skipped: random inputs\n");
                return 0;
            }
            pass(&address, 8);
        } else if (argument.has("s32") || argument.has("u32")) {
            uint32_t value = uint32_t(std::stoll(argument[argument.has("s32") ? "s32" : "u32"].text));
            pass(&value, 4);
        } else if (argument.has("s64") || argument.has("u64")) {
            uint64_t value = argument.has("s64") ? uint64_t(std::stoll(argument["s64"].text)) : std::stoull(argument["u64"].text);
            pass(&value, 8);
        } else if (argument.has("f32")) {
            float value = float(argument["f32"].number());
            pass(&value, 4);
        } else if (argument.has("f64")) {
            double value = argument["f64"].number();
            pass(&value, 8);
        } else if (argument.has("bytes")) {
            std::string hex = argument["bytes"].text;
            std::vector<char> bytes;
            for (size_t i = 0; i < hex.size(); i += 2) bytes.push_back(char(std::stoi(hex.substr(i, 2), nullptr, 16)));
            pass(bytes.data(), bytes.size());
        }
    }

    unsigned size[6], shared = unsigned(launch["shared"].number());
    for (int i = 0; i < 3; i++) size[i] = unsigned(launch["grid"].items[i].number()), size[3 + i] = unsigned(launch["block"].items[i].number());
    std::vector<void *> pointers;
    std::vector<std::vector<char>> aligned(parameters.size());
    for (size_t i = 0; i < parameters.size(); i++) {
        aligned[i].resize(parameters[i].size() + 64);
        char *place = aligned[i].data() + (64 - reinterpret_cast<uintptr_t>(aligned[i].data()) % 64) % 64;
        std::memcpy(place, parameters[i].data(), parameters[i].size());
        pointers.push_back(place);
    }
    // what the kernel prints goes to a file of its own
    std::fflush(stdout);
    char printed_file[] = "/tmp/printed-XXXXXX";
    int printed = mkstemp(printed_file), terminal = dup(1);
    dup2(printed, 1);
    check(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384), "stack");
    CUresult launched = cuLaunchKernel(kernel, size[0], size[1], size[2], size[3], size[4], size[5], shared, nullptr, pointers.data(), nullptr);
    CUresult finished = launched == CUDA_SUCCESS ? cuCtxSynchronize() : launched;
    std::fflush(stdout);
    dup2(terminal, 1);
    check(finished, "launch");

    bool right = true;
    std::ostringstream report;
    for (const Json &expectation : launch["expect"].items) {
        Array expected = load(folder + expectation["file"].text);
        Buffer buffer = buffers[expectation["buffer"].text];
        std::string bytes(buffer.size, 0);
        check(cuMemcpyDtoH(&bytes[0], buffer.address, buffer.size), "copy back");
        if (count > 3) {
            std::ofstream out(std::string(arguments[3]) + "." + expectation["buffer"].text + ".npy", std::ios::binary);
            out << expected.header << bytes;
        }
        report << "  " << expectation["buffer"].text << ": ";
        if (bytes.size() != expected.bytes.size()) {
            report << "sizes differ";
            right = false;
            continue;
        }
        const Json &within = expectation["within"];
        size_t width = size_t(expected.type[2] - '0'), elements = bytes.size() / width, wrong = 0, same = 0, first = 0;
        double furthest = 0;
        for (size_t i = 0; i < elements; i++) {
            bool equal = std::memcmp(&bytes[i * width], &expected.bytes[i * width], width) == 0, good = equal;
            same += equal;
            if (!equal && within.kind == Json::OBJECT) {
                double got, wanted;
                int64_t place, wanted_place;
                element(expected, bytes.data(), i, got, place);
                element(expected, expected.bytes.data(), i, wanted, wanted_place);
                double distance = within.has("ulps") ? std::fabs(double(place - wanted_place)) : std::fabs(got - wanted) / std::fabs(wanted);
                good = distance <= (within.has("ulps") ? within["ulps"].number() : within["relative"].number());
                furthest = distance > furthest || std::isnan(distance) ? distance : furthest;
            }
            if (!good && wrong++ == 0) first = i;
        }
        report << elements << " elements, " << same << " with equal bits";
        if (within.kind == Json::OBJECT) report << ", furthest " << furthest << (within.has("ulps") ? " ulps" : " relative");
        if (wrong > 0) {
            right = false;
            report << ", " << wrong << " WRONG, first at " << first << ": got 0x";
            for (size_t i = width; i-- > 0;) { char text[3]; std::snprintf(text, 3, "%02x", uint8_t(bytes[first * width + i])); report << text; }
            report << " expected 0x";
            for (size_t i = width; i-- > 0;) { char text[3]; std::snprintf(text, 3, "%02x", uint8_t(expected.bytes[first * width + i])); report << text; }
        }
    }
    if (launch.has("stdout")) {
        bool equal = read(printed_file) == launch["stdout"].text;
        right &= equal;
        report << "  stdout " << (equal ? "equal" : "DIFFERS: ") << (equal ? "" : read(printed_file));
    }
    unlink(printed_file);
    std::printf("%s%s\n", right ? "ok" : "DIFFERS", report.str().c_str());
    return right ? 0 : 1;
}
