package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.explorer.code.CudaSource;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.PtxVersion;
import dev.heddle.vm.Kernel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What `heddle code` prints is compiled by nvcc and run in the machine, and D is compared bit for
/// bit with the matrix product of the tensor core.
///
/// The forms of [#RECORDED] run from PTX that nvcc 13.0 made of the same text; a digest beside it
/// tells when the text has changed. With nvcc, `-Dheddle.code=record` makes it anew, and
/// `-Dheddle.code=all` compiles and runs every form.
@DisplayName("The generated CUDA C++, compiled and run")
final class GeneratedCodeTest {
    private static final Path FOLDER = Path.of("src/test/resources/generated");

    /// PTX of nvcc 13.0.
    private static final PtxVersion NEWEST = PtxVersion.parse("9.0");

    /// Forms of one file for the compiler.
    private static final int BATCH = 24;

    /// One for each way in which texts differ: types, packing, sparsity, scale factors, memory.
    private static final List<String> RECORDED =
            List.of(
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                    "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
                    "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32",
                    "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                    "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16",
                    "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
                    "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32"
                            + ".e2m1.e2m1.f32.ue4m3",
                    "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32",
                    "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
                    "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32",
                    "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4"
                            + ".block_scale.f32.e4m3.e2m1.f32.ue8m0",
                    "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16",
                    "wgmma.mma_async.sp.sync.aligned.m64n8k64.f16.e4m3.e5m2");

    static List<Form> recorded() {
        return RECORDED.stream()
                .map(
                        opcode ->
                                opcode.startsWith("wgmma")
                                        ? Form.of(opcode, ASource.SHARED_MEMORY)
                                        : Form.of(opcode))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void thePtxThatNvccMadeOfItStoresTheMatrixProduct(Form form) throws IOException {
        String ptx = Files.readString(recording(form));
        assertThat(ptx)
                .as("the text has changed; make the recording anew: -Dheddle.code=record")
                .startsWith("// " + digest(CudaSource.of(form).text()));
        assertThat(new GeneratedTile(form, 1).differences(Kernel.of(ptx, form.opcode(), "tile")))
                .isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "heddle.code", matches = "record")
    void recordings(@TempDir Path folder) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        for (Form form : recorded()) {
            String text = CudaSource.of(form).text();
            Path ptx = compiled(folder, CudaSource.of(form).target(), text);
            String kept =
                    Files.readString(ptx)
                            .lines()
                            .filter(line -> !line.startsWith("//") && !line.isBlank())
                            .collect(Collectors.joining("\n", "", "\n"));
            Files.writeString(recording(form), "// " + digest(text) + "\n" + kept);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "heddle.code", matches = "all")
    void everyFormThatNvccKnows(@TempDir Path folder) throws IOException, InterruptedException {
        Map<String, List<Form>> byTarget = new TreeMap<>();
        for (Form form : Forms.all()) {
            if (NEWEST.atLeast(form.requirement().version())) {
                String target = CudaSource.of(form).target();
                byTarget.computeIfAbsent(target, _ -> new ArrayList<>()).add(form);
            }
        }
        int run = 0;
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, List<Form>> each : byTarget.entrySet()) {
            for (int first = 0; first < each.getValue().size(); first += BATCH) {
                int last = Math.min(first + BATCH, each.getValue().size());
                List<Form> forms = each.getValue().subList(first, last);
                wrong.addAll(differing(folder, each.getKey(), forms));
                run += forms.size();
            }
            System.out.printf("%s: %d forms so far, %d differ%n", each.getKey(), run, wrong.size());
        }
        assertThat(wrong).isEmpty();
        assertThat(run).isGreaterThan(2_500);
    }

    private static List<String> differing(Path folder, String target, List<Form> forms)
            throws IOException, InterruptedException {
        Path ptx = compiled(folder, target, together(forms));
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            entries.add("tile_%d".formatted(i));
        }
        List<Kernel> kernels = Kernel.read(ptx, entries);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < forms.size(); i++) {
            String said = new GeneratedTile(forms.get(i), i).differences(kernels.get(i));
            if (!said.isEmpty()) {
                wrong.add(forms.get(i) + ": " + said);
            }
        }
        return wrong;
    }

    /// Several files as one: each in a namespace, behind the headers of all.
    private static String together(List<Form> forms) {
        StringBuilder text = new StringBuilder();
        for (String header : List.of("cstdint", "cuda_fp16.h", "cuda_bf16.h")) {
            text.append("#include <%s>\n".formatted(header));
        }
        for (int i = 0; i < forms.size(); i++) {
            text.append("namespace form_%d {\n".formatted(i));
            text.append(
                    CudaSource.of(forms.get(i))
                            .text()
                            .replaceAll("(?m)^#include.*\n", "")
                            .replace(
                                    "__global__ void tile(",
                                    "__global__ void tile_%d(".formatted(i)));
            text.append("}\n");
        }
        return text.toString();
    }

    private static Path compiled(Path folder, String target, String text)
            throws IOException, InterruptedException {
        Path source = folder.resolve("tile.cu");
        Path ptx = folder.resolve("tile.ptx");
        Files.writeString(source, text);
        Process process =
                new ProcessBuilder(
                                "nvcc",
                                "-Werror=all-warnings",
                                "-arch=" + target.replace("sm", "compute"),
                                "-ptx",
                                "-o",
                                ptx.toString(),
                                source.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
        return ptx;
    }

    private static Path recording(Form form) {
        return FOLDER.resolve(form.opcode().replace("::", "-") + ".ptx");
    }

    private static String digest(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "SHA-256 of the source: " + HexFormat.of().formatHex(hash);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
