package dev.heddle.conformance.kernels;

import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Writes groups of `wgmma` over two regions of shared memory of 4,096 bytes each.
///
/// @param random what is drawn from
/// @param line takes the instructions
record WgmmaWriter(RandomGenerator random, Consumer<String> line) {
    /// Bytes along k of an instruction's operand, and rows of A.
    private static final int K_BYTES = 32;

    private static final int ROWS_A = 64;
    private static final int REGION = 4096;

    /// Types of d, a and b, the k of a dense instruction and the registers of the accumulators.
    private static final List<Form> FORMS =
            List.of(
                    new Form("f32.f16.f16", 16, "%f"),
                    new Form("f32.bf16.bf16", 16, "%f"),
                    new Form("f32.tf32.tf32", 8, "%f"),
                    new Form("f32.e4m3.e5m2", 32, "%f"),
                    new Form("f16.f16.f16", 16, "%w"),
                    new Form("f16.e5m2.e4m3", 32, "%w"),
                    new Form("s32.s8.u8", 32, "%s"),
                    new Form("s32.u8.u8.satfinite", 32, "%s"));

    /// Metadata in which every chunk names two different elements, the lower first.
    private static final List<String> METADATA =
            List.of("0x44444444", "0xeeeeeeee", "0x4e4e4ee4", "0xee44e4e4");

    private record Form(String types, int k, String accumulators) {
        boolean isInteger() {
            return accumulators.equals("%s");
        }

        boolean hasTransposes() {
            return types.endsWith("16");
        }

        /// So many of n columns a thread holds.
        int registers(int n) {
            return accumulators.equals("%w") ? n / 4 : n / 2;
        }
    }

    /// A group on the regions at these offsets, waited for.
    void group(int a, int b) {
        Form form = FORMS.get(random.nextInt(FORMS.size()));
        int count = 1 + random.nextInt(3);
        int n = 8 << random.nextInt(3);
        boolean pauses = random.nextInt(3) == 0;
        line.accept("setp.%s.u32 %%scale, 0, 0;".formatted(random.nextInt(4) == 0 ? "ne" : "eq"));
        line.accept("wgmma.fence.sync.aligned;");
        for (int i = 0; i < count; i++) {
            multiply(form, n, a, b);
            if (pauses) {
                line.accept("wgmma.commit_group.sync.aligned;");
            }
        }
        line.accept("wgmma.commit_group.sync.aligned;");
        if (pauses) {
            line.accept("wgmma.wait_group.sync.aligned 1;");
            line.accept("add.u32 %h, %h, 1;");
        }
        line.accept("wgmma.wait_group.sync.aligned 0;");
    }

    private void multiply(Form form, int n, int a, int b) {
        boolean sparse = random.nextInt(4) == 0;
        boolean registers = random.nextInt(3) == 0;
        if (!registers) {
            descriptor("%da", a, ROWS_A, K_BYTES);
        }
        descriptor("%db", b, n, sparse ? 2 * K_BYTES : K_BYTES);
        if (sparse) {
            line.accept("mov.b32 %%e, %s;".formatted(METADATA.get(random.nextInt(4))));
        }
        String d =
                IntStream.range(0, form.registers(n))
                        .mapToObj(i -> form.accumulators() + i)
                        .collect(Collectors.joining(",", "{", "}"));
        String scales =
                form.isInteger()
                        ? ""
                        : ", %d, %d"
                                .formatted(
                                        random.nextBoolean() ? 1 : -1,
                                        random.nextBoolean() ? 1 : -1);
        String transposes = !form.hasTransposes() ? "" : registers ? ", 0" : ", 0, 0";
        line.accept(
                "wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s %s, %s, %%db%s, %%scale%s%s;"
                        .formatted(
                                sparse ? ".sp" : "",
                                n,
                                sparse ? 2 * form.k() : form.k(),
                                form.types(),
                                d,
                                registers ? "{%a0,%a1,%a2,%a3}" : "%da",
                                sparse ? ", %e, 0" : "",
                                scales,
                                transposes));
    }

    /// Rows of a region, swizzled or as core matrices of eight rows of 16 bytes.
    ///
    /// @param along bytes of a row that the instruction reads
    private void descriptor(String register, int region, int rows, int along) {
        int swizzle = 32 << random.nextInt(4);
        if (swizzle < along || swizzle > 128 || rows * swizzle > REGION) {
            plain(register, region, along);
            return;
        }
        long mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
        int step = along * random.nextInt(swizzle / along);
        write(register, region + step, 1L << 16 | (long) swizzle * 8 >> 4 << 32 | mode << 62);
    }

    private void plain(String register, int region, int along) {
        long wide = along / 16 * 128L;
        write(register, region, 128L >> 4 << 16 | wide >> 4 << 32);
    }

    private void write(String register, int offset, long fields) {
        line.accept("add.u32 %%x, %%t, %d;".formatted(offset));
        line.accept("bfe.u32 %x, %x, 4, 14;");
        line.accept("cvt.u64.u32 %s, %%x;".formatted(register));
        line.accept("or.b64 %s, %s, 0x%x;".formatted(register, register, fields));
    }
}
