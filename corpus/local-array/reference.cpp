#include "case.h"

int main() {
    const int threads = 64, length = 40;
    Random random{56};
    auto programs = random.integers<uint8_t>(threads * length, 0, 255);
    auto inputs = random.integers<int32_t>(32, -99, 99);
    std::vector<int32_t> results;
    for (int thread = 0; thread < threads; thread++) {
        std::vector<uint32_t> stack, places{0, 1, 2, 3, 4, 5, 6, 7};
        for (int i = 0; i < length; i++) {
            size_t operation = programs[thread * length + i] % 8, operand = programs[thread * length + i] / 8, top = stack.size();
            if (operation < 3) {
                if (top < 16) stack.push_back(uint32_t(inputs[operand]));
            } else if (operation < 5) {
                if (top > 1) {
                    uint32_t last = stack.back();
                    stack.pop_back();
                    stack.back() = operation == 3 ? stack.back() + last : stack.back() * last;
                }
            } else if (operation == 5) {
                if (top > 0) stack.back() = -stack.back();
            } else if (operation == 6) {
                if (top > operand) stack[top - 1] ^= stack[top - 1 - operand];
            } else {
                std::swap(places[operand % 8], places[operand / 8]);
            }
        }
        uint32_t result = 0;
        for (uint32_t word : stack) result = result * 7 + word;
        for (uint32_t place : places) result = result * 7 + place;
        results.push_back(int32_t(result));
    }
    Case("local_array").block(threads).in("programs", programs, {threads, length}).in("inputs", inputs).poison<int32_t>("results", {threads}).s32(length)
        .expect("results", results).write();
}
