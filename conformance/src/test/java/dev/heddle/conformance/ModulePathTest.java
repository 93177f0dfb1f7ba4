package dev.heddle.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A program that requires Heddle's modules by name, compiled and started on the module path. The
/// other tests run on the class path, where descriptors say nothing.
@DisplayName("Heddle's modules on the module path")
final class ModulePathTest {
    private static final String CONSUMER =
            """
            package consumer;

            import dev.heddle.isa.Form;
            import dev.heddle.vm.Argument;
            import dev.heddle.vm.Kernel;
            import dev.heddle.vm.Launch;
            import dev.heddle.vm.Machine;
            import dev.heddle.vm.Outcome;

            public final class Main {
                private static final String PTX =
                        \"""
                        .version 8.0
                        .target sm_90
                        .address_size 64
                        .visible .entry twice(.param .u64 x) {
                            .reg .b32 %r<3>;
                            .reg .b64 %rd<3>;
                            mov.u32 %r1, %tid.x;
                            ld.param.u64 %rd1, [x];
                            mad.wide.u32 %rd2, %r1, 4, %rd1;
                            ld.global.f32 %r2, [%rd2];
                            add.f32 %r2, %r2, %r2;
                            st.global.f32 [%rd2], %r2;
                            ret;
                        }
                        \""";

                public static void main(String[] args) {
                    Kernel kernel = Kernel.of(PTX, "twice.ptx", "");
                    Launch launch =
                            Launch.grid(1).block(4).passing(
                                    Argument.of("x", new float[] {1, 2, 3, 4}));
                    for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
                        Outcome outcome = machine.run(kernel, launch);
                        System.out.println(java.util.Arrays.toString(outcome.floats("x")));
                    }
                    System.out.println(
                            Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").shape());
                }
            }
            """;

    @TempDir Path folder;

    @Test
    void aConsumerCompilesAndRuns() throws IOException, InterruptedException {
        compile("dev.heddle.vm", CONSUMER);
        assertThat(run())
                .containsExactly("[2.0, 4.0, 6.0, 8.0]", "[2.0, 4.0, 6.0, 8.0]", "m16n8k16");
    }

    @Test
    void whatIsNoApiIsNotVisible() throws IOException {
        String intruder =
                """
                package consumer;

                final class Main {
                    Class<?> lowering = dev.heddle.vm.lowering.Lowering.class;
                }
                """;
        assertThat(tryCompile("dev.heddle.vm", intruder))
                .contains("package dev.heddle.vm.lowering is not visible");
    }

    /// `programs` and `cli` make the command: they have no descriptor.
    @Test
    void eachModuleForOthersHasADescriptorAndExports() throws IOException {
        Set<String> described = new TreeSet<>();
        for (ModuleReference module : ModuleFinder.of(modulePath()).findAll()) {
            ModuleDescriptor descriptor = module.descriptor();
            if (descriptor.name().startsWith("dev.heddle.") && !descriptor.isAutomatic()) {
                described.add(descriptor.name().substring("dev.heddle.".length()));
                assertThat(descriptor.exports()).as(descriptor.name()).isNotEmpty();
                assertThat(descriptor.version()).as(descriptor.name()).isPresent();
            }
        }
        assertThat(described)
                .containsExactly(
                        "cuda",
                        "explorer",
                        "files",
                        "formats",
                        "isa",
                        "junit",
                        "layout",
                        "ptx",
                        "sparse",
                        "tensorcore",
                        "vm");
    }

    private void compile(String required, String main) throws IOException {
        assertThat(tryCompile(required, main)).doesNotContain("error:");
    }

    /// What the compiler says.
    private String tryCompile(String required, String main) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("sources/consumer"));
        Path descriptor = sources.resolveSibling("module-info.java");
        Files.writeString(descriptor, "module consumer { requires " + required + "; }");
        Path source = sources.resolve("Main.java");
        Files.writeString(source, main);
        StringWriter errors = new StringWriter();
        PrintWriter out = new PrintWriter(errors);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "-proc:none",
                        "-d",
                        folder.resolve("classes").toString(),
                        "--module-path",
                        joined(modulePath()),
                        descriptor.toString(),
                        source.toString());
        return errors.toString();
    }

    private List<String> run() throws IOException, InterruptedException {
        List<Path> path = new ArrayList<>(List.of(modulePath()));
        path.add(folder.resolve("classes"));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "--module-path",
                                joined(path.toArray(Path[]::new)),
                                "--module",
                                "consumer/consumer.Main")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    private static String joined(Path[] paths) {
        return Stream.of(paths).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /// The class path of this test, without what is only the command's.
    private static Path[] modulePath() {
        Path[] path =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> !entry.contains("heddle-cli"))
                        .filter(entry -> !entry.contains("heddle-programs"))
                        .filter(entry -> !entry.contains("/cli/target/"))
                        .filter(entry -> !entry.contains("/programs/target/"))
                        .filter(entry -> !entry.contains("/conformance/target/"))
                        .map(Path::of)
                        .filter(Files::exists)
                        .toArray(Path[]::new);
        assumeTrue(
                ModuleFinder.of(path).find("dev.heddle.vm").isPresent(),
                "only the Maven build compiles the descriptors");
        return path;
    }
}
