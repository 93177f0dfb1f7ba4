package dev.heddle.vm.ir;

import dev.heddle.vm.semantics.Approximation;
import dev.heddle.vm.semantics.BitManipulation;
import dev.heddle.vm.semantics.Comparison;
import dev.heddle.vm.semantics.Conversion;
import dev.heddle.vm.semantics.DoubleArithmetic;
import dev.heddle.vm.semantics.FloatArithmetic;
import dev.heddle.vm.semantics.FlushedArithmetic;
import dev.heddle.vm.semantics.HalfArithmetic;
import dev.heddle.vm.semantics.IntegerArithmetic;
import dev.heddle.vm.semantics.Video;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// All semantic methods by name: the one binder between names and methods.
public final class Operations {
    private static final Map<String, Operation> BY_NAME = bind();

    private Operations() {}

    /// The operation of this name.
    ///
    /// @throws IllegalArgumentException where there is none
    public static Operation named(String name) {
        Operation operation = BY_NAME.get(name);
        if (operation == null) {
            throw new IllegalArgumentException("no semantic method is named " + name);
        }
        return operation;
    }

    /// Every operation, by name.
    public static Collection<Operation> all() {
        return BY_NAME.values();
    }

    private static Map<String, Operation> bind() {
        Map<String, Operation> found = new TreeMap<>();
        for (Class<?> owner :
                new Class<?>[] {
                    IntegerArithmetic.class,
                    BitManipulation.class,
                    Comparison.class,
                    FloatArithmetic.class,
                    FlushedArithmetic.class,
                    DoubleArithmetic.class,
                    HalfArithmetic.class,
                    Conversion.class,
                    Approximation.class,
                    Video.class
                }) {
            for (Method method : owner.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers())
                        && found.put(method.getName(), operation(owner, method)) != null) {
                    throw new IllegalStateException("two semantic methods named " + method);
                }
            }
        }
        return Collections.unmodifiableMap(found);
    }

    private static Operation operation(Class<?> owner, Method method) {
        try {
            return new Operation(
                    owner,
                    method.getName(),
                    Arrays.stream(method.getParameterTypes()).map(Carrier::of).toList(),
                    Carrier.of(method.getReturnType()),
                    MethodHandles.lookup().unreflect(method));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(method + " is not accessible", e);
        }
    }
}
