package dev.heddle.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.constant.ClassDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;

/// Copies jars into one: class files from before Java 6 as those of Java 17, pattern switches as
/// methods ([PatternSwitches]), and what compares records written out ([RecordMethods]).
///
/// The cache that the launcher starts from takes no class that needs the verifier of Java 5, and
/// picocli is compiled for it: without this its classes alone would cost a look-up more than all
/// else. Only the version and the stack maps change. And picocli asks for a class that is not
/// there, for which every jar of the class path is opened: one is opened sooner than fourteen.
final class JarUpgrade {
    private static final int JAVA_6 = 50;
    private static final int JAVA_17 = 61;

    private JarUpgrade() {}

    /// `JarUpgrade TO FROM…`; of entries with the same name the first counts.
    public static void main(String[] paths) throws IOException {
        List<Path> from = List.of(paths).subList(1, paths.length).stream().map(Path::of).toList();
        Set<String> names = new HashSet<>();
        URL[] all = new URL[from.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = from.get(i).toUri().toURL();
        }
        // Stack maps are made anew, and these need to know what a class extends.
        try (URLClassLoader loader = new URLClassLoader(all);
                OutputStream file = Files.newOutputStream(Path.of(paths[0]));
                JarOutputStream out = new JarOutputStream(file)) {
            ClassFile classFile =
                    ClassFile.of(
                            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                            ClassFile.ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(loader)));
            for (Path jar : from) {
                copy(classFile, jar, out, names);
            }
        }
    }

    private static void copy(ClassFile classFile, Path jar, JarOutputStream out, Set<String> names)
            throws IOException {
        try (JarFile in = new JarFile(jar.toFile())) {
            for (JarEntry entry : List.copyOf(in.stream().toList())) {
                String name = entry.getName();
                if (entry.isDirectory()
                        || name.startsWith("META-INF/versions")
                        || name.equals("module-info.class")
                        || !names.add(name)) {
                    continue;
                }
                byte[] bytes = in.getInputStream(entry).readAllBytes();
                out.putNextEntry(new JarEntry(name));
                out.write(name.endsWith(".class") ? upgraded(classFile, bytes) : bytes);
                out.closeEntry();
            }
        }
    }

    /// Whether something in a class is linked at run time by the methods of this class.
    static boolean isLinkedBy(ClassDesc bootstraps, ClassModel model) {
        ConstantPool pool = model.constantPool();
        return IntStream.range(0, pool.bootstrapMethodCount())
                .mapToObj(index -> pool.bootstrapMethodEntry(index).bootstrapMethod().asSymbol())
                .anyMatch(method -> method.owner().equals(bootstraps));
    }

    private static byte[] upgraded(ClassFile classFile, byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        if (model.majorVersion() >= JAVA_6) {
            byte[] written = bytes;
            if (PatternSwitches.in(model)) {
                written = classFile.transformClass(model, PatternSwitches.of(model));
                model = classFile.parse(written);
            }
            return RecordMethods.in(model)
                    ? classFile.transformClass(model, RecordMethods.of(model))
                    : written;
        }
        return classFile.transformClass(
                model,
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
