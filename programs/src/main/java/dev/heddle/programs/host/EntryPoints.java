package dev.heddle.programs.host;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.ToIntBiFunction;

/// Gives C an address for each function that has a method of its name here. The only place of this
/// module that reflects.
///
/// A method's parameters are those of the C function: `int` and `long` (also pointers and
/// `size_t`), `float`, and [Words] for a structure by value. It answers `int`, `long`, or nothing
/// where it succeeds or throws a [CudaException].
public final class EntryPoints {
    /// A structure by value of so many 64-bit words.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.PARAMETER)
    public @interface Words {
        /// Its size.
        int value();
    }

    /// A function, or all of a class, that answers whatever happened to the device before.
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    public @interface AlwaysAnswers {}

    /// What is asked before a function does anything.
    @FunctionalInterface
    public interface Precondition {
        /// What throws a [CudaException] where a function is refused now.
        ///
        /// @param name of the function, whichever version of it
        /// @param always whether it [AlwaysAnswers]
        Runnable of(String name, boolean always);
    }

    private static final List<String> SUFFIXES =
            List.of("_ptsz", "_ptds", "_v2", "_v3", "_v4", "_v2_ptsz", "_v2_ptds");

    /// What a function does: a method, or a call with its own parameters (`b(parameter, 1)`).
    private sealed interface Function {}

    private record Own(Object owner, Method method) implements Function {}

    private record Arranged(String function, String call) implements Function {}

    private final Map<String, Function> targets = new HashMap<>();
    private final Precondition precondition;
    private final ToIntBiFunction<String, Throwable> answer;

    /// Entry points of these objects' public methods.
    ///
    /// @param owners whose methods have the functions' names, or those of steps that only `others`
    /// call
    /// @param others functions that do what another does: `NAME OTHER`, or an [Arrangement] of one,
    /// `cuMemcpyHtoD(to, from, bytes) cudaMemcpy(to, from, bytes, 1)`
    /// @param precondition what is asked before a function
    /// @param answer the code that a function of this name answers for what its method threw
    public EntryPoints(
            List<Object> owners,
            List<String> others,
            Precondition precondition,
            ToIntBiFunction<String, Throwable> answer) {
        this.precondition = precondition;
        this.answer = answer;
        for (Object owner : owners) {
            for (Method method : owner.getClass().getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())) {
                    targets.put(method.getName(), new Own(owner, method));
                }
            }
        }
        others.forEach(this::define);
    }

    private void define(String line) {
        int space = line.indexOf(' ', Math.max(0, line.indexOf(')')));
        String function = line.substring(0, space);
        String other = line.substring(space + 1);
        Function target = targets.get(Arrangement.name(other));
        if (target == null) {
            throw new IllegalArgumentException(line + ": the second is no function above");
        }
        targets.put(
                Arrangement.name(function),
                other.endsWith(")") ? new Arranged(function, other) : target);
    }

    /// Whether a function is here, by its own name or that of which it is a variant.
    public boolean has(String name) {
        return find(name) != null;
    }

    /// The name of a function's newest version, where versions have parameters of their own.
    public String newest(String name) {
        for (String version : List.of("_v4", "_v3", "_v2")) {
            if (targets.containsKey(name + version)) {
                return name + version;
            }
        }
        return name;
    }

    /// The address of a function as a toolkit declares it: parameters of CUDA 12 have methods with
    /// `_v1` behind their names.
    public long address(String name, int toolkit) throws ReflectiveOperationException {
        String plain = name.endsWith("_ptsz") ? name.substring(0, name.length() - 5) : name;
        boolean older = toolkit == 12 && targets.containsKey(plain + "_v1");
        return address(older ? plain + "_v1" : name);
    }

    /// The address of a function; of one that is not here, the address of one that says so.
    @SuppressWarnings("restricted") // what this class is about
    public long address(String name) throws ReflectiveOperationException {
        Function target = find(name);
        if (target == null) {
            return missing(name);
        }
        Arrangement.Step step = step(target);
        MethodHandle handle = step.handle();
        if (handle.type().returnType() == void.class) {
            handle =
                    MethodHandles.filterReturnValue(
                            handle, MethodHandles.constant(int.class, ErrorCode.SUCCESS));
        }
        if (handle.type().returnType() == int.class) {
            handle = guarded(name, handle, step.always());
        }
        return Linker.nativeLinker()
                .upcallStub(
                        handle,
                        FunctionDescriptor.of(
                                layout(handle.type().returnType()),
                                step.parameters().stream()
                                        .map(EntryPoints::layout)
                                        .toArray(MemoryLayout[]::new)),
                        Arena.global())
                .address();
    }

    private Arrangement.Step step(Function function) throws ReflectiveOperationException {
        return switch (function) {
            case Own(Object owner, Method method) -> {
                MethodHandle handle = MethodHandles.lookup().unreflect(method);
                boolean always =
                        method.isAnnotationPresent(AlwaysAnswers.class)
                                || owner.getClass().isAnnotationPresent(AlwaysAnswers.class);
                boolean isStatic = Modifier.isStatic(method.getModifiers());
                yield new Arrangement.Step(
                        isStatic ? handle : handle.bindTo(owner),
                        List.of(method.getParameters()),
                        always);
            }
            case Arranged(String own, String call) ->
                    Arrangement.of(
                            own,
                            call,
                            name -> step(Objects.requireNonNull(targets.get(name), name)));
        };
    }

    private @Nullable Function find(String name) {
        Function exact = targets.get(name);
        if (exact != null) {
            return exact;
        }
        for (String suffix : SUFFIXES) {
            if (name.endsWith(suffix)) {
                Function plain = targets.get(name.substring(0, name.length() - suffix.length()));
                if (plain != null) {
                    return plain;
                }
            }
        }
        return null;
    }

    private MethodHandle guarded(String name, MethodHandle handle, boolean always)
            throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle check =
                lookup.findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                        .bindTo(precondition.of(name, always));
        MethodHandle checked = MethodHandles.foldArguments(handle, check);
        MethodHandle caught =
                lookup.bind(
                                this,
                                "answer",
                                MethodType.methodType(int.class, String.class, Throwable.class))
                        .bindTo(name);
        return MethodHandles.catchException(checked, Throwable.class, caught);
    }

    int answer(String name, Throwable thrown) {
        return answer.applyAsInt(name, thrown);
    }

    /// A function of which only the name is known.
    @SuppressWarnings("restricted") // what this class is about
    private long missing(String name) throws ReflectiveOperationException {
        MethodHandle handle =
                MethodHandles.lookup()
                        .bind(
                                new Missing(name, answer),
                                "getAsInt",
                                MethodType.methodType(int.class));
        return Linker.nativeLinker()
                .upcallStub(handle, FunctionDescriptor.of(ValueLayout.JAVA_INT), Arena.global())
                .address();
    }

    private record Missing(String name, ToIntBiFunction<String, Throwable> answer)
            implements IntSupplier {
        @Override
        public int getAsInt() {
            System.err.println("heddle: " + name + " is not supported");
            return answer.applyAsInt(name, new CudaException(ErrorCode.NOT_SUPPORTED));
        }
    }

    private static MemoryLayout layout(@Nullable Parameter parameter) {
        if (parameter == null) {
            return ValueLayout.JAVA_LONG;
        }
        Words words = parameter.getAnnotation(Words.class);
        return words == null
                ? layout(parameter.getType())
                : MemoryLayout.structLayout(
                        MemoryLayout.sequenceLayout(words.value(), ValueLayout.JAVA_LONG));
    }

    private static MemoryLayout layout(Class<?> type) {
        if (type == int.class) {
            return ValueLayout.JAVA_INT;
        }
        if (type == long.class) {
            return ValueLayout.JAVA_LONG;
        }
        if (type == float.class) {
            return ValueLayout.JAVA_FLOAT;
        }
        if (type == byte.class) {
            return ValueLayout.JAVA_BYTE;
        }
        if (type == short.class) {
            return ValueLayout.JAVA_SHORT;
        }
        throw new IllegalArgumentException(type + ": a function takes int, long, float or Words");
    }
}
