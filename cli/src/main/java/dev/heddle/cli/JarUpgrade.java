package dev.heddle.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/// Copies a jar of old class files as class files of Java 17.
///
/// The cache that the launcher starts from takes no class that needs the verifier of Java 5, and
/// picocli is compiled for it: without this its classes alone would cost a look-up more than all
/// else.
/// Only the version and the stack maps change.
final class JarUpgrade {
    private static final int JAVA_17 = 61;

    private JarUpgrade() {}

    /// `JarUpgrade FROM TO`
    public static void main(String[] paths) throws IOException {
        Path from = Path.of(paths[0]);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {from.toUri().toURL()});
                JarFile in = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(Path.of(paths[1]));
                JarOutputStream out = new JarOutputStream(file)) {
            ClassFile classFile =
                    ClassFile.of(
                            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                            ClassFile.ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(loader)));
            for (JarEntry entry : List.copyOf(in.stream().toList())) {
                if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/versions")) {
                    byte[] bytes = in.getInputStream(entry).readAllBytes();
                    boolean code = entry.getName().endsWith(".class");
                    out.putNextEntry(new JarEntry(entry.getName()));
                    out.write(code ? upgraded(classFile, bytes) : bytes);
                    out.closeEntry();
                }
            }
        }
    }

    private static byte[] upgraded(ClassFile classFile, byte[] bytes) {
        return classFile.transformClass(
                classFile.parse(bytes),
                (builder, element) -> {
                    switch (element) {
                        case ClassFileVersion old -> builder.withVersion(JAVA_17, 0);
                        case MethodModel method ->
                                builder.transformMethod(
                                        method,
                                        MethodTransform.transformingCode(CodeTransform.ACCEPT_ALL));
                        default -> builder.with(element);
                    }
                });
    }
}
