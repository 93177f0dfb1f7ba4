package dev.heddle.conformance;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which package of Heddle names which, read off the class files of the class path.
///
/// @param names of each package, those that it names
record PackageGraph(Map<String, Set<String>> names) {
    private static final String ROOT = "dev/heddle/";
    private static final Pattern OWN = Pattern.compile("dev/heddle/((?:[a-z0-9]+/)*)[A-Z]");

    /// Of these modules, without their tests.
    static PackageGraph of(Set<String> modules) throws IOException {
        PackageGraph graph = new PackageGraph(new TreeMap<>());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                graph.readFolder(path, modules);
            } else if (path.getFileName().toString().startsWith("heddle-")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    graph.readFolder(jar.getPath("/"), modules);
                }
            }
        }
        return graph;
    }

    private void readFolder(Path classes, Set<String> modules) throws IOException {
        // Class files of tests lie apart, in folders of this name.
        if (classes.toString().contains("test")) {
            return;
        }
        for (String module : modules) {
            Path folder = classes.resolve(ROOT + module);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                        read(ClassFile.of().parse(Files.readAllBytes(file)));
                    }
                }
            }
        }
    }

    private void read(ClassModel model) {
        Matcher own = OWN.matcher(model.thisClass().asInternalName());
        if (!own.lookingAt()) {
            return;
        }
        Set<String> named = names.computeIfAbsent(name(own), _ -> new TreeSet<>());
        for (PoolEntry entry : model.constantPool()) {
            // Classes, descriptors and signatures; a text constant is one too, and harmless.
            if (entry instanceof ClassEntry || entry instanceof Utf8Entry) {
                String text =
                        entry instanceof ClassEntry type
                                ? type.asInternalName()
                                : ((Utf8Entry) entry).stringValue();
                for (Matcher other = OWN.matcher(text); other.find(); ) {
                    named.add(name(other));
                }
            }
        }
        named.remove(name(own));
    }

    private static String name(Matcher match) {
        String folders = match.group(1);
        return folders.substring(0, folders.length() - 1).replace('/', '.');
    }

    /// The first part of a package's name.
    static String module(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    /// The packages of which each names all others, directly or by way of others.
    Set<Set<String>> circles() {
        Map<String, Set<String>> reached = new TreeMap<>();
        names.keySet().forEach(name -> reached.put(name, reached(name)));
        Set<Set<String>> circles = new LinkedHashSet<>();
        reached.forEach(
                (name, all) -> {
                    if (all.contains(name)) {
                        Set<String> circle = new TreeSet<>(all);
                        circle.removeIf(
                                other -> !reached.getOrDefault(other, Set.of()).contains(name));
                        circles.add(circle);
                    }
                });
        return circles;
    }

    private Set<String> reached(String from) {
        Set<String> seen = new TreeSet<>();
        List<String> ahead = new ArrayList<>(names.getOrDefault(from, Set.of()));
        while (!ahead.isEmpty()) {
            String next = ahead.removeLast();
            if (seen.add(next)) {
                ahead.addAll(names.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }
}
