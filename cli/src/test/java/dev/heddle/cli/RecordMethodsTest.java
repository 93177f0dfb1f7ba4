package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Objects;

@DisplayName("Written-out methods of records")
final class RecordMethodsTest {
    /// A component of each kind that is compared in a way of its own.
    record Subject(
            boolean a,
            byte b,
            char c,
            short d,
            int e,
            long f,
            float g,
            double h,
            @Nullable String i,
            List<Integer> j) {}

    private static final Object[] FIRST = {
        true, (byte) -1, 'x', (short) -2, 3, 1L << 40, Float.NaN, 0.0, "text", List.of(1)
    };
    private static final Object[] SECOND = {
        false, (byte) 1, 'y', (short) 2, 4, 1L << 41, 0.5f, -0.0, null, List.of(2)
    };

    @Test
    void answerAsTheRecordDoes() throws Exception {
        Object changed = make(changed(), FIRST);
        Object plain = make(Subject.class, FIRST);

        assertThat(changed).hasSameHashCodeAs(plain).isEqualTo(make(changed.getClass(), FIRST));
        assertThat(changed).isNotEqualTo(plain).isNotEqualTo(null);
        for (int i = 0; i < FIRST.length; i++) {
            Object[] other = FIRST.clone();
            other[i] = SECOND[i];
            Object differs = make(changed.getClass(), other);
            assertThat(changed).as("component %d", i).isNotEqualTo(differs);
            assertThat(differs).hasSameHashCodeAs(make(Subject.class, other));
        }
    }

    @Test
    void leaveNothingToLinkButTheText() throws IOException {
        ClassModel before = model();
        assertThat(RecordMethods.in(before)).isTrue();

        byte[] after = ClassFile.of().transformClass(before, RecordMethods.of(before));

        assertThat(ClassFile.of().verify(after)).isEmpty();
        assertThat(ClassFile.of().parse(after).methods())
                .extracting(method -> method.methodName().stringValue())
                .containsAll(List.of("equals$components", "hashCode$components"));
    }

    private static Object make(Class<?> type, Object[] components) throws Exception {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(components);
    }

    private static Class<?> changed() throws IOException {
        byte[] bytes = ClassFile.of().transformClass(model(), RecordMethods.of(model()));
        return new ClassLoader(RecordMethodsTest.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(Subject.class.getName(), bytes, 0, bytes.length);
            }
        }.define();
    }

    private static ClassModel model() throws IOException {
        try (InputStream in =
                RecordMethodsTest.class.getResourceAsStream(
                        "/" + Subject.class.getName().replace('.', '/') + ".class")) {
            return ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
        }
    }
}
