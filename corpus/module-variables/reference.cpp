#include "case.h"

int main() {
    const int threads = 32;
    int counter = 40, total = 0;
    const int table[2][3] = {{1, -2, 3}, {-4, 5, -6}}, codes[] = {65535, 258}, tags[] = {'a', 'z'};
    for (int i = 0; i < threads; i++) {
        counter += i;
        total += table[i % 2][i % 3] + codes[i % 2] + tags[i % 2];
    }
    std::vector<double> out{double(counter), double(0x0123456789abcdefULL), -2.25f + 1.5f, 1e-3f, 3.4e38f, 4.9406564584124654e-324, 0.1 + -7.25, double(0xcdf0)};
    Case("module_variables").block(threads).poison<double>("out", {8}).zeros<int32_t>("total", {1}).expect("out", out).expect("total", std::vector<int32_t>{total})
        .note("the module's variables change: a second launch needs the module loaded anew").write();
}
