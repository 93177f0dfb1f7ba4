package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// What moves data between lanes and memory, and is seldom seen.
final class MovementKernel {
    private static final int LANES = 32;
    private static final int TILE = 16 * LANES;

    private MovementKernel() {}

    /// The half of a lane's register that holds an element of a matrix (PTX ISA 9.7.14.5.16).
    private static short element(ByteBuffer in, int matrix, int row, int column) {
        return in.getShort(16 * (4 * row + column / 2) + 4 * matrix + 2 * (column % 2));
    }

    static RareKernel kernel() {
        int outputs = 10 * TILE;
        ByteBuffer before = RareKernel.zeros(outputs + 64 * LANES);
        SplittableRandom random = new SplittableRandom(10);
        for (int i = 0; i < TILE; i += 4) {
            before.putInt(i, random.nextInt());
        }
        ByteBuffer after = RareKernel.copy(before);
        int tile = TILE;
        for (boolean transposed : new boolean[] {false, true}) {
            for (int matrices : new int[] {1, 2, 4}) {
                for (int i = 0; i < 64 * matrices; i++) {
                    int row = i / 8 % 8;
                    int column = i % 8;
                    after.putShort(
                            tile + 2 * i,
                            transposed
                                    ? element(before, i / 64, column, row)
                                    : element(before, i / 64, row, column));
                }
                tile += TILE;
            }
        }
        for (int lane = 0; lane < LANES; lane++) {
            copies(before, after, tile, lane);
            results(before, after, outputs + 64 * lane, lane);
        }
        return new RareKernel("rare-movement", 1, LANES, before, after);
    }

    private static void copy(
            ByteBuffer from, ByteBuffer to, int lane, int at, int bytes, int read) {
        for (int i = 0; i < bytes; i++) {
            to.put(at + i, i < read ? from.get(16 * lane + i) : 0);
        }
    }

    private static void copies(ByteBuffer before, ByteBuffer after, int tile, int lane) {
        int at = tile + 16 * lane;
        copy(before, after, lane, at, 4, 3);
        after.putInt(at + 4, -1);
        copy(before, after, lane, at + 8, 8, lane % 8);
        copy(before, after, lane, at + TILE, 16, lane % 16);
        copy(before, after, lane, at + 2 * TILE, 16, lane % 2 == 1 ? 0 : 16);
    }

    private static void results(ByteBuffer before, ByteBuffer after, int at, int lane) {
        int in = 16 * lane;
        boolean odd = lane % 2 == 1;
        after.putInt(at, before.getInt(16 * (lane ^ 5)));
        after.putInt(at + 4, before.getInt(16 * (lane ^ 5)));
        // The manual leaves open who leads; on an H200 it is the first.
        after.putInt(at + 8, lane == 0 ? 100 : 0);
        after.putInt(at + 12, lane < 21 ? 7 : lane == 21 ? 121 : 21);
        int r1 = before.getInt(in);
        int r2 = before.getInt(in + 4);
        after.putInt(at + 16, r1 & r2 & lane);
        after.putInt(at + 20, (r1 & r2 & lane) != 0 || odd ? 1 : 0);
        // 0xe2 is b where a, else c: 0xf0 is a, 0xcc b, 0xaa c.
        int a = r1 & 1;
        int selected = 0;
        for (int bit = 0; bit < 32; bit++) {
            int index = (a >>> bit & 1) << 2 | (r2 >>> bit & 1) << 1 | lane >>> bit & 1;
            selected |= (0xe2 >>> index & 1) << bit;
        }
        after.putInt(at + 24, selected != 0 && odd ? 1 : 0);
        after.putInt(at + 32, before.getInt(in + 12));
        after.putInt(at + 36, before.getInt(in + 8));
        after.putInt(at + 40, r2);
        after.putInt(at + 44, r1);
        after.putInt(at + 48, 16);
        after.putInt(at + 52, 2);
    }
}
