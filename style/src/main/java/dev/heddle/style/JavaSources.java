package dev.heddle.style;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// The Java files of a checkout, without those of hidden folders and of build outputs.
final class JavaSources extends SimpleFileVisitor<Path> {
    private final Path root;
    private final List<Path> files = new ArrayList<>();

    private JavaSources(Path root) {
        this.root = root;
    }

    static List<Path> under(Path root) throws IOException {
        JavaSources sources = new JavaSources(root);
        Files.walkFileTree(root, sources);
        return List.copyOf(sources.files);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        String name = folder.getFileName().toString();
        boolean skipped = name.startsWith(".") || name.equals("target");
        return skipped && !folder.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (file.toString().endsWith(".java")) {
            files.add(file);
        }
        return FileVisitResult.CONTINUE;
    }
}
