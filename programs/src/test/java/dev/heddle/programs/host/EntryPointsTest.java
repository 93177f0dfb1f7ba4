package dev.heddle.programs.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

@DisplayName("functions that C calls")
final class EntryPointsTest {
    private static final String REST = "rest(a, number, unused, b) all(b, 7, a, number, -1)";

    /// A class with functions.
    public static final class Functions {
        private final List<Object> called = new ArrayList<>();

        /// A function of parameters of every size.
        public void all(long a, int b, byte c, short d, long e) {
            called.addAll(List.of(a, b, c, d, e));
        }

        /// A step.
        public List<Object> pair(int first, long second) {
            called.add("pair");
            return List.of(first, second);
        }

        /// Another one, of the class.
        public static int twice(int number) {
            return 2 * number;
        }

        /// A function of what steps return.
        public void keep(long number, Object one, Object other) {
            called.addAll(List.of(number, one, other));
        }

        /// A step that also tells when it ran.
        public Integer next() {
            called.add("next");
            return called.size();
        }
    }

    private static EntryPoints of(Functions functions, String... others) {
        return new EntryPoints(
                List.of(functions), List.of(others), (_, _) -> () -> {}, (_, _) -> 999);
    }

    @SuppressWarnings("restricted") // as C calls them
    private static MethodHandle at(long address, MemoryLayout... parameters) {
        return Linker.nativeLinker()
                .downcallHandle(
                        MemorySegment.ofAddress(address),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    @Test
    void callAnotherWithTheirParametersAndConstants() throws Throwable {
        Functions functions = new Functions();
        MethodHandle rest =
                at(
                        of(functions, REST).address("rest"),
                        ValueLayout.JAVA_BYTE,
                        ValueLayout.JAVA_SHORT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG);
        assertThat((int) rest.invokeExact((byte) -3, (short) -300, 5, 1L << 40)).isZero();
        assertThat(functions.called).containsExactly(1L << 40, 7, (byte) -3, (short) -300, -1L);
    }

    @Test
    void handOnWhatOtherCallsReturnFromLeftToRight() throws Throwable {
        Functions functions = new Functions();
        MethodHandle kept =
                at(
                        of(functions, "kept(a, b, c) keep(c, pair(twice(a), b), next())")
                                .address("kept"),
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG);
        assertThat((int) kept.invokeExact(21, 1L << 40, 7L)).isZero();
        assertThat(functions.called).containsExactly("pair", "next", 7L, List.of(42, 1L << 40), 2);
    }

    @Test
    void callThoseThatCallOthers() throws Throwable {
        Functions functions = new Functions();
        MethodHandle most =
                at(
                        of(functions, REST, "most(b, a, number) rest(a, number, 0, b)")
                                .address("most"),
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_BYTE,
                        ValueLayout.JAVA_SHORT);
        assertThat((int) most.invokeExact(1L << 40, (byte) -3, (short) -300)).isZero();
        assertThat(functions.called).containsExactly(1L << 40, 7, (byte) -3, (short) -300, -1L);
    }

    @Test
    void haveOtherParametersInCuda12() throws Throwable {
        Functions functions = new Functions();
        EntryPoints points = of(functions, "all_v1(c, d, a) all(a, 12, c, d, 3)");
        MethodHandle older =
                at(
                        points.address("all", 12),
                        ValueLayout.JAVA_BYTE,
                        ValueLayout.JAVA_SHORT,
                        ValueLayout.JAVA_LONG);
        assertThat((int) older.invokeExact((byte) 1, (short) 2, 5L)).isZero();
        assertThat(functions.called).containsExactly(5L, 12, (byte) 1, (short) 2, 3L);
    }

    @Test
    void haveOtherNamesToo() {
        EntryPoints points = of(new Functions(), REST, "remaining rest", "every all");
        assertThat(List.of("all", "rest", "remaining", "every", "every_v2")).allMatch(points::has);
        assertThat(points.has("none")).isFalse();
    }

    @Test
    void standAboveThoseThatCallThem() {
        assertThatThrownBy(() -> of(new Functions(), "remaining rest", REST))
                .hasMessage("remaining rest: the second is no function above");
    }
}
