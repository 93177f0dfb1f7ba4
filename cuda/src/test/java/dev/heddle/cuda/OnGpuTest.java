package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heddle.cuda.MatrixInstruction.Immediates;
import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorSwizzle;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// The binding against a real driver; skipped where there is none. The TMA and `wgmma` parts need
/// compute capability 9.0.
@DisplayName("CUDA driver API on a real GPU")
final class OnGpuTest {
    private static final String DOUBLING =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry doubled(.param .u64 data, .param .u32 count)
            {
                .reg .pred %outside;
                .reg .b32 %i, %n, %threads, %value;
                .reg .b64 %data, %at;
                mov.u32 %i, %ctaid.x;
                mov.u32 %threads, %ntid.x;
                mov.u32 %n, %tid.x;
                mad.lo.u32 %i, %i, %threads, %n;
                ld.param.u32 %n, [count];
                setp.ge.u32 %outside, %i, %n;
                @%outside ret;
                ld.param.u64 %data, [data];
                mul.wide.u32 %at, %i, 4;
                add.u64 %at, %data, %at;
                ld.global.b32 %value, [%at];
                add.u32 %value, %value, %value;
                st.global.b32 [%at], %value;
                ret;
            }
            """;

    private @Nullable Context context;

    @BeforeEach
    void open() {
        try {
            context = Driver.load().device(0).open();
        } catch (DriverUnavailableException | DriverException e) {
            assumeTrue(false, "no GPU here: " + e.getMessage());
        }
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }

    private Context gpu() {
        return Objects.requireNonNull(context);
    }

    @Test
    void aKernelRunsOnAStreamBetweenAsynchronousCopies() {
        int count = 1000;
        try (CudaModule module = gpu().load(DOUBLING);
                Stream stream = gpu().openStream();
                PinnedMemory host = gpu().allocatePinned(count * 4L);
                DeviceMemory device = gpu().allocate(count * 4L);
                Event start = gpu().openEvent();
                Event end = gpu().openEvent()) {
            MemorySegment words = host.segment();
            for (int i = 0; i < count; i++) {
                words.setAtIndex(ValueLayout.JAVA_INT, i, i);
            }
            start.record(stream);
            device.copyFromAsync(words, stream);
            module.function("doubled")
                    .launch(
                            LaunchShape.linear(8, 128),
                            stream,
                            Arguments.builder().address(device).s32(count).build());
            device.copyToAsync(words, stream);
            end.record(stream);
            stream.synchronize();
            assertThat(words.toArray(ValueLayout.JAVA_INT))
                    .isEqualTo(IntStream.range(0, count).map(i -> 2 * i).toArray());
            assertThat(end.millisecondsSince(start)).isPositive();
            assertThat(module.function("doubled").attribute(CudaFunction.Attribute.REGISTERS))
                    .isBetween(4, 64);
        }
    }

    @Test
    void theCompilersErrorNamesTheLine() {
        assertThatThrownBy(() -> gpu().load(DOUBLING.replace("add.u32 %value", "addd.u32 %value")))
                .isInstanceOfSatisfying(
                        DriverException.class,
                        e -> {
                            assertThat(e.error()).isEqualTo("CUDA_ERROR_INVALID_PTX");
                            assertThat(e.log()).contains("line 20").contains("addd");
                        });
    }

    @Test
    void aKernelThatIsNotThereIsNotFound() {
        assertThatThrownBy(() -> gpu().load(DOUBLING).function("tripled"))
                .hasMessageContaining("CUDA_ERROR_NOT_FOUND");
    }

    @Test
    void aTensorMapFeedsABulkCopy() throws IOException {
        assumeHopper();
        int width = 64;
        int height = 48;
        int[] image = IntStream.range(0, width * height).toArray();
        try (CudaModule module = gpu().load(resource("tile.ptx"));
                DeviceMemory tensor = gpu().allocate(MemorySegment.ofArray(image));
                DeviceMemory output = gpu().allocate(16 * 32 * 4)) {
            EncodedTensorMap map =
                    EncodedTensorMap.encode(
                            gpu(),
                            new TensorMap(
                                    tensor.address(),
                                    TensorMap.Element.S32,
                                    new long[] {width, height},
                                    new long[] {width * 4L},
                                    new int[] {16, 32},
                                    new int[] {1, 1},
                                    new int[3],
                                    new int[3],
                                    TensorSwizzle.NONE,
                                    0,
                                    false,
                                    TensorMap.Mode.TILE),
                            EncodedTensorMap.L2Promotion.NONE);
            module.function("tile")
                    .launch(
                            LaunchShape.linear(1, 512),
                            Arguments.builder().tensorMap(map).address(output).build());
            int[] tile = new int[16 * 32];
            output.copyTo(MemorySegment.ofArray(tile));
            assertThat(tile)
                    .isEqualTo(
                            IntStream.range(0, 16 * 32)
                                    .map(i -> (3 + i / 16) * width + 8 + i % 16)
                                    .toArray());
        }
    }

    @Test
    void anInstructionMultipliesMatricesOfOnes() {
        int[] d =
                Gpu.of(gpu())
                        .execute(
                                Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"),
                                Immediates.PLAIN,
                                new CaseInput(
                                        filled(32 * 4, 0x3c003c00),
                                        filled(32 * 2, 0x3c003c00),
                                        filled(32 * 4, Float.floatToRawIntBits(0.5f)),
                                        new int[0],
                                        CaseInput.Shared.NONE));
        assertThat(d).containsOnly(Float.floatToRawIntBits(16.5f));
    }

    @Test
    void aWarpgroupMultipliesFromSharedMemory() {
        assumeHopper();
        byte[] ones = new byte[64 * 32];
        Arrays.fill(ones, (byte) 1);
        byte[] twos = new byte[8 * 32];
        Arrays.fill(twos, (byte) 2);
        SharedMatrices matrices =
                new SharedMatrices(
                        new SharedMatrices.Placed(SharedLayout.SWIZZLE_64, ones, 64),
                        new SharedMatrices.Placed(SharedLayout.K_MAJOR_ALONG_K, twos, 8));
        int[] d =
                Gpu.of(gpu())
                        .execute(
                                Form.of(
                                        "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8",
                                        ASource.SHARED_MEMORY),
                                Immediates.PLAIN,
                                new CaseInput(
                                        new int[0],
                                        new int[0],
                                        filled(128 * 4, 5),
                                        new int[0],
                                        matrices.image(true)));
        assertThat(d).hasSize(128 * 4).containsOnly(64 + 5);
    }

    @ParameterizedTest
    @CsvSource({
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32, REGISTERS",
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64, REGISTERS",
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16, REGISTERS",
        "wgmma.mma_async.sync.aligned.m64n24k256.s32.b1.b1.and.popc, SHARED_MEMORY",
        "wgmma.mma_async.sp.sync.aligned.m64n40k32.f16.f16.f16, SHARED_MEMORY",
    })
    void operandsOfTheModelGiveTheSameBitsHere(String opcode, ASource source) {
        assumeHopper();
        Form form = Form.of(opcode, source);
        TensorCore core = TensorCore.of(form, Generation.SM_90);
        SplittableRandom random = new SplittableRandom(11);
        int[] metadata = filled(form.lanes(), 0x4444_4444);
        Operands operands =
                Operands.of(
                                words(core, Role.A, source == ASource.SHARED_MEMORY, random),
                                words(core, Role.B, form.family().warpgroup(), random),
                                words(core, Role.C, false, random))
                        .withMetadata(form.sparse() ? metadata : new int[0], 0)
                        .withImmediates(true, form.type(Role.A) == FloatFormat.BF16, false);
        int[] expected = new int[core.words(Role.D)];
        core.execute(operands, expected);
        assertThat(Gpu.of(gpu()).execute(form, operands)).isEqualTo(expected);
    }

    private static int[] words(
            TensorCore core, Role role, boolean shared, SplittableRandom random) {
        int[] words = new int[shared ? core.sharedWords(role) : core.words(role)];
        // exponents in the middle of every format, so that no element is NaN
        Arrays.setAll(words, i -> random.nextInt() & 0xbfff_bfff);
        return words;
    }

    @Test
    void copiesOfManyMegabytesComeBackWhole() {
        byte[] content = new byte[32 << 20];
        for (int i = 0; i < content.length; i += 4096) {
            content[i] = (byte) (i >> 12);
        }
        try (Arena arena = Arena.ofConfined();
                DeviceMemory memory = gpu().allocate(content)) {
            MemorySegment back = arena.allocate(content.length);
            memory.copyTo(back);
            assertThat(back.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
        }
    }

    private void assumeHopper() {
        String architecture = gpu().device().architecture();
        assumeTrue(
                architecture.equals("sm_90"), "needs compute capability 9.0, here " + architecture);
    }

    private static int[] filled(int count, int value) {
        int[] words = new int[count];
        Arrays.fill(words, value);
        return words;
    }

    private static String resource(String name) throws IOException {
        try (InputStream text = OnGpuTest.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(text).readAllBytes(), UTF_8);
        }
    }
}
