package dev.heddle.cli;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import java.util.List;
import java.util.Random;

/// A matrix with at most two elements other than zero in every four of a row.
final class ConformingMatrix {
    private ConformingMatrix() {}

    /// One of `.f16`, always the same.
    static Tensor of(int rows, int columns) {
        Tensor matrix = Tensor.zeros(FloatFormat.F16, List.of(rows, columns));
        Random random = new Random(3);
        for (int chunk = 0; chunk < rows * columns / 4; chunk++) {
            for (int i = 0; i < 2; i++) {
                matrix.codes().set(chunk * 4L + random.nextInt(4), 1 + random.nextInt(0x7bff));
            }
        }
        return matrix;
    }
}
