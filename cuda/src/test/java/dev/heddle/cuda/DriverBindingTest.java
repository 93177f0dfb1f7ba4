package dev.heddle.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.vm.memory.TensorMap;
import dev.heddle.vm.memory.TensorSwizzle;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

@DisplayName("CUDA driver API, bound to a driver without a GPU")
final class DriverBindingTest {
    private final Path folder;
    private FakeDriver fake;

    DriverBindingTest(@TempDir Path folder) {
        this.folder = folder;
        this.fake = new FakeDriver(folder, folder);
    }

    @BeforeEach
    void build() {
        fake = FakeDriver.build(folder);
    }

    @Test
    void aDeviceTellsAboutItself() {
        Driver driver = fake.load();
        assertThat(driver.version()).hasToString("13.0");
        assertThat(driver.devices()).hasSize(1);
        Device device = driver.device(0);
        assertThat(device.name()).isEqualTo("Fake 7");
        assertThat(device.architecture()).isEqualTo("sm_90");
        assertThat(device.totalMemory()).isEqualTo(5L << 32);
        assertThat(device.attribute(Device.Attribute.MULTIPROCESSOR_COUNT)).isEqualTo(160);
    }

    @Test
    void anErrorCarriesItsNameAndFunction() {
        assertThatThrownBy(() -> fake.load().device(3))
                .isInstanceOf(DriverException.class)
                .hasMessage(
                        "cuDeviceGet: CUDA_ERROR_INVALID_DEVICE (101):"
                                + " the driver has no text for it");
    }

    @Test
    void aModuleThatDoesNotCompileBringsTheCompilersWords() {
        try (Context context = fake.load().device(0).open()) {
            assertThatThrownBy(() -> context.load("a syntax error"))
                    .isInstanceOfSatisfying(
                            DriverException.class,
                            e -> {
                                assertThat(e.error()).isEqualTo("CUDA_ERROR_INVALID_PTX");
                                assertThat(e.code()).isEqualTo(218);
                                assertThat(e.log()).startsWith("ptxas application ptx input");
                                assertThat(e).hasMessageContaining("line 3; error : syntax error");
                            });
            assertThat(context.load("fine").log()).isEqualTo("ptxas info : Used 8 registers");
        }
    }

    @Test
    void aLaunchPassesItsShapeAndArguments() {
        try (Context context = fake.load().device(0).open();
                DeviceMemory out = context.allocate(8)) {
            CudaFunction function = context.load("text").function("add");
            function.allowDynamicShared(100_000);
            function.launch(
                    new LaunchShape(
                                    new LaunchShape.Extent(3, 2, 1),
                                    new LaunchShape.Extent(32, 4, 2),
                                    0)
                            .withShared(512),
                    Arguments.builder().address(out).s32(40).f64(2.5).build());
            context.synchronize();
            double[] sum = new double[1];
            out.copyTo(MemorySegment.ofArray(sum));
            assertThat(sum[0]).isEqualTo(42.5);
            assertThat(fake.calls())
                    .contains("attribute 8100000", "grid 30201", "block 320402", "shared 512");
        }
    }

    @Test
    void copiesReachDeviceMemoryAndComeBack() {
        byte[] content = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        try (Context context = fake.load().device(0).open();
                DeviceMemory memory = context.allocate(content);
                PinnedMemory pinned = context.allocatePinned(9);
                Stream stream = context.openStream()) {
            assertThat(memory.toByteArray()).isEqualTo(content);
            memory.copyToAsync(pinned.segment(), stream);
            stream.synchronize();
            assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(content);
            memory.fillWords(0x01020304);
            assertThat(memory.toByteArray()).containsExactly(4, 3, 2, 1, 4, 3, 2, 1, 9);
            memory.fill((byte) -1);
            assertThat(memory.toByteArray()).containsOnly(-1);
            memory.copyFromAsync(pinned.segment(), stream);
            assertThat(memory.toByteArray()).isEqualTo(content);
        }
    }

    @Test
    void aCopyThatDoesNotFitIsRefused() {
        try (Context context = fake.load().device(0).open();
                DeviceMemory memory = context.allocate(4)) {
            assertThatThrownBy(() -> memory.copyFrom(new byte[5]))
                    .hasMessage("a copy of 5 bytes and device memory of 4 bytes");
            assertThatThrownBy(
                            () ->
                                    memory.copyToAsync(
                                            MemorySegment.ofArray(new byte[4]),
                                            context.defaultStream()))
                    .hasMessageContaining("needs native memory");
            assertThatThrownBy(() -> context.allocate(0)).hasMessageContaining("at least 1");
        }
    }

    @Test
    void aContextClosesWhatIsLeftNewestFirst() {
        try (Context context = fake.load().device(0).open()) {
            context.load("text");
            DeviceMemory early = context.allocate(4);
            context.openStream();
            context.openEvent();
            early.close();
            early.close();
        }
        assertThat(fake.calls())
                .containsSubsequence("load 4", "alloc 4", "stream 1", "free 0")
                .endsWith("eventDestroy 0", "streamDestroy 0", "unload 0", "release 7")
                .filteredOn(call -> call.equals("free 0"))
                .hasSize(1);
    }

    @Test
    void whatIsClosedCannotBeUsed() {
        Context context = fake.load().device(0).open();
        DeviceMemory memory = context.allocate(4);
        CudaModule module = context.load("text");
        CudaFunction function = module.function("add");
        memory.close();
        module.close();
        assertThatThrownBy(memory::address).hasMessageContaining("DeviceMemory is closed");
        assertThatThrownBy(
                        () ->
                                function.launch(
                                        LaunchShape.linear(1, 32), Arguments.builder().build()))
                .hasMessageContaining("CudaModule is closed");
        context.close();
        context.close();
        assertThatThrownBy(() -> context.allocate(4)).hasMessageContaining("is closed");
    }

    @Test
    void aKernelsErrorSurfacesAtTheNextWaitAndClosingStillGivesEverythingBack() {
        assertThatThrownBy(
                        () -> {
                            try (Context context = fake.load().device(0).open()) {
                                context.allocate(4);
                                context.load("text")
                                        .function("trap")
                                        .launch(
                                                LaunchShape.linear(1, 32),
                                                Arguments.builder().build());
                                context.synchronize();
                            }
                        })
                .hasMessage(
                        "cuCtxSynchronize: CUDA_ERROR_LAUNCH_FAILED (719):"
                                + " unspecified launch failure")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(fake.calls()).endsWith("unload 0", "free 0", "release 7");
    }

    @Test
    void aTensorMapTakesItsAxesInOrder() {
        try (Context context = fake.load().device(0).open()) {
            EncodedTensorMap map =
                    EncodedTensorMap.encode(
                            context,
                            new TensorMap(
                                    0x10000,
                                    TensorMap.Element.BF16,
                                    new long[] {640, 480},
                                    new long[] {1280},
                                    new int[] {64, 128},
                                    new int[] {1, 2},
                                    new int[3],
                                    new int[3],
                                    TensorSwizzle.BYTES_128,
                                    0,
                                    false,
                                    TensorMap.Mode.TILE),
                            EncodedTensorMap.L2Promotion.NONE);
            assertThat(map.bytes().toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(
                            9, 2, 0x10000, 640, 480, 1280, 64, 128, 1, 0, 3, 0, 0, 0, 0, 99);
        }
    }

    @Test
    void aTensorMapOfAnImageTakesItsCornersInOrder() {
        try (Context context = fake.load().device(0).open()) {
            EncodedTensorMap map =
                    EncodedTensorMap.encode(
                            context,
                            image(TensorMap.Mode.IM2COL),
                            EncodedTensorMap.L2Promotion.NONE);
            assertThat(map.bytes().toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(9, 4, 0x10000, 64, 5, 128, 1, 4, 32, 16, 2, 0, 3, 0, 0, 98);
            assertThatThrownBy(
                            () ->
                                    EncodedTensorMap.encode(
                                            context,
                                            image(TensorMap.Mode.IM2COL_W),
                                            EncodedTensorMap.L2Promotion.NONE))
                    .hasMessageContaining("pixels along W");
        }
    }

    private static TensorMap image(TensorMap.Mode mode) {
        return new TensorMap(
                0x10000,
                TensorMap.Element.BF16,
                new long[] {64, 56, 28, 5},
                new long[] {128, 7168, 200704},
                new int[] {32, 16},
                new int[] {1, 1, 1, 2},
                new int[] {1, 2, 0},
                new int[] {3, 4, 0},
                TensorSwizzle.BYTES_128,
                0,
                false,
                mode);
    }

    @Test
    void eventsMeasureMilliseconds() {
        try (Context context = fake.load().device(0).open();
                Event start = context.openEvent();
                Event end = context.openEvent()) {
            start.record(context.defaultStream());
            end.record(context.defaultStream());
            end.synchronize();
            assertThat(end.millisecondsSince(start)).isEqualTo(1.5f);
        }
    }

    @Test
    void argumentsOfAnyWidthKeepTheirBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2);
            MemorySegment pointers =
                    Arguments.builder().s64(-2).f32(1f).bytes(bytes).build().pointers();
            assertThat(at(pointers, 0, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-2);
            assertThat(at(pointers, 1, 4).get(ValueLayout.JAVA_INT, 0)).isEqualTo(0x3f800000);
            assertThat(at(pointers, 2, 2).toArray(ValueLayout.JAVA_BYTE)).containsExactly(1, 2);
            assertThat(at(pointers, 2, 2).address() % 64).isZero();
        }
    }

    @SuppressWarnings("restricted") // follows the pointers as the driver would
    private static MemorySegment at(MemorySegment pointers, int index, int bytes) {
        return pointers.getAtIndex(ValueLayout.ADDRESS, index).reinterpret(bytes);
    }
}
