package dev.heddle.vm.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Kernel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@DisplayName("Kernels read last")
final class KernelCacheTest {
    private static final Duration TIME = Duration.ofMinutes(1);

    @Test
    @DisplayName("threads may share them: a launch that was refused still reads its module")
    void threadsShareIt(@TempDir Path folder) throws Exception {
        List<Path> modules = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            modules.add(
                    Files.writeString(
                            folder.resolve("k" + i + ".ptx"),
                            ".version 8.0\n.target sm_80\n.address_size 64\n.entry k"
                                    + i
                                    + "() { ret; }\n"));
        }
        KernelCache cache = new KernelCache();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Kernel>> read = new ArrayList<>();
            for (int round = 0; round < 50; round++) {
                for (Path module : modules) {
                    read.add(threads.submit(() -> cache.of(module, List.of(""), TIME).getFirst()));
                }
            }
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.get(i).get().code().name()).isEqualTo("k" + i % modules.size());
            }
        }
    }

    @Test
    void kernelsOfOneModuleShareItsProgram(@TempDir Path folder) throws Exception {
        Path module =
                Files.writeString(
                        folder.resolve("two.ptx"),
                        ".version 8.0\n.target sm_80\n.address_size 64\n"
                                + ".entry first() { ret; }\n.entry second() { ret; }\n");
        KernelCache cache = new KernelCache();
        List<Kernel> kernels = cache.of(module, List.of("first", "second"), TIME);
        assertThat(kernels.get(1).program()).isSameAs(kernels.get(0).program());
        assertThat(cache.of(module, List.of("first", "second"), TIME)).isSameAs(kernels);
    }
}
