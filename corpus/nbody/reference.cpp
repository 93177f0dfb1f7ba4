#include "case.h"

int main() {
    const size_t count = 128;
    const float softening = 0.01f;
    auto bodies = Random{80}.reals<float>(count * 4, -1, 1);
    std::vector<float> accelerations;
    for (size_t own = 0; own < count; own++) {
        float sum[3] = {};
        for (size_t other = 0; other < count; other++) {
            float d[3], square = softening;
            for (size_t axis = 3; axis-- > 0;) d[axis] = bodies[other * 4 + axis] - bodies[own * 4 + axis], square = std::fma(d[axis], d[axis], square);
            float inverse = 1 / std::sqrt(square), weight = bodies[other * 4 + 3] * inverse * inverse * inverse;
            for (size_t axis = 0; axis < 3; axis++) sum[axis] = std::fma(d[axis], weight, sum[axis]);
        }
        accelerations.insert(accelerations.end(), {sum[0], sum[1], sum[2], 0});
    }
    Case("nbody").grid(2).block(64).shared(64 * 16).in("bodies", bodies, {count, 4}).poison<float>("accelerations", {count, 4}).s32(count).f32(softening)
        .expect("accelerations", accelerations, {count, 4}).write();
}
