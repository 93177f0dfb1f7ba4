package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

@DisplayName("Pattern switches as methods")
final class PatternSwitchesTest {

    @Test
    void answerAsBefore() throws Exception {
        Class<?> changed = new Loader().define(SwitchSubject.class.getName());
        @SuppressWarnings("unchecked")
        Function<@Nullable Object, String> subject =
                (Function<@Nullable Object, String>) changed.getDeclaredConstructor().newInstance();
        Object[] given = {null, 3, 7, "", "abc", List.of(1), new int[2], 2.5};
        for (Object each : given) {
            assertThat(subject.apply(each)).isEqualTo(new SwitchSubject().apply(each));
        }
    }

    @Test
    void areGoneFromTheClass() throws IOException {
        ClassModel before = ClassFile.of().parse(bytes(SwitchSubject.class.getName()));
        assertThat(PatternSwitches.in(before)).isTrue();

        byte[] after = ClassFile.of().transformClass(before, PatternSwitches.of(before));

        assertThat(ClassFile.of().verify(after)).isEmpty();
        assertThat(ClassFile.of().parse(after).methods())
                .filteredOn(method -> method.methodName().stringValue().startsWith("typeSwitch$"))
                .hasSize(2);
    }

    /// Defines the subject and its nested classes anew, the switches changed.
    private static final class Loader extends ClassLoader {
        Loader() {
            super(PatternSwitchesTest.class.getClassLoader());
        }

        Class<?> define(String name) throws IOException {
            ClassModel model = ClassFile.of().parse(bytes(name));
            byte[] changed = ClassFile.of().transformClass(model, PatternSwitches.of(model));
            return defineClass(name, changed, 0, changed.length);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(SwitchSubject.class.getName() + "$")
                    && findLoadedClass(name) == null) {
                try {
                    return define(name);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in =
                PatternSwitchesTest.class.getResourceAsStream(
                        "/" + name.replace('.', '/') + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }
}
