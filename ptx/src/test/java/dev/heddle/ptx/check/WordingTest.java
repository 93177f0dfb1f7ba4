package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

@DisplayName("The table of wordings")
final class WordingTest {

    /// The texts of all classes of the checker that begin with the id of a rule.
    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        Path folder = Path.of("target/classes/dev/heddle/ptx/check");
        try (Stream<Path> classes = Files.list(folder)) {
            for (Path file : classes.filter(path -> path.toString().endsWith(".class")).toList()) {
                for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
                    if (entry instanceof StringEntry text
                            && Rule.named(text.stringValue().split("[.]", 2)[0]).isPresent()) {
                        named.add(text.stringValue());
                    }
                }
            }
        }
        return named;
    }

    @Test
    void hasARowForEachNameInTheCheckerAndNoOther() throws IOException {
        assertThat(named()).containsExactlyElementsOf(new TreeSet<>(Wording.names()));
    }

    @Test
    void fillsEveryPlaceOfARow() {
        List<Object> ten = new ArrayList<>(Collections.nCopies(10, "*"));
        for (String name : Wording.names()) {
            Wording wording = Wording.of(name);
            assertThat(Wording.filled(wording.message(), ten)).isNotEmpty().doesNotContain("{0");
            assertThat(Wording.filled(wording.remedy(), ten)).isNotEmpty().doesNotContain("{1}");
        }
    }
}
