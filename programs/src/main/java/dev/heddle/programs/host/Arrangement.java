package dev.heddle.programs.host;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;

/// How a function calls another one: with its own parameters, in any order, and constants.
///
/// @param parameters names of those of the function; one that is not handed on is a `long`, as good
/// as any other type where nobody reads it
/// @param arguments of the other: names, or whole numbers
record Arrangement(List<String> parameters, List<String> arguments) {
    /// Of two texts `name(a, b)`.
    static Arrangement of(String function, String other) {
        return new Arrangement(inBrackets(function), inBrackets(other));
    }

    /// What stands before the brackets, if there are any.
    static String name(String function) {
        int bracket = function.indexOf('(');
        return bracket < 0 ? function : function.substring(0, bracket);
    }

    private static List<String> inBrackets(String function) {
        return List.of(
                function.substring(function.indexOf('(') + 1, function.length() - 1)
                        .split(", ", -1));
    }

    /// What the function does.
    ///
    /// @param other what the other does
    MethodHandle arranged(MethodHandle other) {
        MethodHandle rest = other;
        Class<?>[] types = new Class<?>[parameters.size()];
        Arrays.fill(types, long.class);
        for (int i = arguments.size() - 1; i >= 0; i--) {
            Class<?> type = other.type().parameterType(i);
            int from = parameters.indexOf(arguments.get(i));
            if (from >= 0) {
                types[from] = type;
            } else {
                long constant = Long.parseLong(arguments.get(i));
                rest =
                        MethodHandles.insertArguments(
                                rest, i, type == int.class ? (Object) (int) constant : constant);
            }
        }
        int[] order =
                arguments.stream()
                        .mapToInt(parameters::indexOf)
                        .filter(from -> from >= 0)
                        .toArray();
        return MethodHandles.permuteArguments(
                rest, MethodType.methodType(other.type().returnType(), types), order);
    }

    /// How the function's parameters are passed.
    ///
    /// @param other how the other's are
    MemoryLayout[] arranged(MemoryLayout[] other) {
        MemoryLayout[] layouts = new MemoryLayout[parameters.size()];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        for (int i = 0; i < other.length; i++) {
            int from = parameters.indexOf(arguments.get(i));
            if (from >= 0) {
                layouts[from] = other[i];
            }
        }
        return layouts;
    }
}
