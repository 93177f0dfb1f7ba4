package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// Matrices of small integers, whose products and sums every type holds exactly, against sums in
/// `long`.
@DisplayName("PTX ISA 9.7.14.4: wmma")
final class WmmaTest {

    /// A product.
    ///
    /// @param shape as PTX writes it
    /// @param type of A and B
    /// @param sum of C
    /// @param to of D
    /// @param a registers of its fragment
    /// @param b registers of its fragment
    /// @param layouts of A, B, C and D
    record Case(String shape, String type, String sum, String to, int a, int b, String layouts) {
        Case(String shape, String type, String sum, int a, int b, String layouts) {
            this(shape, type, sum, sum, a, b, layouts);
        }

        /// Registers of an accumulator of this type, as the manual counts them.
        int accumulator(String of) {
            int elements = size('m') * size('n') / 32;
            return of.equals("f16") ? elements / 2 : elements;
        }

        int size(char of) {
            String[] sizes = shape.substring(1).split("[nk]");
            return Integer.parseInt(sizes[of == 'm' ? 0 : of == 'n' ? 1 : 2]);
        }

        String layout(int matrix) {
            return layouts.charAt(matrix) == 'r' ? "row" : "col";
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String layouts : new String[] {"rcrr", "rrcc", "ccrc", "crcr"}) {
            for (String shape : new String[] {"m16n16k16", "m32n8k16", "m8n32k16"}) {
                int a = shape.equals("m16n16k16") ? 2 : shape.equals("m32n8k16") ? 4 : 1;
                int b = shape.equals("m16n16k16") ? 2 : shape.equals("m32n8k16") ? 1 : 4;
                cases.add(new Case(shape, "f16", "f32", 8, 8, layouts));
                cases.add(new Case(shape, "f16", "f16", 8, 8, layouts));
                cases.add(new Case(shape, "f16", "f32", "f16", 8, 8, layouts));
                cases.add(new Case(shape, "f16", "f16", "f32", 8, 8, layouts));
                cases.add(new Case(shape, "bf16", "f32", 2 * a, 2 * b, layouts));
                cases.add(new Case(shape, "s8", "s32", a, b, layouts));
                cases.add(new Case(shape, "u8", "s32", a, b, layouts));
            }
            cases.add(new Case("m16n16k8", "tf32", "f32", 4, 4, layouts));
            cases.add(new Case("m8n8k4", "f64", "f64", 1, 1, layouts));
        }
        cases.add(new Case("m8n8k32", "s4", "s32", 1, 1, "rcrr"));
        cases.add(new Case("m8n8k32", "u4", "s32", 1, 1, "rccr"));
        cases.add(new Case("m8n8k128", "b1", "s32", 1, 1, "rcrc"));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void multiplies(Case test) {
        SplittableRandom random = new SplittableRandom(7);
        int m = test.size('m');
        int n = test.size('n');
        int k = test.size('k');
        int least = test.type().startsWith("u") || test.type().equals("b1") ? 0 : -3;
        int bound = test.type().equals("b1") ? 2 : 4;
        int[][] a = matrix(random, m, k, least, bound);
        int[][] b = matrix(random, k, n, least, bound);
        int[][] c = matrix(random, m, n, -9, 9);
        int[][] expected = new int[m][n];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                expected[i][j] = c[i][j];
                for (int l = 0; l < k; l++) {
                    expected[i][j] +=
                            test.type().equals("b1") ? a[i][l] & b[l][j] : a[i][l] * b[l][j];
                }
            }
        }
        for (Machine machine :
                new Machine[] {Machine.interpreter(), Machine.compiler(new Compilations(0))}) {
            Outcome outcome = run(machine, test, a, b, c);
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.buffer("d")).isEqualTo(bytes(expected, test.to(), test.layout(3)));
            // Three loads, a product, a store, whatever each is made of.
            assertThat(
                            outcome.report().instructions().entrySet().stream()
                                    .filter(each -> each.getKey().startsWith("wmma."))
                                    .mapToLong(Map.Entry::getValue)
                                    .sum())
                    .isEqualTo(5 * 32);
        }
    }

    private static int[][] matrix(
            SplittableRandom random, int rows, int columns, int least, int bound) {
        int[][] matrix = new int[rows][columns];
        for (int[] row : matrix) {
            for (int i = 0; i < columns; i++) {
                row[i] = random.nextInt(least, bound);
            }
        }
        return matrix;
    }

    private static byte[] bytes(int[][] matrix, String type, String layout) {
        int rows = matrix.length;
        int columns = matrix[0].length;
        int bits =
                switch (type) {
                    case "f64" -> 64;
                    case "f16", "bf16" -> 16;
                    case "s8", "u8" -> 8;
                    case "s4", "u4" -> 4;
                    case "b1" -> 1;
                    default -> 32;
                };
        ByteBuffer buffer =
                ByteBuffer.allocate(rows * columns * bits / 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int index = 0; index < rows * columns; index++) {
            int value =
                    layout.equals("row")
                            ? matrix[index / columns][index % columns]
                            : matrix[index % rows][index / rows];
            switch (type) {
                case "f64" -> buffer.putDouble(value);
                case "f32", "tf32" -> buffer.putFloat(value);
                case "f16" -> buffer.putShort(Float.floatToFloat16(value));
                case "bf16" -> buffer.putShort((short) (Float.floatToRawIntBits(value) >>> 16));
                case "s32" -> buffer.putInt(value);
                default -> {
                    int at = index * bits / 8;
                    int old = buffer.get(at);
                    int mask = (1 << bits) - 1;
                    buffer.put(at, (byte) (old | (value & mask) << index * bits % 8));
                }
            }
        }
        return buffer.array();
    }

    private static String registers(String name, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("%" + name + i);
        }
        return "{" + String.join(", ", names) + "}";
    }

    private static Outcome run(Machine machine, Case test, int[][] a, int[][] b, int[][] c) {
        boolean wide = test.type().equals("f64");
        String sums = test.sum().equals("f16") ? "b32" : test.sum();
        String results = test.to().equals("f16") ? "b32" : test.to();
        String types =
                test.type().equals("f16")
                        ? "%s.%s".formatted(test.to(), test.sum())
                        : "%1$s.%2$s.%2$s.%1$s".formatted(test.sum(), test.type());
        String d = registers("d", test.accumulator(test.to()));
        String text =
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {
                .reg .b64 %%p<4>;
                .reg .%1$s %%a<8>, %%b<8>;
                .reg .%2$s %%c<8>;
                .reg .%16$s %%d<8>;
                ld.param.u64 %%p0, [a];
                ld.param.u64 %%p1, [b];
                ld.param.u64 %%p2, [c];
                ld.param.u64 %%p3, [d];
                wmma.load.a.sync.aligned.%3$s.%4$s.global.%5$s %6$s, [%%p0];
                wmma.load.b.sync.aligned.%7$s.%4$s.global.%5$s %8$s, [%%p1];
                wmma.load.c.sync.aligned.%9$s.%4$s.global.%10$s %11$s, [%%p2];
                wmma.mma%12$s.sync.aligned.%3$s.%7$s.%4$s.%13$s %14$s, %6$s, %8$s, %11$s;
                wmma.store.d.sync.aligned.%15$s.%4$s.global.%17$s [%%p3], %14$s;
                ret;
                }
                """
                        .formatted(
                                wide ? "f64" : "b32",
                                sums,
                                test.layout(0),
                                test.shape(),
                                test.type(),
                                registers("a", test.a()),
                                test.layout(1),
                                registers("b", test.b()),
                                test.layout(2),
                                test.sum(),
                                registers("c", test.accumulator(test.sum())),
                                test.type().equals("b1") ? ".and.popc" : "",
                                types,
                                d,
                                test.layout(3),
                                results,
                                test.to());
        Kernel kernel = Kernel.of(text, "wmma.ptx", "k");
        byte[] result = bytes(c, test.to(), "row");
        return machine.run(
                kernel,
                Launch.of(
                        new Extent(1, 1, 1),
                        new Extent(32, 1, 1),
                        Argument.buffer("a", bytes(a, test.type(), test.layout(0))),
                        Argument.buffer("b", bytes(b, test.type(), test.layout(1))),
                        Argument.buffer("c", bytes(c, test.sum(), test.layout(2))),
                        Argument.poison("d", result.length)));
    }

    @Test
    @DisplayName("a sum in f32 is rounded to f16 once, to nearest even")
    void aSumIsRoundedOnce() {
        // Every element is 1 + 2^-11 + 2^-16: above the middle between two f16 numbers, while C
        // alone is the middle, which would go to the even one below.
        String text =
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u64 d) {
                .reg .b64 %p0; .reg .b32 %a, %z, %d<4>; .reg .f32 %c;
                ld.param.u64 %p0, [d];
                mov.b32 %a, 0x14001400;
                mov.b32 %z, 0;
                mov.f32 %c, 0f3F801000;
                wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%d0, %d1, %d2, %d3},
                    {%a, %a, %a, %a, %a, %a, %a, %a}, {%a, %a, %a, %a, %a, %a, %a, %a},
                    {%c, %c, %c, %c, %c, %c, %c, %c};
                wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%p0], {%d0, %d1, %d2, %d3};
                ret;
                }
                """;
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            Outcome outcome =
                    machine.run(
                            Kernel.of(text, "wmma.ptx", "k"),
                            Launch.of(
                                    new Extent(1, 1, 1),
                                    new Extent(32, 1, 1),
                                    Argument.poison("d", 512)));
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.shorts("d")).containsOnly((short) 0x3c01);
        }
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.4.3: all lanes name the same address")
    void lanesThatNameDifferentAddresses() {
        Kernel kernel =
                Kernel.of(
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .visible .entry k(.param .u64 a) {
                        .reg .b64 %p<3>;
                        .reg .b32 %a<4>, %t;
                        ld.param.u64 %p0, [a];
                        mov.u32 %t, %tid.x;
                        mul.wide.u32 %p1, %t, 32;
                        add.u64 %p0, %p0, %p1;
                        wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%a0, %a1}, [%p0];
                        ret;
                        }
                        """,
                        "wmma.ptx", "k");
        Outcome outcome =
                Machine.interpreter()
                        .run(
                                kernel,
                                Launch.of(
                                        new Extent(1, 1, 1),
                                        new Extent(32, 1, 1),
                                        Argument.zeros("a", 4096)));
        assertThat(outcome.findings()).hasSize(1);
        assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.WMMA_ADDRESS_DIFFERS);
    }
}
