package dev.heddle.tensorcore.x86;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Numbers in vectors and masks, and code of [Avx2Assembler] that is run on them.
abstract class Avx2Vectors {
    static final long SEED = 20261123;
    static final int[] CORNERS = {0, 1, -1, 31, 32, 33, Integer.MIN_VALUE, 0x7fff_ffff};

    // Vectors in registers and in memory.
    static final int A = 2;
    static final int B = 20;

    final Random random = new Random(SEED);
    final int[] a = words();
    final int[] b = words();
    final int[] old = words();
    final int[] result = new int[16];
    final int[] masks = {random.nextInt(), 0};

    int[] words() {
        int[] words = random.ints(16).toArray();
        for (int i = 0; i < 6; i++) {
            words[random.nextInt(16)] = CORNERS[random.nextInt(CORNERS.length)];
        }
        return words;
    }

    /// A number that is no NaN and far from the ends, from any bits.
    static float f(int bits) {
        return bits / 16f;
    }

    /// Runs code with [#a] and [#b] in vectors A and B and the mask of a test in mask register 2.
    /// The target holds [#old] before and [#result] receives it; the second of the masks receives
    /// mask register 3.
    void run(int target, Consumer<Avx2Assembler> body) {
        Avx2Assembler code = new Avx2Assembler();
        code.enter();
        code.vector(Evex.VMOVDQU32, A, 0, Operand.at(Assembler.RDI, 0));
        code.vector(Evex.VMOVDQU32, B, 0, Operand.at(Assembler.RSI, 0));
        code.vector(Evex.VMOVDQU32, target, 0, Operand.at(Assembler.RDX, 0));
        code.move(Assembler.RAX, Operand.at(Assembler.R8, 0));
        code.maskFrom(2, Assembler.RAX);
        body.accept(code);
        code.maskTo(Assembler.RAX, 3);
        code.store(Operand.at(Assembler.R8, 4), Assembler.RAX);
        code.vector(Evex.VMOVDQU32_STORE, target, 0, Operand.at(Assembler.RCX, 0));
        code.leave();
        code.zeroUpper();
        code.ret();
        MemorySegment masks = MemorySegment.ofArray(this.masks);
        ExecutableMemory.of(code.finish())
                .call(
                        MemorySegment.ofArray(a),
                        MemorySegment.ofArray(b),
                        MemorySegment.ofArray(old),
                        MemorySegment.ofArray(result),
                        masks,
                        masks);
    }

    static long lane(int[] words, int lane) {
        return (long) words[2 * lane + 1] << 32 | words[2 * lane] & 0xffff_ffffL;
    }

    boolean set(int lane) {
        return (masks[0] >>> lane & 1) != 0;
    }

    static int[] each(IntUnaryOperator lane) {
        return IntStream.range(0, 16).map(lane).toArray();
    }
}
