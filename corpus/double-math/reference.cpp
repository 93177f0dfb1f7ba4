#include "case.h"

int main() {
    const size_t count = 96;
    Random random{72};
    std::vector<double> values(count), functions, exact;
    for (double &value : values) value = random.real(-6, 6);
    for (double x : values) {
        double positive = std::fabs(x) + 0.001;
        for (double result : {std::exp(x), std::log(positive), std::sin(x), std::cos(x * 1e5), std::pow(positive, 1.7), std::cbrt(x), std::erf(x), std::atan2(x, 0.7),
                              std::sinh(x), std::hypot(x, 3.0), std::exp2(x), std::log1p(positive), std::tan(x), double(1 / sqrtl(positive))}) {
            functions.push_back(result);
        }
        for (double result : {std::sqrt(positive), 1 / positive, x / 3.7, std::fma(x, x, -positive), std::fmod(x * 100, 7.25),
                              std::rint(x * 10) + std::floor(x) + std::trunc(x * 3) + std::ceil(-x)}) {
            exact.push_back(result);
        }
    }
    Case("double_math").grid(3).block(32).in("values", values).poison<double>("functions", {count, 14}).poison<double>("exact", {count, 6}).s32(count)
        .expectUlps("functions", functions, 4, {count, 14}).expect("exact", exact, {count, 6})
        .note("functions: against the C library, whose results are within one ulp of the true ones; exact: correctly rounded on both sides").write();
}
