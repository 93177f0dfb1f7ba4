package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.functions.VectorApproximate;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.SemanticMethod;

import jdk.incubator.vector.VectorOperators;

import org.jspecify.annotations.Nullable;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which operations have a variant on vectors of lanes, and what it takes: an operator of the
/// Vector API, or else the static method of the same name.
final class VectorVariants {
    private static final Map<String, Variant> VARIANTS = new HashMap<>();

    /// Vectors of 128 bits hold two lanes, and take longer than one lane after the other.
    private static final boolean AVAILABLE =
            Processor.compilesVectors() && hasVectors() && VectorLanes.LONGS.length() > 2;

    static {
        if (AVAILABLE) {
            Bound.bind(VARIANTS);
        }
    }

    private VectorVariants() {}

    /// The classes may come as their module or on the boot class path.
    private static boolean hasVectors() {
        try {
            Class.forName("jdk.incubator.vector.IntVector", false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /// What a variant takes or gives in one place.
    enum Kind {
        INT,
        FLOAT,
        LONG,
        DOUBLE,
        /// A mask over words; other masks are cast.
        MASK,
        LONG_MASK,
        FLOAT_MASK,
        DOUBLE_MASK,
        /// A constant of the instruction.
        IMMEDIATE
    }

    /// A static method on vectors, or a method of the first vector that takes an operator.
    record Variant(
            ClassDesc owner,
            String name,
            MethodTypeDesc descriptor,
            List<Kind> parameters,
            Kind result,
            @Nullable Operator operator) {}

    /// The operator that a method takes, and whether its result is negated.
    record Operator(String name, ClassDesc type, boolean negated) {}

    /// Apart, so that the vector module is looked at only where there is one.
    private static final class Bound {
        private static final List<Class<?>> OWNERS =
                List.of(VectorIntegers.class, VectorFloats.class, VectorApproximate.class);

        static void bind(Map<String, Variant> variants) {
            for (Class<?> owner : OWNERS) {
                bind(owner, variants);
            }
        }

        private static void bind(Class<?> owner, Map<String, Variant> variants) {
            ClassDesc described = described(owner);
            for (Method method : owner.getDeclaredMethods()) {
                if (method.isSynthetic() || Modifier.isPrivate(method.getModifiers())) {
                    continue;
                }
                List<Kind> parameters = new ArrayList<>();
                for (Type type : method.getGenericParameterTypes()) {
                    parameters.add(kind(type));
                }
                variants.put(
                        method.getName(),
                        new Variant(
                                described,
                                method.getName(),
                                MethodType.methodType(
                                                method.getReturnType(), method.getParameterTypes())
                                        .describeConstable()
                                        .orElseThrow(),
                                parameters,
                                kind(method.getGenericReturnType()),
                                null));
            }
        }

        /// A method of the first operand's vector: `a.lanewise(ADD, b)`, `a.compare(LT, b)`.
        static Variant lanewise(Operation operation, LanewiseOperator operator) {
            int count = operation.parameters().size();
            boolean compares = operation.result() == Carrier.BOOLEAN;
            Class<?> taken =
                    compares
                            ? VectorOperators.Comparison.class
                            : switch (count) {
                                case 1 -> VectorOperators.Unary.class;
                                case 2 -> VectorOperators.Binary.class;
                                default -> VectorOperators.Ternary.class;
                            };
            Kind kind = Kind.valueOf(operation.parameters().getFirst().name());
            ClassDesc vector = VectorValues.vector(kind);
            List<ClassDesc> parameters = new ArrayList<>();
            parameters.add(described(taken));
            parameters.addAll(Collections.nCopies(count - 1, VectorValues.VECTOR));
            return new Variant(
                    vector,
                    compares ? "compare" : "lanewise",
                    MethodTypeDesc.of(compares ? VectorValues.MASK : vector, parameters),
                    Collections.nCopies(count, kind),
                    compares ? mask(kind) : kind,
                    new Operator(operator.name(), type(operator), operator.negated()));
        }

        private static ClassDesc type(LanewiseOperator operator) {
            try {
                return described(VectorOperators.class.getField(operator.name()).getType());
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(e);
            }
        }

        private static ClassDesc described(Class<?> type) {
            return ClassDesc.ofDescriptor(type.descriptorString());
        }

        private static Kind mask(Kind kind) {
            return switch (kind) {
                case LONG -> Kind.LONG_MASK;
                case FLOAT -> Kind.FLOAT_MASK;
                case DOUBLE -> Kind.DOUBLE_MASK;
                default -> Kind.MASK;
            };
        }

        private static Kind kind(Type type) {
            if (type instanceof ParameterizedType generic) {
                return switch (generic.getActualTypeArguments()[0].getTypeName()) {
                    case "java.lang.Integer" -> Kind.MASK;
                    case "java.lang.Long" -> Kind.LONG_MASK;
                    case "java.lang.Float" -> Kind.FLOAT_MASK;
                    default -> Kind.DOUBLE_MASK;
                };
            }
            String name = type.getTypeName();
            return switch (name.substring(name.lastIndexOf('.') + 1)) {
                case "IntVector" -> Kind.INT;
                case "FloatVector" -> Kind.FLOAT;
                case "LongVector" -> Kind.LONG;
                case "DoubleVector" -> Kind.DOUBLE;
                default -> Kind.IMMEDIATE;
            };
        }
    }

    /// Whether this JVM has the vector module, and the machine vectors that are worth it.
    static boolean available() {
        return AVAILABLE;
    }

    static boolean has(Step.Compute step) {
        return of(step) != null;
    }

    /// Whether an operation has a variant, at least for some operands.
    static boolean has(Operation operation) {
        if (AVAILABLE && LanewiseOperator.of(operation) != null) {
            return true;
        }
        SemanticMethod method = SemanticMethod.of(operation);
        return method.constants().isEmpty()
                && (VARIANTS.containsKey(method.name())
                        || VARIANTS.containsKey(method.name() + "By"));
    }

    /// The variant of a step's operation: the one for constant operands where it has one.
    static @Nullable Variant of(Step.Compute step) {
        LanewiseOperator operator = LanewiseOperator.of(step.operation());
        if (AVAILABLE && operator != null) {
            return Bound.lanewise(step.operation(), operator);
        }
        SemanticMethod method = SemanticMethod.of(step.operation());
        if (!method.constants().isEmpty()) {
            return null;
        }
        boolean shifts = step.operation().kind().shape() == OperationKind.Shape.SHIFT;
        if (shifts
                && step.arguments().get(1) instanceof Source.Constant(_, long amount)
                && amount < step.operation().type().bits()) {
            return VARIANTS.get(method.name() + "By");
        }
        Variant variant = VARIANTS.get(method.name());
        if (variant == null || variant.parameters().size() != step.arguments().size()) {
            return null;
        }
        for (int i = 0; i < variant.parameters().size(); i++) {
            if (variant.parameters().get(i) == Kind.IMMEDIATE
                    && !(step.arguments().get(i) instanceof Source.Constant)) {
                return null;
            }
        }
        return variant;
    }
}
