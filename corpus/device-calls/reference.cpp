#include <numeric>

#include "case.h"

int main() {
    const int count = 50;
    Random random{53};
    auto numbers = random.integers<int32_t>(count, -100, 100);
    auto coefficients = random.reals<float>(5, -1, 1);
    std::vector<int32_t> fractions;
    std::vector<float> polynomial;
    for (int i = 0; i < count; i++) {
        int numerator = numbers[i] * 84 + numbers[i] * 7 % 31 * 60, denominator = 60 * 84, divisor = std::gcd(numerator, denominator);
        for (int number : {numerator / divisor, denominator / divisor, numbers[i] / 17, numbers[i] % 17}) fractions.push_back(number);
        float sum = 0;
        for (float coefficient : coefficients) sum = std::fma(sum, float(numbers[i]) * 0.125f, coefficient);
        polynomial.push_back(i % 3 == 0 ? -sum : sum);
    }
    Case("device_calls").block(64).in("numbers", numbers).in("coefficients", coefficients)
        .poison<int32_t>("fractions", {count, 4}).poison<float>("polynomial", {count}).s32(count)
        .expect("fractions", fractions, {count, 4}).expect("polynomial", polynomial).write();
}
