package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Tensor;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@DisplayName("heddle run")
final class RunCommandTest {
    /// Twice each element of `a`, plus `x`, for the first `n`; a thread an element.
    private static final String PTX =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry doubled(.param .u64 a, .param .u64 c, .param .f32 x, .param .u32 n) {
              .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<8>;
              ld.param.u64 %rd1, [a];
              ld.param.u64 %rd2, [c];
              ld.param.f32 %f4, [x];
              ld.param.u32 %r1, [n];
              mov.u32 %r2, %ctaid.x;
              mov.u32 %r3, %ntid.x;
              mov.u32 %r4, %tid.x;
              mad.lo.s32 %r5, %r2, %r3, %r4;
              setp.ge.u32 %p1, %r5, %r1;
              @%p1 bra DONE;
              mul.wide.u32 %rd3, %r5, 4;
              add.s64 %rd4, %rd1, %rd3;
              ld.global.f32 %f1, [%rd4];
              add.f32 %f2, %f1, %f1;
              add.f32 %f3, %f2, %f4;
              add.s64 %rd5, %rd2, %rd3;
              st.global.f32 [%rd5], %f3;
            DONE:
              ret;
            }
            """;

    private static final int COUNT = 100;

    private final Path folder;

    RunCommandTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("doubled.ptx"), PTX);
        float[] a = new float[COUNT];
        float[] c = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            a[i] = i * 0.25f;
            c[i] = i * 0.5f + 1;
        }
        tensor(a, "a.npy");
        tensor(c, "c.expected.npy");
        c[7] = Math.nextUp(c[7]);
        tensor(c, "c.near.npy");
        Files.writeString(folder.resolve("launch.json"), launch("c.expected.npy"));
    }

    private static String launch(String expected) {
        return """
        { "ptx": "doubled.ptx", "grid": [4], "block": [32],
          "args": [ {"buffer": "a", "file": "a.npy", "format": "f32"},
                    {"buffer": "c", "poison": true, "format": "f32", "shape": [10, 10]},
                    {"f32": 1}, {"u32": 100} ],
          "expect": [ {"buffer": "c", "file": "%s"} ] }
        """
                .formatted(expected);
    }

    private void tensor(float[] values, String name) throws IOException {
        Codes codes = Codes.zeros(FloatFormat.F32, values.length);
        for (int i = 0; i < values.length; i++) {
            codes.set(i, Float.floatToRawIntBits(values[i]));
        }
        TensorReference.parse(path(name)).write(new Tensor(List.of(values.length), codes));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private Ran run(String... more) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "run",
                                path("doubled.ptx"),
                                "--grid",
                                "4",
                                "--block",
                                "32,1,1",
                                "--arg",
                                "a=" + path("a.npy"),
                                "--arg",
                                "c=poison:f32:10x10",
                                "--arg",
                                "f32:1",
                                "--arg",
                                "u32:100"));
        words.addAll(List.of(more));
        return Ran.heddle(words.toArray(String[]::new));
    }

    @Test
    void anInvalidModuleIsNotRun() throws IOException {
        Files.writeString(
                folder.resolve("doubled.ptx"),
                PTX.replace("add.f32 %f3, %f2, %f4;", "add.sat.u32 %r1, %r2, %r3;"));
        Ran people = run();
        assertThat(people.code()).isEqualTo(1);
        assertThat(people.out())
                .contains("doubled.ptx:20:6: invalid: .sat may not stand in add.sat.u32")
                .contains("rule: qualifier-not-allowed, PTX ISA 9.7.1.1")
                .endsWith("an assembler rejects this module, so nothing of it was run\n");
        Ran program = run("--json");
        assertThat(program.code()).isEqualTo(1);
        assertThat(program.out())
                .contains("\"verdict\":\"invalid\"")
                .contains("\"rule\":\"qualifier-not-allowed\"");
        assertThat(program.err()).isEmpty();
        Ran batch = Ran.heddle("run", path("launch.json"), path("launch.json"));
        assertThat(batch.code()).isEqualTo(1);
        assertThat(batch.out()).contains("invalid     ").contains("add.sat.u32");
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
    void aBufferIsSavedOnce() {
        Ran ran = run("--save", "c=" + path("1.npy"), "--save", "c=" + path("2.npy"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("2.npy: expected each buffer once");
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

    @Test
    void aLaunchFileWithoutModuleForATargetIsSkipped() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("k.compute_80.ptx"), PTX);
        Files.writeString(
                other.resolve("launch.json"),
                launch("../c.expected.npy")
                        .replace("\"ptx\": \"doubled.ptx\",", "")
                        .replace("a.npy", "../a.npy"));
        Path launch = other.resolve("launch.json");
        assertThat(Ran.heddle("run", launch.toString(), "--target", "compute_80").code()).isZero();
        Ran ran = Ran.heddle("run", launch.toString(), "--target", "compute_75");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("no launch file has a module NAME.compute_75.ptx");
    }

    @Test
    void anArgumentTooManyIsRefused() {
        Ran ran = run("--arg", "u32:7");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("takes 4 arguments [a, c, x, n], the launch gives 5");
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
    void noFileIsLeftWhereAnythingIsRefused() throws IOException {
        List<String> before = names();
        Ran ran =
                run(
                        "--save",
                        "c=" + path("saved.npy"),
                        "--save",
                        "a=" + path("missing/folder.npy"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--save a=").contains("cannot be written");
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void aLaunchFileSavesBesideItselfOnlyUnlessAnOptionSaysMore() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        String stated =
                launch("../c.expected.npy")
                        .replace("doubled.ptx", "../doubled.ptx")
                        .replace("\"a.npy\"", "\"../a.npy\"");
        String launch = inner.resolve("launch.json").toString();
        for (String outside :
                List.of(
                        "../stolen.npy",
                        path("stolen.npy"),
                        "x/../../stolen.npy",
                        "link/stolen.npy")) {
            Files.deleteIfExists(inner.resolve("link"));
            Files.createSymbolicLink(inner.resolve("link"), folder);
            Files.writeString(
                    inner.resolve("launch.json"),
                    stated.replace("\"args\"", "\"save\":{\"c\":\"" + outside + "\"}, \"args\""));
            Ran ran = Ran.heddle("run", launch);
            assertThat(ran.code()).as(outside).isEqualTo(2);
            assertThat(ran.err()).contains("launch.json:2:").contains("outside the launch file's");
            assertThat(folder.resolve("stolen.npy")).doesNotExist();
        }
        assertThat(Ran.heddle("run", launch, "--save-anywhere").code()).isZero();
        assertThat(folder.resolve("stolen.npy")).exists();
        Files.delete(folder.resolve("stolen.npy"));
        assertThat(Ran.heddle("run", launch, "--save", "c=" + path("own.npy")).code()).isZero();
        assertThat(folder.resolve("own.npy")).exists();
    }

    @Test
    void ofManyLaunchFilesABadOneFailsAlone() throws IOException {
        Files.writeString(folder.resolve("bad.json"), "{ \"grid\": [4],");
        Files.writeString(
                folder.resolve("absent.json"), launch("c.expected.npy").replace("a.npy", "no.npy"));
        Ran ran =
                Ran.heddle(
                        "run",
                        path("bad.json"),
                        path("launch.json"),
                        path("absent.json"),
                        path("launch.json"));
        assertThat(ran.code()).isEqualTo(2);
        List<String> lines = ran.out().lines().toList();
        assertThat(lines.get(0)).startsWith("refused ").contains("bad.json:1:15: no JSON: ");
        assertThat(lines.get(1)).startsWith("ok ");
        assertThat(lines.get(2))
                .startsWith("refused ")
                .contains("absent.json:2:37: ")
                .contains("no.npy");
        assertThat(lines.get(3)).startsWith("ok ");
        Ran missing = Ran.heddle("run", path("nosuch.json"), path("launch.json"));
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.out()).contains("nosuch.json: no such file").contains("1 ok, 1 refused");
        Files.write(folder.resolve("bad.json"), new byte[] {'{', (byte) 0xff, '}'});
        assertThat(Ran.heddle("run", path("bad.json")).err()).contains("the text is not UTF-8");
        assertThat(Ran.heddle("check").err()).contains("FILE|FOLDER is missing");
        assertThat(lines.getLast()).startsWith("4 launches in ").endsWith("2 ok, 2 refused");
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
    void aModuleThatTakesTooLongIsRefused() {
        String over = "doubled.ptx: parsing, checking and lowering it takes more than 0.0 s";
        Ran checked = Ran.heddle("check", path("doubled.ptx"), "--timeout", "0.000000001");
        assertThat(checked.code()).isEqualTo(2);
        assertThat(checked.err()).contains(over);
        Ran run = Ran.heddle("run", path("launch.json"), "--timeout", "0.000000001");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(over);
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

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--executor,gpu|--executor gpu: expected interpreter or compiler",
                "--on,cpu|--on cpu: expected gpu",
                "--compare,cpu|expected interpreter, compiler or gpu",
                "--trace,regs|--trace: regs: expected one of cta=X,Y,Z",
                "--trace,lanes=40|lanes=40: expected whole numbers from 0 to 31",
                "--timeout,soon|--timeout soon: expected a number of seconds above 0",
                "--max-instructions,0|expected a whole number from 1 to",
                "--shared,-1|--shared -1: expected a whole number",
                "--check,some|--check some: expected all, none, or some of races,memory",
                "--save,c|--save c: expected NAME=...",
                "--save,d=d.npy|--save d=d.npy: no buffer d; the launch has a c",
                "--save,c=c.txt|expected FILE.npy",
                "--expect,c=absent.npy|absent.npy",
                "--within,c=ulps:1|there is no --expect c=FILE",
                "--arg,a=zeros:f32:9999999999|the buffer is too large: at most 2 GiB",
                "--variable,n=s32:1|no variable n",
                "--expect,x=a.npy|--expect x=a.npy: no buffer x; the launch has a c",
                "--cluster,2,2|a grid of 4,1,1 in clusters of 2,2,1",
                "--entry,other|no kernel other",
                "--arg,s33:1|--arg s33:1: expected TYPE:VALUE",
                "--arg,s32:x|expected a number of type s32",
                "--arg,u8:300|300 does not fit in u8: 0 to 255",
                "--arg,d=zeros:f32|NAME=zeros:FORMAT:SHAPE",
                "--arg,d=poison:f33:4|--arg d=poison:f33:4: f33 is no format: expected one of",
            })
    void oneMessageForEachSlip(String words, String message) {
        Ran ran = run(words.split(",", 2));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("heddle: ").contains(message);
        assertThat(ran.err().strip().lines()).hasSize(1);
        assertThat(ran.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--grid,0|--grid 0: expected whole numbers of at least 1",
                "--grid,1,1,1,1|expected 1 to 3 whole numbers",
                "--block,2048|a CTA of 2048 threads: at most 1024",
            })
    void extentsAreChecked(String words, String message) {
        String[] pair = words.split(",", 2);
        Ran ran =
                Ran.heddle(
                        "run",
                        path("doubled.ptx"),
                        "--launch",
                        path("launch.json"),
                        pair[0],
                        pair[1]);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("heddle: ").contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{|no JSON",
                "[]|expected a JSON object",
                "{\"grid\":[1],\"block\":[1],\"blok\":3}|bad.json:1:32: field blok is unknown:"
                        + " expected one of args block",
                "{\"grid\":[1,1,1,1],\"block\":[1]}|one to three extents",
                "{\"grid\":[1],\"block\":[1],\"args\":[{\"buffer\":\"a\"}]}|buffer a is nowhere"
                        + " described: it needs a file",
                "{\"grid\":[1],\"block\":[1],\"args\":[{\"s32\":\"x\"}]}|field args[0].s32",
                "{\"grid\":[1],\"block\":[1],\"args\":[{\"s32\":1.5}]}|expected a number of type"
                        + " s32",
                "{\"grid\":[1],\"block\":[1],\"expect\":[{\"buffer\":\"z\"}]}|field"
                        + " expect[0].buffer",
                "{\"grid\":[1],\"block\":[1],\"executor\":\"cpu\"}|expected one of"
                        + " interpreter, compiler, gpu",
            })
    void aWrongLaunchFileIsRefused(String text, String message) throws IOException {
        Files.writeString(folder.resolve("bad.json"), text);
        Ran ran = Ran.heddle("run", path("doubled.ptx"), "--launch", path("bad.json"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("heddle: ").contains(message);
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

        Ran wrong = Ran.heddle(words(launch, "run", "--dump", "it"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--dump it: expected ir");
    }

    private static String[] words(String[] rest, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
    }
}
