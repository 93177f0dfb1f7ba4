package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

@DisplayName("heddle run: what it refuses")
final class RunRefusalsTest extends RunFixture {
    RunRefusalsTest(@TempDir Path folder) {
        super(folder);
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

    @Test
    void aBufferIsSavedOnce() {
        Ran ran = run("--save", "c=" + path("1.npy"), "--save", "c=" + path("2.npy"));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("2.npy: expected each buffer once");
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
        Path beside = Files.createDirectory(folder.resolve("beside"));
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
                        "link/stolen.npy",
                        "beside/../stolen.npy")) {
            Files.deleteIfExists(inner.resolve("link"));
            Files.createSymbolicLink(inner.resolve("link"), folder);
            Files.deleteIfExists(inner.resolve("beside"));
            Files.createSymbolicLink(inner.resolve("beside"), beside);
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
    void aModuleThatTakesTooLongIsRefused() {
        String over = "doubled.ptx: parsing, checking and lowering it takes more than 0.0 s";
        Ran checked = Ran.heddle("check", path("doubled.ptx"), "--timeout", "0.000000001");
        assertThat(checked.code()).isEqualTo(2);
        assertThat(checked.err()).contains(over);
        Ran run = Ran.heddle("run", path("launch.json"), "--timeout", "0.000000001");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(over);
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
}
