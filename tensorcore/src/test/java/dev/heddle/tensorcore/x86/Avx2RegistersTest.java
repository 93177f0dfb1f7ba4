package dev.heddle.tensorcore.x86;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

@DisplayName("More vectors than AVX2 has registers for keep what they hold")
final class Avx2RegistersTest {
    private static final int VECTORS = 32;
    private static final int STEPS = 400;
    private static final int NAN = 0x7fff_ffff;

    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode(), "needs AVX2");
    }

    /// Words of all vectors, one vector behind the other.
    private final int[] words = new int[16 * VECTORS];

    private int word(int vector, int lane) {
        return words[16 * vector + lane];
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sumsAmongAllVectorsWithJumpsInBetween(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < words.length; i++) {
            words[i] = random.nextInt(4) == 0 ? 0x7f80_0001 | random.nextInt() : random.nextInt();
        }
        int[] found = words.clone();
        Avx2Assembler code = new Avx2Assembler();
        code.enter();
        for (int vector = 0; vector < VECTORS; vector++) {
            code.vector(Evex.VMOVDQU32, vector, 0, Operand.at(Assembler.RDI, 64 * vector));
        }
        for (int step = 0; step < STEPS; step++) {
            step(code, random);
        }
        for (int vector = 0; vector < VECTORS; vector++) {
            code.vector(Evex.VMOVDQU32_STORE, vector, 0, Operand.at(Assembler.RDI, 64 * vector));
        }
        code.leave();
        code.moveConstant(Assembler.RAX, 0);
        code.zeroUpper();
        code.ret();
        MemorySegment none = MemorySegment.ofArray(new int[1]);
        ExecutableMemory.of(code.finish())
                .call(MemorySegment.ofArray(found), none, none, none, none, none);

        assertThat(found).isEqualTo(words);
    }

    /// One step in code, and in [#words].
    private void step(Avx2Assembler code, Random random) {
        int target = random.nextInt(VECTORS);
        int first = random.nextInt(VECTORS);
        int second = random.nextInt(VECTORS);
        switch (random.nextInt(12)) {
            case 0 -> code.favour(random.nextInt(VECTORS));
            case 1 -> code.favourNone();
            case 2 -> {
                code.replaceNans(false, target, first, code.word(NAN));
                set(target, lane -> isNan(word(first, lane)) ? NAN : word(target, lane));
            }
            case 3, 4 -> skip(code, random.nextBoolean() ? Bits.ANY : Bits.NONE, target, first);
            default -> {
                code.vector(Evex.VPADDD, target, first, Operand.register(second));
                set(target, lane -> word(first, lane) + word(second, lane));
            }
        }
    }

    /// A vector is copied and dropped, and a difference is taken or jumped over by its bits.
    private void skip(Avx2Assembler code, Bits bits, int target, int from) {
        Label on = new Label();
        int copy = (target + 1) % VECTORS;
        boolean any = IntStream.range(0, 16).anyMatch(lane -> word(from, lane) != 0);
        code.vector(Evex.VMOVDQU32, copy, 0, Operand.register(from));
        set(copy, lane -> word(from, lane));
        code.jumpIfVector(bits, copy, on);
        if (any != (bits == Bits.ANY)) {
            set(target, _ -> 0);
        }
        code.vector(Evex.VPXORD, target, target, Operand.register(target));
        code.bind(on);
        code.vector(Evex.VPXORD, copy, copy, Operand.register(copy));
        set(copy, _ -> 0);
    }

    private static boolean isNan(int bits) {
        return Float.isNaN(Float.intBitsToFloat(bits));
    }

    private void set(int vector, IntUnaryOperator value) {
        int[] made = IntStream.range(0, 16).map(value).toArray();
        System.arraycopy(made, 0, words, 16 * vector, 16);
    }
}
