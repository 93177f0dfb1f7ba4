#include "case.h"

int main() {
    std::vector<int32_t> values{7, -8, 9, 0xbeef};
    char text[2000];
    int length = 0;
    auto print = [&](const char *format, auto... arguments) { length += std::snprintf(text + length, sizeof text - length, format, arguments...); };
    print("no arguments, a %% sign\n");
    print("%d %i %u %x %X %o %c|%s\n", values[0], values[1], unsigned(values[2]), values[3], values[3], values[3], 'q', "a string");
    print("%lld %llu %llx\n", -123456789012345LL, 18446744073709551615ULL, 0x123456789abcdefULL);
    print("%f %.3f %10.2f|%-10.1f|%e %g\n", 1.5, 2.0 / 3, 3.25, 4.0, 12345.678, 0.0001);
    print("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    for (int i = 0; i < 4; i++) print("values[%d] = %d\n", i, values[i]);
    Case("print").block(32).in("values", values).s32(4).prints(text).write();
}
