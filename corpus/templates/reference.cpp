#include "case.h"

static bool prime(unsigned n) {
    for (unsigned i = 2; i < n; i++) if (n % i == 0) return false;
    return n > 1;
}

template <typename T> static void run(const std::string &entry, const std::string &file, const std::string &suffix) {
    const int threads = 32, count = 50;
    auto values = Random{63}.integers<T>(threads + count, 0, 1000000);
    std::vector<unsigned> primes;
    for (unsigned n = 2; primes.size() < 40; n++) if (prime(n)) primes.push_back(n);
    std::vector<T> out;
    for (int thread = 0; thread < threads; thread++) {
        T sum = 0;
        for (int i = 0; i < count; i++) {
            T value = values[thread + i];
            if (sizeof(T) == 8) sum += value * T(primes[i % 40]);
            else sum ^= value << primes[i % 40] % 8;
        }
        out.push_back(4 * values[0] - 4 * values[1] + 4 * T(thread) + count + sum);
    }
    Case kernel(entry, file);
    kernel.block(threads).in("values" + suffix, values).template poison<T>("out" + suffix, {threads}).s32(count).expect("out" + suffix, out).write();
}

int main() {
    run<uint32_t>("_Z9templatesIjEvPKT_PS0_i", "launch.json", "");
    run<int64_t>("_Z9templatesIxEvPKT_PS0_i", "launch-long.json", "_long");
}
