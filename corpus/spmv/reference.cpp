#include "case.h"

int main() {
    const int rows = 90, width = 200;
    Random random{78};
    std::vector<int32_t> starts{0}, columns;
    std::vector<double> values, x, y;
    for (int i = 0; i < width; i++) x.push_back(random.real(-1, 1));
    for (int row = 0; row < rows; row++) {
        double lanes[8] = {};
        int length = random.integer(0, 30);
        for (int i = 0; i < length; i++) {
            columns.push_back(random.integer(0, width - 1));
            values.push_back(random.real(-2, 2));
            lanes[i % 8] = std::fma(values.back(), x[size_t(columns.back())], lanes[i % 8]);
        }
        starts.push_back(int(columns.size()));
        y.push_back(((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7])));
    }
    Case("spmv").grid(6).block(128).in("starts", starts).in("columns", columns).in("values", values).in("x", x).poison<double>("y", {rows}).s32(rows)
        .expect("y", y).note("the reference adds in the kernel's order").write();
}
