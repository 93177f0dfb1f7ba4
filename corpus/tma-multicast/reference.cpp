#include "case.h"

int main() {
    const size_t columns = 32, rows = 8, ranks = 4, clusters = 3;
    Random random{17};
    auto values = random.integers<int32_t>(columns * rows * ranks * clusters, -1000, 1000);
    std::vector<int32_t> sums(columns * ranks * clusters);
    for (size_t row = 0; row < rows * ranks * clusters; row++) {
        for (size_t column = 0; column < columns; column++) {
            for (size_t rank = 0; rank < ranks; rank++) {
                sums[row / (rows * ranks) * ranks * columns + rank * columns + column] += values[row * columns + column] * int32_t(rank + 1);
            }
        }
    }
    Case("multicast").grid(ranks * clusters).block(columns).cluster(ranks)
        .tensorMap("values", values, {columns, rows * ranks * clusters}, {columns, rows}, 0)
        .poison<int32_t>("sums", {clusters, ranks * columns}).expect("sums", sums, {clusters, ranks * columns}).write();
}
