package dev.heddle.explorer.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Target;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

@DisplayName("The inline assembly, compiled by nvcc and assembled by ptxas")
final class InlineAssemblyTest {
    /// The least target of CUDA 13's nvcc; older forms are compiled for it.
    private static final int OLDEST = 75;

    private static final Pattern PARAMETERS = Pattern.compile("(?s)void multiply\\((.*?)\\) \\{");
    private static final Pattern VERSION = Pattern.compile("\\.version (\\S+)");
    private static final Pattern ARRAY =
            Pattern.compile("(?:const )?(.+) \\(&(\\w+)\\)\\[(\\d+)\\]");

    @Test
    void everyKindOfSnippetIsTakenForTheLeastTargetOfItsForm(@TempDir Path folder)
            throws IOException, InterruptedException {
        assumeTrue(present("nvcc") && present("ptxas"), "no nvcc and ptxas here");
        PtxVersion newest = newest(folder);
        Map<String, List<Form>> byTarget = new TreeMap<>();
        for (Form form : kinds()) {
            if (newest.atLeast(form.requirement().version())) {
                byTarget.computeIfAbsent(least(form), _ -> new ArrayList<>()).add(form);
            }
        }
        assertThat(byTarget.keySet())
                .contains("sm_120f", "sm_75", "sm_80", "sm_89", "sm_90", "sm_90a");
        for (Map.Entry<String, List<Form>> each : byTarget.entrySet()) {
            compile(folder, each.getKey(), each.getValue());
        }
    }

    /// One form for each way in which snippets differ apart from the opcode; of wgmma's widths the
    /// least and the greatest.
    private static List<Form> kinds() {
        List<Form> kinds = new ArrayList<>();
        Set<List<Object>> seen = new HashSet<>();
        for (Form form : Forms.all()) {
            int width = form.shape().n();
            if (form.family().warpgroup() && width > 8 && width < 256) {
                continue;
            }
            String text = InlineAssembly.of(form).replace(form.opcode(), "");
            if (seen.add(List.of(form.family(), least(form), text))) {
                kinds.add(form);
            }
        }
        return kinds;
    }

    /// The PTX version that this nvcc writes.
    private static PtxVersion newest(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("empty.cu");
        Path ptx = folder.resolve("empty.ptx");
        Files.writeString(source, "");
        run("nvcc", "-ptx", "-o", ptx.toString(), source.toString());
        Matcher version = VERSION.matcher(Files.readString(ptx));
        assertThat(version.find()).isTrue();
        return PtxVersion.parse(version.group(1));
    }

    private static String least(Form form) {
        return form.requirement().supported().stream()
                .filter(target -> target.number() >= OLDEST)
                .map(Target::toString)
                .findFirst()
                .orElseThrow();
    }

    private static void compile(Path folder, String target, List<Form> forms)
            throws IOException, InterruptedException {
        StringBuilder source = new StringBuilder();
        for (int i = 0; i < forms.size(); i++) {
            String snippet = InlineAssembly.of(forms.get(i));
            source.append("namespace form").append(i).append(" {\n").append(snippet);
            source.append(kernel(snippet)).append("}\n");
        }
        Path file = folder.resolve(target + ".cu");
        Path ptx = folder.resolve(target + ".ptx");
        Files.writeString(file, source);
        String virtual = target.replace("sm", "compute");
        assertThat(run("nvcc", "-arch=" + virtual, "-ptx", "-o", ptx.toString(), file.toString()))
                .as(target)
                .isEmpty();
        String text = Files.readString(ptx);
        for (Form form : forms) {
            assertThat(text).contains(form.opcode() + " ");
        }
        // ptxas warns where it has to serialize wgmma; that mma.sp is out of favour is no fault
        assertThat(run("ptxas", "-arch=" + target, "-o", "/dev/null", ptx.toString()).lines())
                .as(target)
                .allMatch(line -> line.contains("'.sp::ordered_metadata' should be used"));
    }

    /// A kernel that calls the snippet on what it loads, each from a place of its own, and stores
    /// the result.
    private static String kernel(String snippet) {
        Matcher found = PARAMETERS.matcher(snippet);
        assertThat(found.find()).as(snippet).isTrue();
        StringBuilder body = new StringBuilder("__global__ void kernel(char* memory) {\n");
        List<String> arguments = new ArrayList<>();
        for (String parameter : found.group(1).split(",\\s+", -1)) {
            Matcher array = ARRAY.matcher(parameter);
            String place = "(memory + " + 1024 * arguments.size() + ")";
            if (array.matches()) {
                String name = array.group(2);
                body.append("%s %s[%s];\n".formatted(array.group(1), name, array.group(3)));
                body.append(
                        "for (int i = 0; i < %s; i++) %s[i] = ((%s*) %s)[i];\n"
                                .formatted(array.group(3), name, array.group(1), place));
                arguments.add(name);
            } else {
                String type = parameter.substring(0, parameter.lastIndexOf(' '));
                arguments.add("*(%s*) %s".formatted(type, place));
            }
        }
        return body.append("multiply(%s);\n".formatted(String.join(", ", arguments)))
                .append("memcpy(__builtin_assume_aligned(memory, 8), d, sizeof d);\n}\n")
                .toString();
    }

    @Test
    @DisplayName("PTX ISA 9.7.15: wgmma stands between its fence and the wait for its result")
    void wgmmaIsFencedAndWaitedFor() {
        String snippet =
                InlineAssembly.of(
                        Form.of(
                                "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
                                ASource.SHARED_MEMORY));

        assertThat(snippet)
                .containsSubsequence(
                        "wgmma.fence.sync.aligned;",
                        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
                        "wgmma.commit_group.sync.aligned;",
                        "wgmma.wait_group.sync.aligned 0;")
                .contains(": \"memory\")");
    }

    private static boolean present(String command) throws InterruptedException {
        try {
            run(command, "--version");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
