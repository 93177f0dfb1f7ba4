package dev.heddle.bench;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.launch.LaunchCheck;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A launch of a corpus.
///
/// @param name its folder and its launch file
record CorpusLaunch(String name, Kernel kernel, Launch launch) {
    // Where nvcc compiled for several, one is timed.
    private static final List<String> TARGETS = List.of("90a", "80", "120a", "75");

    /// All of the folders in a folder.
    static List<CorpusLaunch> in(Path corpus) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(corpus, 2)) {
            files = all.filter(CorpusLaunch::isLaunch).sorted().toList();
        }
        List<CorpusLaunch> launches = new ArrayList<>();
        for (Path file : files) {
            Path module = module(file);
            if (module != null) {
                launches.add(read(file, module));
            }
        }
        return launches;
    }

    private static boolean isLaunch(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith("launch") && name.endsWith(".json");
    }

    private static @Nullable Path module(Path file) throws IOException {
        Path folder = LaunchCheck.folder(file);
        List<Path> modules;
        try (Stream<Path> all = Files.list(folder)) {
            modules = all.filter(one -> one.toString().endsWith(".ptx")).toList();
        }
        return TARGETS.stream()
                .flatMap(target -> modules.stream().filter(one -> isFor(one, target)))
                .findFirst()
                .orElse(null);
    }

    private static boolean isFor(Path module, String target) {
        return module.toString().endsWith(".compute_" + target + ".ptx");
    }

    /// The first launch of a file.
    static CorpusLaunch read(Path file, Path module) throws IOException {
        LaunchCheck check = LaunchCheck.read(file, module);
        String name = LaunchCheck.folder(file).getFileName() + "/" + file.getFileName();
        return new CorpusLaunch(name, check.kernel(), check.launches().getFirst().launch());
    }

    /// Whether the kernel multiplies on tensor cores.
    boolean multiplies() {
        return kernel.program().codes().stream()
                .flatMap(code -> code.blocks().stream())
                .map(Block::exit)
                .anyMatch(
                        exit ->
                                exit instanceof Exit.Synchronize(_, _, Collective joint, _)
                                        && (joint instanceof Collective.Multiply
                                                || joint instanceof Collective.MultiplyAsync));
    }
}
