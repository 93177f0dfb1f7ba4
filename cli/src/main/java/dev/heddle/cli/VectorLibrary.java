package dev.heddle.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor.Exports;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// Copies the JDK's vector classes into a jar, and prints the options that the JVM needs when that
/// jar is appended to its boot class path.
///
/// They are the classes of a module that incubates, and with such a module JDK 25 keeps neither
/// linked classes nor profiles in the cache that the launcher starts from: the JIT would have to
/// find out anew, in every run, with what a kernel's methods are called. On the boot class path the
/// same classes are trusted as before and bring no such limit. Resolving the module is what turns
/// vectors on in the JVM, so the options do that too.
final class VectorLibrary {
    private static final String MODULE = "jdk.incubator.vector";
    private static final List<String> VECTORS_ON =
            List.of(
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:+EnableVectorSupport",
                    "-XX:+EnableVectorReboxing",
                    "-XX:+EnableVectorAggressiveReboxing");

    private VectorLibrary() {}

    /// `VectorLibrary TO`
    public static void main(String[] paths) throws IOException {
        copy(Path.of(paths[0]));
        Object.class.getModule().getDescriptor().exports().stream()
                .filter(exports -> exports.targets().contains(MODULE))
                .map(Exports::source)
                .sorted()
                .map("--add-exports=java.base/%s=ALL-UNNAMED"::formatted)
                .forEach(System.out::println);
        VECTORS_ON.forEach(System.out::println);
    }

    private static void copy(Path jar) throws IOException {
        FileSystem runtime = FileSystems.getFileSystem(URI.create("jrt:/"));
        Path module = runtime.getPath("modules", MODULE);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> tree = Files.walk(module)) {
            for (Path path : tree.filter(Files::isRegularFile).toList()) {
                String name = module.relativize(path).toString();
                if (!name.equals("module-info.class")) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(path, out);
                    out.closeEntry();
                }
            }
        }
    }
}
