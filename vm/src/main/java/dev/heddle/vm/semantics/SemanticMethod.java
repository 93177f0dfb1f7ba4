package dev.heddle.vm.semantics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;
import dev.heddle.tensorcore.functions.Approximate;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.OperationKind.Shape;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The Java method that computes an operation: a static method of this package, or of
/// [Approximate].
///
/// Its name follows from the operation, so that nothing is listed twice: `mul.hi.s32` is
/// `multiplyHighS32`. Rounding to nearest even has a method of its own, in the arithmetic of the
/// JVM; every other direction is an argument of another one (`addF32(a, b, rounding)`), and so is
/// every direction of conversions to narrow formats, and each of these formats (`add(a, b,
/// format)`). A method that is a whole instruction has the instruction's name, and may appear in
/// any class of this package.
///
/// @param owner the class that declares it
/// @param name of the method
/// @param type of the method
/// @param constants the last arguments: rounding and formats, where it takes them
/// @param exchanged whether the operation is that of its operands in the other order: `a > b` is
///     `b < a`
/// @param negated whether it is the opposite: `gtu` is where `le` is not
public record SemanticMethod(
        Class<?> owner,
        String name,
        MethodType type,
        List<Enum<?>> constants,
        boolean exchanged,
        boolean negated) {

    /// Where methods that are whole instructions may appear.
    private static final List<Class<?>> INSTRUCTIONS =
            List.of(
                    IntegerArithmetic.class,
                    BitManipulation.class,
                    FloatArithmetic.class,
                    DoubleArithmetic.class,
                    HalfArithmetic.class);

    private static final Map<Operation, SemanticMethod> KNOWN = new ConcurrentHashMap<>();

    /// The method of an operation, whether it exists or not.
    public static SemanticMethod of(Operation operation) {
        return KNOWN.computeIfAbsent(operation, SemanticMethod::bind);
    }

    private static SemanticMethod bind(Operation operation) {
        if (operation.kind() == OperationKind.INSTRUCTION) {
            return named(operation);
        }
        if (operation.kind().shape() == Shape.COMPARISON) {
            return comparison(operation);
        }
        List<Enum<?>> constants = new ArrayList<>();
        if (operation.rounding() != null && !isOwnMethod(operation)) {
            constants.add(operation.rounding());
        }
        if (takesFormats(operation)) {
            narrow(operation.type()).ifPresent(constants::add);
            if (operation.from() != operation.type()) {
                narrow(operation.from()).ifPresent(constants::add);
            }
        }
        return plain(operation, owner(operation), nameOf(operation), constants);
    }

    private static SemanticMethod plain(
            Operation operation, Class<?> owner, String name, List<Enum<?>> constants) {
        List<Class<?>> parameters = new ArrayList<>();
        operation.parameters().stream().map(Carrier::type).forEach(parameters::add);
        constants.forEach(constant -> parameters.add(constant.getDeclaringClass()));
        MethodType type = MethodType.methodType(operation.result().type(), parameters);
        return new SemanticMethod(owner, name, type, constants, false, false);
    }

    /// Whether formats of at most 16 bits are arguments, and not part of the name.
    private static boolean takesFormats(Operation operation) {
        return !isApproximate(operation) && !operation.has(Modifier.FTZ);
    }

    private static Optional<FloatFormat> narrow(ScalarType type) {
        return switch (type) {
            case F16, BF16, E4M3, E5M2, E2M3, E3M2, E2M1, UE8M0 ->
                    Optional.of(FloatFormat.valueOf(type.name()));
            default -> Optional.empty();
        };
    }

    /// Integers have no NaN: of them, everything is made of `equal` and `less`.
    private static SemanticMethod comparison(Operation operation) {
        boolean isNumber = operation.type().kind() == ScalarType.Kind.FLOAT;
        return switch (operation.kind()) {
            case EQ -> comparison(operation, "equal", false, false);
            case NE ->
                    isNumber
                            ? comparison(operation, "notEqual", false, false)
                            : comparison(operation, "equal", false, true);
            case LT -> comparison(operation, "less", false, false);
            case GT -> comparison(operation, "less", true, false);
            case LE ->
                    isNumber
                            ? comparison(operation, "lessOrEqual", false, false)
                            : comparison(operation, "less", true, true);
            case GE ->
                    isNumber
                            ? comparison(operation, "lessOrEqual", true, false)
                            : comparison(operation, "less", false, true);
            case EQU -> comparison(operation, "notEqual", false, true);
            case NEU -> comparison(operation, "equal", false, true);
            case LTU -> comparison(operation, "lessOrEqual", true, true);
            case LEU -> comparison(operation, "less", true, true);
            case GTU -> comparison(operation, "lessOrEqual", false, true);
            case GEU -> comparison(operation, "less", false, true);
            case NUM -> comparison(operation, "ordered", false, false);
            default -> comparison(operation, "ordered", false, true);
        };
    }

    private static SemanticMethod comparison(
            Operation operation, String stem, boolean exchanged, boolean negated) {
        Class<?> type = operation.parameters().getFirst().type();
        return new SemanticMethod(
                Comparison.class,
                stem + suffix(operation.type()),
                MethodType.methodType(boolean.class, type, type),
                List.of(),
                exchanged,
                negated);
    }

    /// The method as a handle that takes the operands alone.
    ///
    /// @throws IllegalArgumentException where the operation has no method
    public MethodHandle handle() {
        try {
            MethodHandle found = MethodHandles.lookup().findStatic(owner, name, type);
            if (exchanged) {
                found = MethodHandles.permuteArguments(found, type, 1, 0);
            }
            if (negated) {
                MethodHandle not = of(Operation.of(OperationKind.NOT, ScalarType.PRED)).handle();
                found = MethodHandles.filterReturnValue(found, not);
            }
            return MethodHandles.insertArguments(
                    found, type.parameterCount() - constants.size(), constants.toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no method " + owner + "." + name + type, e);
        }
    }

    /// The method with the name of the instruction: `szextClampS32`.
    private static SemanticMethod named(Operation operation) {
        StringBuilder name = new StringBuilder();
        for (String word : operation.toString().split("[.:]+")) {
            name.append(name.isEmpty() ? word : capitalized(word));
        }
        Class<?> owner =
                INSTRUCTIONS.stream()
                        .flatMap(one -> Arrays.stream(one.getDeclaredMethods()))
                        .filter(method -> method.getName().contentEquals(name))
                        .map(Method::getDeclaringClass)
                        .findFirst()
                        .orElse(IntegerArithmetic.class);
        return plain(operation, owner, name.toString(), List.of());
    }

    private static boolean isOwnMethod(Operation operation) {
        return operation.rounding() == Rounding.NEAREST_EVEN
                && (operation.kind() != OperationKind.CVT
                        || operation.type() == ScalarType.F32
                        || operation.type() == ScalarType.F64);
    }

    private static boolean isApproximate(Operation operation) {
        return operation.has(Modifier.APPROX) || operation.has(Modifier.FULL);
    }

    private static Class<?> owner(Operation operation) {
        ScalarType type = operation.type();
        if (isApproximate(operation)) {
            return Approximate.class;
        }
        if (operation.has(Modifier.FTZ)) {
            return FlushedArithmetic.class;
        }
        return switch (operation.kind()) {
            case AND, OR, XOR, NOT, LOP3, SHL, SHR, SHF, POPC, CLZ, BREV -> BitManipulation.class;
            case BFE, BFI, PRMT -> BitManipulation.class;
            case MOV, SELP, ONES, ZEXT, SEXT, TRUNC, HIGH, BYTE, PACK -> Moves.class;
            case CVT, ROUND, SATFINITE -> Conversion.class;
            case CVT_RS -> StochasticRounding.class;
            default ->
                    switch (type) {
                        case F32 -> FloatArithmetic.class;
                        case F64 -> DoubleArithmetic.class;
                        case F16, BF16, B16 -> HalfArithmetic.class;
                        case TF32 -> Conversion.class;
                        default -> IntegerArithmetic.class;
                    };
        };
    }

    /// The name that methods of an operation have: `multiplyHighS32`.
    static String nameOf(Operation operation) {
        if (operation.kind() == OperationKind.CVT || operation.kind() == OperationKind.CVT_RS) {
            boolean isNarrow = narrow(operation.type()).isPresent();
            StringBuilder name =
                    new StringBuilder(isNarrow ? "narrow" : operation.type().keyword());
            boolean ofNarrow = narrow(operation.from()).isPresent();
            name.append("From").append(ofNarrow ? "Narrow" : suffix(operation.from()));
            operation.modifiers().forEach(modifier -> name.append(part(modifier)));
            return name.toString();
        }
        StringBuilder name =
                new StringBuilder(
                        isApproximate(operation)
                                ? operation.kind().word()
                                : stem(operation.kind()));
        operation.modifiers().forEach(modifier -> name.append(part(modifier)));
        Shape shape = operation.kind().shape();
        boolean converts = shape == Shape.CONVERSION || shape == Shape.PAIR;
        boolean isNamed = !takesFormats(operation) || narrow(operation.type()).isEmpty();
        name.append(converts || !isNamed ? "" : suffix(operation.type()));
        name.append(
                converts || operation.from() != operation.type() ? suffix(operation.from()) : "");
        return name.toString();
    }

    private static String suffix(ScalarType type) {
        return switch (type.kind()) {
            case PREDICATE -> "Predicate";
            case BITS -> Integer.toString(type.bits());
            default -> capitalized(type.keyword());
        };
    }

    private static String capitalized(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    private static String stem(OperationKind kind) {
        return switch (kind) {
            case SUB -> "subtract";
            case MUL -> "multiply";
            case MUL24 -> "multiply24";
            case FMA -> "fused";
            case DIV -> "divide";
            case REM -> "remainder";
            case ABS -> "absolute";
            case NEG -> "negate";
            case MIN -> "minimum";
            case MAX -> "maximum";
            case SQRT -> "squareRoot";
            case ADDC -> "addWithCarry";
            case CARRY -> "carryOfAdd";
            case FTZ -> "flush";
            case SAT -> "saturate";
            case XORSIGN -> "xorSign";
            case OOB -> "withinBounds";
            case LOP3 -> "lookup";
            case SHL -> "shiftLeft";
            case SHR -> "shiftRight";
            case SHF -> "funnel";
            case POPC -> "populationCount";
            case CLZ -> "leadingZeros";
            case BREV -> "reverse";
            case BFE -> "extract";
            case BFI -> "insert";
            case PRMT -> "permute";
            case MOV -> "move";
            case SELP -> "select";
            case ONES -> "onesWhere";
            case ONE -> "oneWhere";
            case ROUND -> "integral";
            case ZEXT -> "zeroExtend";
            case SEXT -> "signExtend";
            case TRUNC -> "truncate";
            case BYTE -> "byteOf";
            case PACK -> "pair";
            default -> kind.word();
        };
    }

    private static String part(Modifier modifier) {
        return switch (modifier) {
            case HI -> "High";
            case LO -> "Low";
            case SAT -> "Saturating";
            case F4E -> "Forward";
            case B4E -> "Backward";
            case RC8 -> "Replicate8x";
            case ECL -> "ClampLeft";
            case ECR -> "ClampRight";
            case RC16 -> "Replicate16x";
            case LEFT -> "Left";
            case RIGHT -> "Right";
            default ->
                    modifier.name().charAt(0)
                            + modifier.name().substring(1).toLowerCase(java.util.Locale.ROOT);
        };
    }
}
