// Stands in for what flash_api.cpp of FlashAttention-2 uses of PyTorch in its forward function:
// tensors of device memory with sizes and strides, and checks. Views are made where PyTorch makes
// them; what would need a copy ends the program.
#pragma once
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <vector>

#define C10_CUDA_CHECK(call) torch::require((call), #call)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define TORCH_CHECK(condition, ...) \
    do { \
        if (!(condition)) torch::refuse(#condition, ##__VA_ARGS__); \
    } while (0)

namespace torch {
inline void require(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
    }
}

template <typename... Words> void refuse(const char *condition, const Words &...words) {
    std::ostringstream text;
    (text << ... << words);
    throw std::runtime_error(sizeof...(words) ? text.str() : condition);
}

enum Type { kFloat16, kBFloat16, kFloat32, kInt64 };
enum Device { kCUDA };
using IntArrayRef = std::vector<int64_t>;

struct TensorOptions {
    Type type = kFloat32;
    TensorOptions dtype(Type t) const { return {t}; }
    TensorOptions device(Device) const { return *this; }
};

struct Tensor {
    std::shared_ptr<void> storage;
    Type type = kFloat32;
    IntArrayRef shape, strides;

    Type dtype() const { return type; }
    bool is_cuda() const { return true; }
    Device device() const { return kCUDA; }
    TensorOptions options() const { return {type}; }
    void *data_ptr() const { return storage.get(); }
    const IntArrayRef &sizes() const { return shape; }
    int64_t size(int i) const { return shape[i < 0 ? i + shape.size() : i]; }
    int64_t stride(int i) const { return strides[i < 0 ? i + strides.size() : i]; }
    int64_t dim() const { return shape.size(); }
    int64_t bytes() const {
        int64_t n = type == kInt64 ? 8 : type == kFloat32 ? 4 : 2;
        for (int64_t s : shape) n *= s;
        return n;
    }

    static IntArrayRef packed(const IntArrayRef &shape) {
        IntArrayRef strides(shape.size());
        int64_t n = 1;
        for (int i = int(shape.size()) - 1; i >= 0; i--) {
            strides[i] = n;
            n *= shape[i];
        }
        return strides;
    }
    bool is_contiguous() const {
        IntArrayRef packed = Tensor::packed(shape);
        for (size_t i = 0; i < shape.size(); i++) {
            if (shape[i] != 1 && strides[i] != packed[i]) return false;
        }
        return true;
    }
    Tensor reshape(const IntArrayRef &to) const {
        TORCH_CHECK(is_contiguous(), "a reshape that would copy");
        return {storage, type, to, packed(to)};
    }
    Tensor transpose(int i, int j) const {
        Tensor result = *this;
        std::swap(result.shape[i], result.shape[j]);
        std::swap(result.strides[i], result.strides[j]);
        return result;
    }
    void zero_() { require(cudaMemset(data_ptr(), 0, bytes()), "zero_"); }
    void fill_(float) { TORCH_CHECK(false, "fill_ is not here"); }
};

inline Tensor empty(const IntArrayRef &shape, TensorOptions options) {
    Tensor result{nullptr, options.type, shape, Tensor::packed(shape)};
    void *at = nullptr;
    require(cudaMalloc(&at, result.bytes()), "empty");
    result.storage = std::shared_ptr<void>(at, [](void *p) { cudaFree(p); });
    return result;
}

inline Tensor empty_like(const Tensor &other) {
    Tensor result = empty(other.shape, other.options());
    result.strides = other.strides;
    return result;
}
} // namespace torch

namespace at {
using torch::Tensor;
constexpr torch::Type kFloat = torch::kFloat32;
struct PhiloxCudaState {};
namespace cuda {
struct CUDAGuard {
    explicit CUDAGuard(torch::Device) {}
};
struct Stream {
    cudaStream_t stream() const { return nullptr; }
};
inline Stream getCurrentCUDAStream() { return {}; }
namespace philox {
__host__ __device__ inline std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState) { return {0, 0}; }
} // namespace philox
} // namespace cuda
} // namespace at

namespace c10 {
using torch::TensorOptions;
}
