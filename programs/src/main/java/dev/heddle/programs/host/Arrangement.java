package dev.heddle.programs.host;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;

/// A function that is a call: `f(a, unused, b) g(b, 1, h(a))`. What it hands on are its own
/// parameters, in any order, whole numbers, and what other calls return, made from left to right as
/// in Java.
record Arrangement(Steps steps) {
    /// What can be called.
    interface Steps {
        Step of(String name) throws ReflectiveOperationException;
    }

    /// Something that can be called.
    ///
    /// @param parameters as they are declared; null where nobody reads one: it is a `long`, as good
    /// as any other type then
    /// @param always whether it answers whatever happened to the device before
    record Step(MethodHandle handle, List<@Nullable Parameter> parameters, boolean always) {}

    /// What a function does.
    ///
    /// @param function its name and parameters, `name(a, b)`
    static Step of(String function, String call, Steps steps) throws ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        Step made = new Arrangement(steps).step(call, names);
        List<@Nullable Parameter> parameters = new ArrayList<>();
        List<Class<?>> types = new ArrayList<>();
        List<String> own = inBrackets(function);
        for (String name : own) {
            int from = names.indexOf(name);
            parameters.add(from < 0 ? null : made.parameters.get(from));
            types.add(from < 0 ? long.class : made.handle.type().parameterType(from));
        }
        MethodType type = MethodType.methodType(made.handle.type().returnType(), types);
        int[] order = names.stream().mapToInt(own::indexOf).toArray();
        return new Step(
                MethodHandles.permuteArguments(made.handle, type, order), parameters, made.always);
    }

    /// What stands before the brackets, if there are any.
    static String name(String function) {
        int bracket = function.indexOf('(');
        return bracket < 0 ? function : function.substring(0, bracket);
    }

    private static List<String> inBrackets(String function) {
        List<String> found = new ArrayList<>();
        int start = function.indexOf('(') + 1;
        int depth = 0;
        for (int i = start; i < function.length(); i++) {
            char at = function.charAt(i);
            if (depth == 0 && (at == ',' || at == ')') && i > start) {
                found.add(function.substring(start, i).strip());
                start = i + 1;
            }
            depth += at == '(' ? 1 : at == ')' ? -1 : 0;
        }
        return found;
    }

    /// A call with a parameter for each name in it.
    ///
    /// @param names that are found, in their order
    private Step step(String call, List<String> names) throws ReflectiveOperationException {
        Step called = steps.of(name(call));
        MethodHandle handle = called.handle;
        List<@Nullable Parameter> parameters = new ArrayList<>();
        List<String> arguments = inBrackets(call);
        // From the last: what is put before a handle runs before it.
        for (int i = arguments.size() - 1; i >= 0; i--) {
            String argument = arguments.get(i);
            Class<?> type = handle.type().parameterType(i);
            if (argument.endsWith(")")) {
                List<String> inner = new ArrayList<>();
                Step made = step(argument, inner);
                MethodType typed = made.handle.type().changeReturnType(type);
                handle = MethodHandles.collectArguments(handle, i, made.handle.asType(typed));
                names.addAll(0, inner);
                parameters.addAll(0, made.parameters);
            } else if (Character.isJavaIdentifierStart(argument.charAt(0))) {
                names.addFirst(argument);
                parameters.addFirst(called.parameters.get(i));
            } else {
                long value = Long.parseLong(argument);
                handle =
                        MethodHandles.insertArguments(
                                handle, i, type == int.class ? (Object) (int) value : value);
            }
        }
        return new Step(handle, parameters, called.always);
    }
}
