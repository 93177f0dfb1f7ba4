package dev.heddle.vm.semantics;

import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Operation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Semantic methods with all carriers turned into the 64 bits of a register.
public final class RegisterHandles {
    private static final Map<Operation, MethodHandle> CACHE = new ConcurrentHashMap<>();
    private static final Map<Carrier, MethodHandle> FROM_BITS;
    private static final Map<Carrier, MethodHandle> TO_BITS;

    static {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            FROM_BITS =
                    Map.of(
                            Carrier.BOOLEAN,
                            find(lookup, "isSet", boolean.class, long.class),
                            Carrier.INT,
                            find(lookup, "asInt", int.class, long.class),
                            Carrier.LONG,
                            MethodHandles.identity(long.class),
                            Carrier.FLOAT,
                            find(lookup, "asFloat", float.class, long.class),
                            Carrier.DOUBLE,
                            find(lookup, "asDouble", double.class, long.class));
            TO_BITS =
                    Map.of(
                            Carrier.BOOLEAN,
                            find(lookup, "bits", long.class, boolean.class),
                            Carrier.INT,
                            find(lookup, "bits", long.class, int.class),
                            Carrier.LONG,
                            MethodHandles.identity(long.class),
                            Carrier.FLOAT,
                            find(lookup, "bits", long.class, float.class),
                            Carrier.DOUBLE,
                            find(lookup, "bits", long.class, double.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private RegisterHandles() {}

    private static MethodHandle find(
            MethodHandles.Lookup lookup, String name, Class<?> result, Class<?> parameter)
            throws ReflectiveOperationException {
        return lookup.findStatic(
                RegisterHandles.class, name, MethodType.methodType(result, parameter));
    }

    /// The handle `(long, ...) -> long` of an operation.
    public static MethodHandle of(Operation operation) {
        MethodHandle known = CACHE.get(operation);
        return known == null ? CACHE.computeIfAbsent(operation, RegisterHandles::bind) : known;
    }

    /// What an operation makes of the 64 bits of its operands.
    public static long apply(Operation operation, long... operands) {
        try {
            return (long)
                    of(operation).asSpreader(long[].class, operands.length).invokeExact(operands);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(operation.toString(), e);
        }
    }

    private static MethodHandle bind(Operation operation) {
        MethodHandle handle = SemanticMethod.of(operation).handle();
        List<Carrier> parameters = operation.parameters();
        MethodHandle[] filters = new MethodHandle[parameters.size()];
        for (int i = 0; i < filters.length; i++) {
            filters[i] = filter(FROM_BITS, parameters.get(i));
        }
        MethodHandle adapted = MethodHandles.filterArguments(handle, 0, filters);
        return MethodHandles.filterReturnValue(adapted, filter(TO_BITS, operation.result()));
    }

    private static MethodHandle filter(Map<Carrier, MethodHandle> filters, Carrier carrier) {
        MethodHandle filter = filters.get(carrier);
        if (filter == null) {
            throw new IllegalStateException("no filter for " + carrier);
        }
        return filter;
    }

    public static boolean isSet(long bits) {
        return bits != 0;
    }

    public static int asInt(long bits) {
        return (int) bits;
    }

    public static float asFloat(long bits) {
        return Float.intBitsToFloat((int) bits);
    }

    public static double asDouble(long bits) {
        return Double.longBitsToDouble(bits);
    }

    public static long bits(boolean value) {
        return value ? 1 : 0;
    }

    public static long bits(int value) {
        return value & 0xffff_ffffL;
    }

    public static long bits(float value) {
        return Float.floatToRawIntBits(value) & 0xffff_ffffL;
    }

    public static long bits(double value) {
        return Double.doubleToRawLongBits(value);
    }
}
