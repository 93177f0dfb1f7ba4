package dev.heddle.vm.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.ScalarType;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.sanitizer.IntegerPropagation.Known;
import dev.heddle.vm.semantics.RegisterHandles;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// Operands of which up to five bits are not known: all values that they may have are tried.
@DisplayName(
        "a bit of an integer result is called defined only where it is the same for all values")
final class IntegerPropagationTest {
    private static final int TRIES = 4_000;

    static Stream<Operation> operations() {
        return Stream.of(ScalarType.U32, ScalarType.S32, ScalarType.U64, ScalarType.S64)
                .flatMap(
                        type ->
                                Stream.of(
                                        Operation.of(OperationKind.ADD, bits(type)),
                                        Operation.of(OperationKind.SUB, bits(type)),
                                        Operation.of(OperationKind.MUL, bits(type)),
                                        Operation.of(OperationKind.MUL, type, Modifier.HI),
                                        Operation.of(OperationKind.DIV, type),
                                        Operation.of(OperationKind.REM, type)));
    }

    private static ScalarType bits(ScalarType type) {
        return type.bits() == 64 ? ScalarType.B64 : ScalarType.B32;
    }

    @ParameterizedTest
    @MethodSource("operations")
    void ofTwo(Operation operation) {
        check(operation, operation.type().bits());
    }

    @ParameterizedTest
    @EnumSource(names = {"U32", "S32"})
    void ofWideProducts(ScalarType type) {
        check(Operation.of(OperationKind.MUL, type, Modifier.WIDE), 64);
    }

    private static void check(Operation operation, int width) {
        Random random = new Random(operation.toString().hashCode());
        long all = width == 64 ? -1 : (1L << width) - 1;
        int defined = 0;
        for (int i = 0; i < TRIES; i++) {
            int bits = operation.type().bits();
            long[] values = {value(random, bits), value(random, bits)};
            long[] open = {open(random, bits), open(random, bits)};
            long varying = varying(operation, values, open);
            long told =
                    all
                            & IntegerPropagation.result(
                                    operation,
                                    Known.of(values[0], open[0]),
                                    Known.of(values[1], open[1]));
            assertThat(varying & ~told)
                    .as("%s of %x?%x and %x?%x", operation, values[0], open[0], values[1], open[1])
                    .isZero();
            defined += (open[0] | open[1]) != 0 && told != all ? 1 : 0;
        }
        assertThat(defined).isGreaterThan(TRIES / 100);
    }

    /// Small numbers, large ones, and those with zeros at their end.
    private static long value(Random random, int bits) {
        long all = bits == 64 ? -1 : (1L << bits) - 1;
        long value = random.nextLong() & all;
        return switch (random.nextInt(4)) {
            case 0 -> value >>> random.nextInt(bits);
            case 1 -> value << random.nextInt(bits) & all;
            case 2 -> value & 15;
            default -> value;
        };
    }

    private static long open(Random random, int bits) {
        long open = 0;
        int reach = random.nextBoolean() ? 6 : bits;
        for (int i = random.nextInt(6); i > 0; i--) {
            open |= 1L << random.nextInt(reach);
        }
        return open;
    }

    /// The bits in which results differ. A division by zero has none.
    private static long varying(Operation operation, long[] values, long[] open) {
        long sometimes = 0;
        long always = -1;
        for (long a : completions(values[0], open[0])) {
            for (long b : completions(values[1], open[1])) {
                if (b != 0 || !operation.dividesIntegers()) {
                    long result = RegisterHandles.apply(operation, a, b);
                    sometimes |= result;
                    always &= result;
                }
            }
        }
        return sometimes & ~always;
    }

    private static List<Long> completions(long value, long open) {
        Stream.Builder<Long> all = Stream.builder();
        long some = 0;
        do {
            all.add(value & ~open | some);
            some = some - open & open;
        } while (some != 0);
        return all.build().toList();
    }
}
