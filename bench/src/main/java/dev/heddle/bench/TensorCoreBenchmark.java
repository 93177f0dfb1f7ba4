package dev.heddle.bench;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.Form;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.layout.Axis;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.RegisterOrder;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Generation;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Whole instructions on registers, special values included: fragments in, fragments out, on one
/// core. An instruction has m * n * k multiply-adds, of a sparse A the stored k.
///
/// The baseline is a scalar C program of the same arithmetic, 0.505 G multiply-adds a second for
/// m16n8k16 f16 to f32, and the same with AVX-512, 5.85 G.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"--add-modules=jdk.incubator.vector", "-XX:+UseSerialGC"})
public class TensorCoreBenchmark {
    private static final long SEED = 20261121;

    @Param({
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0",
        "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16",
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16",
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32",
        "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3",
        "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8",
        "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16",
        "wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.bf16.bf16",
        "wgmma.mma_async.sp.sync.aligned.m64n128k16.f32.tf32.tf32",
        "wgmma.mma_async.sp.sync.aligned.m64n128k64.f32.e4m3.e4m3",
        "wgmma.mma_async.sp.sync.aligned.m64n128k64.s32.s8.s8"
    })
    public String opcode;

    private TensorCore core;
    private Operands operands;
    private int[] d;

    @Setup
    public void prepare() {
        Form form = Form.of(opcode);
        Generation generation = form.blockScaled() ? Generation.SM_120 : Generation.SM_90;
        core = TensorCore.of(form, generation).withOrder(RegisterOrder.REGISTER_MAJOR);
        Random random = new Random(SEED);
        boolean warpgroup = form.family().warpgroup();
        operands =
                Operands.of(
                        words(core.words(Role.A), form.type(Role.A), random),
                        words(
                                warpgroup ? core.sharedWords(Role.B) : core.words(Role.B),
                                form.type(Role.B),
                                random),
                        words(core.words(Role.C), form.type(Role.C), random));
        form.metadata()
                .ifPresent(
                        metadata -> operands = operands.withMetadata(nibbles(metadata, random), 0));
        form.scaleFactors(Role.A)
                .ifPresent(
                        factors ->
                                operands =
                                        operands.withScales(
                                                words(32, factors.format(), random),
                                                Operands.ScaleSelector.ZERO,
                                                words(32, factors.format(), random),
                                                Operands.ScaleSelector.ZERO));
        d = new int[core.words(Role.D)];
    }

    /// The result is that of the exact twin.
    @TearDown
    public void check() {
        int[] expected = new int[d.length];
        core.withSpeed(Speed.EXACT).execute(operands, expected);
        core.execute(operands, d);
        if (!Arrays.equals(d, expected)) {
            throw new AssertionError(opcode + ": the fast kernel is wrong");
        }
    }

    @Benchmark
    public int[] execute() {
        core.execute(operands, d);
        return d;
    }

    /// Multiply-adds of one instruction; of a sparse A those of its stored elements.
    long multiplyAdds() {
        Form form = core.form();
        return (long) form.shape().m() * form.shape().n() * form.storedColumns();
    }

    private static int[] words(int count, Format format, Random random) {
        int[] words = new int[count];
        int perWord = Integer.SIZE / format.bits();
        for (int at = 0; at < count * perWord; at++) {
            long code =
                    format instanceof FloatFormat number
                            ? number.encode(
                                    number.signed()
                                            ? random.nextGaussian()
                                            : Math.scalb(1, random.nextInt(-3, 4)),
                                    Rounding.NEAREST_EVEN,
                                    Overflow.IEEE)
                            : random.nextLong() & format.mask();
            words[at / perWord] |= (int) code << at % perWord * format.bits();
        }
        return words;
    }

    private static int[] nibbles(Metadata metadata, Random random) {
        int[] words = new int[metadata.layout().extent(Axis.WARP) * 32];
        for (int at = 0; at < words.length * 8; at++) {
            int legal = metadata.validNibbles().get(random.nextInt(metadata.validNibbles().size()));
            words[at / 8] |= legal << at % 8 * 4;
        }
        return words;
    }
}
