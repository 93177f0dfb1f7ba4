// Calls through pointers: a table of functions in device memory, a pointer chosen per thread, and virtual functions.
// targets: compute_75 compute_80 compute_90a compute_120a
static __device__ int add(int a, int b) { return a + b; }
static __device__ int subtract(int a, int b) { return a - b; }
static __device__ int multiply(int a, int b) { return a * b; }
static __device__ int mix(int a, int b) { return (a ^ b) * 0x9e3779b1; }

using Operation = int (*)(int, int);
__device__ Operation operations[] = {add, subtract, multiply, mix};

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
    int width, height;
    __device__ Rectangle(int width, int height) : width(width), height(height) {}
    __device__ int area() const override { return width * height; }
};

static __device__ __noinline__ int doubled(const Shape &shape) { return 2 * shape.area(); }

extern "C" __global__ void function_pointers(const int *codes, int *results) {
    int i = threadIdx.x;
    int value = i;
    for (int code = codes[i]; code != 0; code /= 4) value = operations[code % 4](value, i + 3);
    Square square(i);
    Rectangle rectangle(i, value & 15);
    const Shape &shape = i % 2 == 0 ? static_cast<const Shape &>(square) : rectangle;
    results[i * 2] = value;
    results[i * 2 + 1] = doubled(shape);
}
