package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument.TensorMap;
import dev.heddle.vm.Argument.TensorMap.Atomicity;
import dev.heddle.vm.Argument.TensorMap.Box;
import dev.heddle.vm.Argument.TensorMap.Columns;
import dev.heddle.vm.Argument.TensorMap.Fill;
import dev.heddle.vm.Argument.TensorMap.Tile;
import dev.heddle.vm.memory.TensorMap.Field;
import dev.heddle.vm.memory.TensorSwizzle;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;

/// Elements of 4 and 6 bits, four rows at once, columns of an image, and stores that begin before
/// the tensor.
@DisplayName("PTX ISA 5.5, 9.7.9.27.1: modes and elements of tensor copies")
final class TensorModesTest {
    private static final int SHARED = 4096;

    /// Loads or stores a box; what shared memory holds afterwards is written to `out`.
    static String module(String copy, boolean loads, int bytes) {
        String move =
                loads
                        ? """
                        mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %d;
                        %s
                        WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [bar], 0;
                        @!%%p1 bra WAIT;
                        """
                        : """
                        %2$s
                        cp.async.bulk.commit_group;
                        cp.async.bulk.wait_group 0;
                        """;
        return """
        .version 8.7
        .target sm_100a
        .address_size 64
        .visible .entry kernel(.param .align 64 .b8 map[128], .param .u64 out)
        {
        .reg .pred %%p<2>; .reg .b32 %%r<4>; .reg .b64 %%rd<5>;
        .shared .align 1024 .b8 s[4096];
        .shared .align 8 .b64 bar;
        mov.u64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1;
        ld.param.u64 %%rd2, [out];
        cvta.to.global.u64 %%rd2, %%rd2;
        mbarrier.init.shared::cta.b64 [bar], 1;
        mov.u32 %%r1, 0;
        FILL: mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r1;
        mul.lo.u32 %%r2, %%r1, 7; st.shared.b8 [%%r3], %%r2;
        add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, 4096; @%%p1 bra FILL;
        fence.proxy.async;
        %s
        mov.u32 %%r1, 0;
        COPY: mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r1; ld.shared.b8 %%r2, [%%r3];
        cvt.u64.u32 %%rd3, %%r1; add.u64 %%rd3, %%rd2, %%rd3; st.global.b8 [%%rd3], %%r2;
        add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, 4096; @%%p1 bra COPY;
        ret;
        }
        """
                .formatted(move.formatted(bytes, copy));
    }

    static String load(String dimension, String mode, String coordinates, String more) {
        return "cp.async.bulk.tensor.%s.shared::cta.global.%s.mbarrier::complete_tx::bytes [s], [%%rd1, {%s}], [bar]%s;"
                .formatted(dimension, mode, coordinates, more);
    }

    private static String store(String dimension, String mode, String coordinates) {
        return "cp.async.bulk.tensor.%s.global.shared::cta.%s.bulk_group [%%rd1, {%s}], [s];"
                .formatted(dimension, mode, coordinates);
    }

    private static TensorMap map(
            Format format, List<Long> shape, List<Long> strides, Box box, boolean padded) {
        return new TensorMap(
                new Argument.Address("t", 0),
                format,
                shape,
                strides,
                box,
                Collections.nCopies(shape.size(), 1),
                0,
                Atomicity.BYTES_16,
                0,
                Fill.ZERO,
                padded);
    }

    /// The map of a tensor of two axes, its rows one behind the other.
    private static TensorMap rows(Format format, long columns, long rows, long stride, int... box) {
        return map(
                format,
                List.of(columns, rows),
                List.of(stride),
                new Tile(List.of(box[0], box[1])),
                false);
    }

    static byte[] counted(int bytes) {
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) (i * 31 + (i >> 8));
        }
        return all;
    }

    static Outcome run(String module, TensorMap map, byte[] tensor) {
        Launch launch =
                Launch.grid(1)
                        .block(1)
                        .with(Argument.of("t", tensor))
                        .passing(map, Argument.zeros("out", SHARED));
        return Machine.interpreter().run(Kernel.of(module, "modes.ptx", "kernel"), launch);
    }

    /// What byte of shared memory held before the copy.
    private static byte before(int at) {
        return (byte) (at * 7);
    }

    static byte[] loaded(String copy, int bytes, TensorMap map, byte[] tensor) {
        Outcome outcome = run(module(copy, true, bytes), map, tensor);
        assertThat(outcome.findings()).isEmpty();
        return outcome.buffer("out");
    }

    @Test
    @DisplayName("5.5.1.1: sixteen elements of 6 bits take 16 bytes, the first twelve of them")
    void sixBits() {
        byte[] tensor = counted(3 * 192);
        TensorMap map = rows(FloatFormat.E3M2, 256, 3, 192, 128, 2);
        byte[] found = loaded(load("2d", "tile", "128, 1", ""), 192, map, tensor);
        for (int at = 0; at < 256; at++) {
            int row = at / 128;
            int unit = at % 128 / 16;
            byte right =
                    at % 16 < 12 ? tensor[(1 + row) * 192 + 96 + unit * 12 + at % 16] : before(at);
            assertThat(found[at]).as("byte " + at).isEqualTo(right);
        }
    }

    @Test
    @DisplayName("5.5.1.1: sixteen elements of 4 bits take 8 bytes, or 16 with padding")
    void fourBits() {
        byte[] tensor = counted(2 * 128);
        List<Long> shape = List.of(256L, 2L);
        byte[] packed =
                loaded(
                        load("2d", "tile", "32, 0", ""),
                        64,
                        map(
                                IntegerFormat.U4,
                                shape,
                                List.of(128L),
                                new Tile(List.of(64, 2)),
                                false),
                        tensor);
        for (int at = 0; at < 64; at++) {
            assertThat(packed[at]).isEqualTo(tensor[at / 32 * 128 + 16 + at % 32]);
        }
        byte[] padded =
                loaded(
                        load("2d", "tile", "128, 0", ""),
                        128,
                        map(
                                FloatFormat.E2M1,
                                shape,
                                List.of(128L),
                                new Tile(List.of(128, 2)),
                                true),
                        tensor);
        for (int at = 0; at < 256; at++) {
            byte right =
                    at % 16 < 8
                            ? tensor[at / 128 * 128 + 64 + at % 128 / 16 * 8 + at % 16]
                            : before(at);
            assertThat(padded[at]).as("byte " + at).isEqualTo(right);
        }
    }

    @Test
    @DisplayName("5.5.1.1: a store takes the lower six bits of each byte")
    void sixBitsStored() {
        TensorMap map = rows(FloatFormat.E2M3, 128, 2, 96, 128, 1);
        Outcome outcome = run(module(store("2d", "tile", "0, 1"), false, 0), map, new byte[2 * 96]);
        assertThat(outcome.findings()).isEmpty();
        byte[] tensor = outcome.buffer("t");
        for (int i = 0; i < 128; i++) {
            int bit = 96 * 8 + 6 * i;
            int word = tensor[bit / 8] & 0xff | (bit / 8 + 1 < 192 ? tensor[bit / 8 + 1] << 8 : 0);
            assertThat(word >> bit % 8 & 0x3f).isEqualTo(before(i) & 0x3f);
        }
    }

    @Test
    @DisplayName("5.5.3.4: four rows of a tensor")
    void fourRows() {
        byte[] tensor = counted(10 * 64);
        TensorMap map = rows(IntegerFormat.U8, 64, 10, 64, 32, 1);
        byte[] found = loaded(load("2d", "tile::gather4", "16, 2, 5, 10, 9", ""), 128, map, tensor);
        int[] rows = {2, 5, 10, 9};
        for (int at = 0; at < 128; at++) {
            int row = rows[at / 32];
            byte right = row < 10 ? tensor[row * 64 + 16 + at % 32] : 0;
            assertThat(found[at]).isEqualTo(right);
        }
        Outcome scattered =
                run(
                        module(store("2d", "tile::scatter4", "16, 2, 5, 10, 9"), false, 0),
                        map,
                        tensor.clone());
        assertThat(scattered.findings()).isEmpty();
        byte[] after = scattered.buffer("t");
        for (int at = 0; at < 128; at++) {
            int row = rows[at / 32];
            if (row < 10) {
                tensor[row * 64 + 16 + at % 32] = before(at);
            }
        }
        assertThat(after).isEqualTo(tensor);
    }

    @Test
    @DisplayName("5.5.4: example 1, the first 64 pixels of 8 channels")
    void columns() {
        byte[] tensor = counted(64 * 9 * 14 * 8);
        TensorMap map =
                map(
                        IntegerFormat.U8,
                        List.of(64L, 9L, 14L, 8L),
                        List.of(64L, 64L * 9, 64L * 9 * 14),
                        new Columns(List.of(-1, -1), List.of(-1, -1), 16, 64),
                        false);
        byte[] found = loaded(load("4d", "im2col", "16, 7, 7, 4", ", {0, 0}"), 1024, map, tensor);
        int w = 7;
        int h = 7;
        int n = 4;
        for (int pixel = 0; pixel < 64; pixel++) {
            for (int c = 0; c < 16; c++) {
                boolean inside = w >= 0 && h >= 0;
                byte right = inside ? tensor[((n * 14 + h) * 9 + w) * 64 + 16 + c] : 0;
                assertThat(found[pixel * 16 + c]).as("pixel " + pixel).isEqualTo(right);
            }
            // The bounding box goes from -1 to 7 along W and from -1 to 12 along H.
            if (++w == 8) {
                w = -1;
                if (++h == 13) {
                    h = -1;
                    n++;
                }
            }
        }
    }

    @Test
    @DisplayName("9.7.9.27.1.1: coordinates of a store are not negative")
    void storesBeginInside() {
        TensorMap map = rows(IntegerFormat.U8, 64, 10, 64, 32, 2);
        byte[] tensor = counted(640);
        for (String coordinates : List.of("-16, 0", "0, -1")) {
            Outcome outcome = run(module(store("2d", "tile", coordinates), false, 0), map, tensor);
            Finding found = outcome.findings().getFirst();
            assertThat(found.rule()).isEqualTo(Rule.TENSOR_BOX_OUTSIDE);
            assertThat(found.message()).contains(coordinates.startsWith("0") ? "axis 1" : "-16");
        }
        assertThat(run(module(store("2d", "tile", "48, 9"), false, 0), map, tensor).findings())
                .isEmpty();
        TensorMap columns =
                map(
                        IntegerFormat.U8,
                        List.of(64L, 4L, 2L),
                        List.of(64L, 256L),
                        new Columns(List.of(-1), List.of(0), 16, 4),
                        false);
        Outcome outcome =
                run(module(store("3d", "im2col_no_offs", "0, 0, 0"), false, 0), columns, tensor);
        assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.TENSOR_BOX_OUTSIDE);
    }

    @Test
    @DisplayName("the driver's conditions for packed elements")
    void packedElementsAreChecked() {
        List<Long> shape = List.of(128L, 2L);
        Tile box = new Tile(List.of(128, 1));
        byte[] tensor = counted(512);
        String copy = module(load("2d", "tile", "0, 0", ""), true, 96);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                run(
                                        copy,
                                        map(FloatFormat.E3M2, shape, List.of(112L), box, false),
                                        tensor))
                .withMessageContaining("a stride of 112 bytes: a multiple of 32");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                run(
                                        copy,
                                        map(
                                                FloatFormat.E3M2,
                                                List.of(96L, 2L),
                                                List.of(96L),
                                                box,
                                                false),
                                        tensor))
                .withMessageContaining("a multiple of 128");
    }

    @Test
    @DisplayName("5.5.7: the tables of 32- and 64-byte atoms")
    void atoms() {
        int[][] pairs = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
        for (int line = 0; line < 8; line++) {
            for (int unit = 0; unit < 8; unit++) {
                long address = 128L * line + 16L * unit;
                long pair = 128L * line + 32L * pairs[line % 4][unit / 2] + 16L * (unit % 2);
                assertThat(TensorSwizzle.BYTES_128_ATOM_32.place(address)).isEqualTo(pair);
                long half = 128L * line + 16L * (unit ^ (line % 2 == 0 ? 0 : 4));
                assertThat(TensorSwizzle.BYTES_128_ATOM_64.place(address)).isEqualTo(half);
            }
        }
    }

    @Test
    @DisplayName("9.7.9.28, 5.5.7: mode 4 is a swizzle of 96 bytes")
    void ninetySixBytes() {
        int[][] table = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}};
        for (int line = 0; line < 6; line++) {
            for (int unit = 0; unit < 8; unit++) {
                long place = 128L * line + 16L * table[line % 2][unit];
                assertThat(TensorSwizzle.BYTES_96.place(128L * line + 16L * unit)).isEqualTo(place);
            }
        }
        MemorySegment map = Arena.ofAuto().allocate(dev.heddle.vm.memory.TensorMap.BYTES, 64);
        dev.heddle.vm.memory.TensorMap.set(map, 0, Field.SWIZZLE_MODE, 0, 4);
        dev.heddle.vm.memory.TensorMap decoded = dev.heddle.vm.memory.TensorMap.decode(map, 0);
        assertThat(decoded.swizzle()).isEqualTo(TensorSwizzle.BYTES_96);
        assertThat(decoded.pitch()).isEqualTo(96);
    }
}
