package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@DisplayName("heddle run")
final class RunCommandTest extends RunFixture {
    RunCommandTest(@TempDir Path folder) {
        super(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"interpreter", "compiler"})
    void bothExecutorsGiveWhatIsExpected(String executor) {
        Ran ran = run("--executor", executor, "--expect", "c=" + path("c.expected.npy"));
        assertThat(ran.code()).as(ran.err() + ran.out()).isZero();
        assertThat(ran.out())
                .contains("as expected: c, 100 elements, 100 with equal bits")
                .contains("on the " + executor)
                .contains("fidelity: exact");
    }

    @Test
    void aReportSaysWhoseTensorCoresItWas() {
        String launch = "../examples/sparse-gemm-f16/launch.json";
        Ran own = Ran.heddle("run", launch, "--target", "compute_80");
        assertThat(own.out()).contains("tensor cores: as sm_80, PUBLISHED arXiv 2511.10909");
        Ran asked = Ran.heddle("run", launch, "--target", "compute_80", "--arch", "sm_90");
        assertThat(asked.out()).contains("tensor cores: as sm_90, MEASURED NVIDIA H200");
        Ran json = Ran.heddle("run", launch, "--target", "compute_80", "--json");
        assertThat(json.out()).contains("\"arch\":\"sm_80\"").contains("\"numerics\":{\"mma.sp");
        String warpgroups = "../corpus/wgmma-f16-tma/launch.json";
        assertThat(Ran.heddle("run", warpgroups).out())
                .contains("tensor cores: as sm_90, MEASURED NVIDIA H200")
                .contains("(wgmma.mma_async.sync.aligned.");
        assertThat(Ran.heddle("run", warpgroups, "--arch", "sm_100").out())
                .contains("unsupported: ")
                .contains("on sm_100 cannot be executed by this machine");
        Ran wrong = Ran.heddle("run", launch, "--arch", "sm_99");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--arch").contains("sm_90");
    }

    @Test
    void theOptionsAndTheLaunchFileMeanTheSame() throws IOException {
        assertThat(run("--save", "c=" + path("one.npy")).code()).isZero();
        Ran ran =
                Ran.heddle(
                        "run", path("launch.json"), "--save", "c=" + path("other.npy"), "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("one.npy")))
                .isEqualTo(Files.readAllBytes(folder.resolve("other.npy")));
        assertThat(TensorReference.parse(path("other.npy")).read().shape()).containsExactly(10, 10);
    }

    @Test
    void anElementThatIsNotAsExpectedIsNamed() {
        Ran ran = run("--expect", "c=" + path("c.near.npy"));
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("100 elements, 99 with equal bits, 1 wrong")
                .contains("[0][7]: got 0x40900000 (4.5), expected 0x40900001");
    }

    @ParameterizedTest
    @CsvSource({"ulps:1,0", "ulps:0,1", "relative:1e-6,0", "relative:1e-9,1"})
    void aBoundDecides(String bound, int code) {
        Ran ran = run("--expect", "c=" + path("c.near.npy"), "--within", "c=" + bound);
        assertThat(ran.code()).isEqualTo(code);
    }

    @Test
    void executorsAreComparedBitForBit() {
        Ran ran = run("--compare", "interpreter,compiler");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("interpreter and compiler: every bit is the same, 200 elements of ");
    }

    @Test
    void aTraceFollowsTheLanesAndRegistersAskedFor() {
        Ran ran = run("--trace", "cta=1 warp=0 lanes=2,5 regs=%f3");
        assertThat(ran.code()).isZero();
        // Thread 34 doubles 34/4 and adds 1: 18; thread 37 gets 19.5.
        assertThat(ran.out().lines().filter(line -> line.startsWith("trace:")))
                .containsExactly(
                        "trace: 20: add.f32 %f3, %f2, %f4;   [lanes 2,5]",
                        "trace:     %f3 = 2: 0x41900000 (18.0)  5: 0x419c0000 (19.5)",
                        "trace: 22: st.global.f32 [%rd5], %f3;   [lanes 2,5]",
                        "trace:     %f3 = 2: 0x41900000 (18.0)  5: 0x419c0000 (19.5)");
    }

    @Test
    void aTraceEndsWithANote() {
        assertThat(run("--trace", "max=3").out())
                .contains("trace: ends after 3 instructions; max=N shows more");
    }

    @Test
    void buffersAreSavedToOneSafetensorsFile() throws IOException {
        String file = path("out.safetensors");
        Ran ran = run("--save", "c=" + file + ":c", "--save", "a=" + file + ":in");
        assertThat(ran.code()).as(ran.err()).isZero();
        Tensor c = TensorReference.parse(file + ":c").read();
        assertThat(c.toString()).isEqualTo("10 x 10 .f32");
        assertThat(c.bits(7)).isEqualTo(0x40900000);
    }

    @Test
    void manyLaunchFilesGiveALineEachAndATotal() throws IOException {
        Files.writeString(folder.resolve("launch-near.json"), launch("c.near.npy"));
        Ran ran = Ran.heddle("run", path("launch.json"), path("launch-near.json"));
        assertThat(ran.code()).isEqualTo(1);
        List<String> lines = ran.out().lines().toList();
        assertThat(lines.getFirst()).startsWith("ok ").contains("launch.json: c 100/100");
        assertThat(lines.get(1)).startsWith("failed ").contains("c 99/100 wrong");
        assertThat(lines.getLast()).startsWith("2 launches in ").endsWith("1 failed, 1 ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"interpreter", "compiler"})
    void aReadBehindTheBufferIsFoundOnBothExecutors(String executor) throws IOException {
        Path launch = folder.resolve("more.json");
        Files.writeString(
                launch, launch("c.expected.npy").replace("{\"u32\": 100}", "{\"u32\": 128}"));
        Ran ran = Ran.heddle("run", launch.toString(), "--executor", executor);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("undefined behavior")
                .contains("doubled.ptx:18:3")
                .contains("CTA (3,0,0), warp 0, lane 4")
                .contains("rule: out-of-bounds");
    }

    @Test
    void jsonHoldsEverything() {
        Ran ran = Ran.heddle("run", path("launch.json"), "--json", "--compare", "interpreter");
        assertThat(ran.code()).as(ran.err()).isZero();
        Map<?, ?> object = (Map<?, ?>) Json.parse(ran.out());
        assertThat(object.get("ok")).isEqualTo(true);
        assertThat(object.get("thread_instructions")).isEqualTo(128 * 10 + 100 * 7 + 128);
        assertThat((Map<?, ?>) object.get("instructions")).hasSize(13);
        assertThat((List<?>) object.get("comparisons")).hasSize(1);
    }

    @Test
    void aLaunchHasAMinuteUnlessItSaysMore() throws IOException {
        Files.writeString(
                folder.resolve("endless.ptx"),
                ".version 8.0\n"
                    + ".target sm_80\n"
                    + ".address_size 64\n"
                    + ".visible .entry endless() { .reg .b32 %r<2>; mov.u32 %r1, 0; L: add.u32 %r1,"
                    + " %r1, 1; bra L; }\n");
        Ran ran =
                Ran.heddle(
                        "run",
                        path("endless.ptx"),
                        "--grid",
                        "1",
                        "--block",
                        "32",
                        "--timeout",
                        "0.2",
                        "--check",
                        "none");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("the launch ran for more than 0.2 s")
                .contains("note: a launch says how far it may go: --timeout");
        assertThat(dev.heddle.vm.Launch.Bounds.DEFAULT.time()).hasMinutes(1);
    }

    @Test
    void checkSaysWhatWouldRun() throws IOException {
        Files.writeString(
                folder.resolve("doubled.ptx"),
                PTX
                        + """
                        .extern .func elsewhere();
                        .visible .entry _Z3farv() { call elsewhere; ret; }
                        """);
        Ran ran = Ran.heddle("check", path("doubled.ptx"), "--run-on", "cpu");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("doubled.ptx: 1 of 2 kernels run on the CPU")
                .contains("  runs        doubled, 18 instructions")
                .contains("  unsupported far(), 2 instructions")
                .contains(
                        "    call (line 27): the external function elsewhere, which has no body"
                                + " here\n")
                .contains("1 of 1 module accepted");
        Ran json = Ran.heddle("check", path("doubled.ptx"), "--run-on", "cpu", "--json");
        Map<?, ?> object = (Map<?, ?>) Json.parse(json.out());
        assertThat(object.get("verdict")).isEqualTo("accept");
        assertThat(json.out())
                .contains("\"kernel\":\"doubled\",\"name\":\"doubled\",\"runs\":true")
                .contains("\"kernel\":\"_Z3farv\",\"name\":\"far()\",\"runs\":false");
        assertThat(Ran.heddle("check", path("doubled.ptx"), "--run-on", "gpu").err())
                .contains("--run-on gpu: expected cpu");
    }

    @Test
    void optionsSayWhatTheNewFieldsSay() throws IOException {
        Files.writeString(
                folder.resolve("scaled.ptx"),
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .global .align 4 .f32 factor = 0f3F800000;
                .visible .entry _Z6scaledPf(.param .u64 p) {
                  .reg .f32 %f<4>; .reg .b32 %r<2>; .reg .b64 %rd<4>;
                  ld.param.u64 %rd1, [p];
                  mov.u32 %r1, %tid.x;
                  mul.wide.u32 %rd2, %r1, 4;
                  add.u64 %rd3, %rd1, %rd2;
                  ld.global.f32 %f1, [factor];
                  ld.global.f32 %f2, [%rd3];
                  mul.f32 %f3, %f1, %f2;
                  st.global.f32 [%rd3], %f3;
                  ret;
                }
                """);
        float[] twice = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            twice[i] = i * 0.5f + 1e-6f;
        }
        tensor(twice, "twice.npy");
        List<String> words =
                List.of(
                        "run",
                        path("scaled.ptx"),
                        "--entry",
                        "scaled(float*)",
                        "--grid",
                        "1",
                        "--block",
                        "100",
                        "--variable",
                        "factor=f32:2",
                        "--check",
                        "memory,races",
                        "--arg",
                        "a=" + path("a.npy"),
                        "--expect",
                        "a=" + path("twice.npy"),
                        "--within",
                        "a=absolute:1e-5");
        Ran ran = Ran.heddle(words.toArray(String[]::new));
        assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
    }

    @Test
    void whatAKernelIsLoweredToIsPrintedAndNotRun() throws IOException {
        Files.writeString(
                folder.resolve("trap.ptx"),
                """
                .version 8.0
                .target sm_80
                .address_size 64
                .visible .entry k(.param .u32 n) {
                  .reg .b32 %r<3>;
                  .reg .pred %p;
                  ld.param.u32 %r1, [n];
                  add.s32 %r2, %r1, 7;
                  setp.gt.s32 %p, %r2, 9;
                  @%p trap;
                  ret;
                }
                """);
        String[] launch = {path("trap.ptx"), "--grid", "1", "--block", "1", "--arg", "s32:5"};
        Ran ran = Ran.heddle(words(launch, "run", "--dump", "ir"));
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .startsWith("kernel k(n: 4 bytes at 0)")
                .containsSubsequence(
                        "%r1 = load.param.b32 [0L]",
                        "; 7: ld.param.u32",
                        "%r2 = add.b32 %r1, 7",
                        "; 8: add.s32",
                        "%p = gt.s32 %r2, 9");

        Ran unlaunched = Ran.heddle("run", path("trap.ptx"), "--dump", "ir");
        assertThat(unlaunched.out()).isEqualTo(ran.out());

        Ran wrong = Ran.heddle(words(launch, "run", "--dump", "it"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--dump it: expected ir");
    }

    private static String[] words(String[] rest, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
    }
}
