package dev.heddle.vm.ir;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/// A pure function of one lane's values, as data: what it does, on which type, rounded how.
///
/// It prints like the PTX instruction that is nothing but this operation: `add.rz.f32`,
/// `shf.l.wrap.b32`, `cvt.rn.f16.f32`, `lt.s32`. Types are `.b` where signs do not matter: sums
/// of `.s32` and `.u32` are both `add.b32`. Values narrower than a register are computed in 32 bits
/// where the type does not say otherwise.
///
/// Equal operations are the same object. How they are computed is not known here: executors bind
/// them to methods, vectors or whatever they have.
public final class Operation {
    private static final Map<Key, Operation> KNOWN = new ConcurrentHashMap<>();

    private record Key(
            OperationKind kind,
            ScalarType type,
            ScalarType from,
            @Nullable Rounding rounding,
            Set<Modifier> modifiers,
            @Nullable Signature signature) {

        Key(
                OperationKind kind,
                ScalarType type,
                ScalarType from,
                @Nullable Rounding rounding,
                Set<Modifier> modifiers) {
            this(kind, type, from, rounding, modifiers, null);
        }
    }

    /// What an instruction is called, takes and gives.
    private record Signature(String mnemonic, List<Carrier> parameters, Carrier result) {}

    private final Key key;
    private final List<Carrier> parameters;
    private final Carrier result;

    private Operation(Key key) {
        this.key = key;
        Signature signature = key.signature;
        parameters = signature == null ? parameters(key) : signature.parameters;
        result = signature == null ? result(key) : signature.result;
    }

    private static Operation of(Key key) {
        Operation known = KNOWN.get(key);
        return known == null ? KNOWN.computeIfAbsent(key, Operation::new) : known;
    }

    /// An operation without rounding.
    public static Operation of(OperationKind kind, ScalarType type, Modifier... modifiers) {
        return of(new Key(kind, type, type, null, set(modifiers)));
    }

    /// An operation that rounds.
    public static Operation of(
            OperationKind kind, ScalarType type, Rounding rounding, Modifier... modifiers) {
        return of(new Key(kind, type, type, rounding, set(modifiers)));
    }

    /// An operation whose operands have another type than its result.
    public static Operation from(ScalarType from, OperationKind kind, ScalarType type) {
        return of(new Key(kind, type, from, null, Set.of()));
    }

    /// A conversion that rounds.
    public static Operation convert(
            ScalarType to, ScalarType from, Rounding rounding, Modifier... modifiers) {
        return of(new Key(OperationKind.CVT, to, from, rounding, set(modifiers)));
    }

    /// The function that a whole instruction is.
    ///
    /// @param mnemonic with its qualifiers in the order of the table: `szext.clamp.s32`
    /// @param type that it works in
    public static Operation instruction(
            String mnemonic, ScalarType type, List<ScalarType> parameters, ScalarType result) {
        return of(
                new Key(
                        OperationKind.INSTRUCTION,
                        type,
                        type,
                        null,
                        Set.of(),
                        new Signature(
                                mnemonic,
                                parameters.stream().map(Carrier::of).toList(),
                                Carrier.of(result))));
    }

    /// A conversion that loses nothing.
    public static Operation convert(ScalarType to, ScalarType from) {
        return from(from, OperationKind.CVT, to);
    }

    private static Set<Modifier> set(Modifier[] modifiers) {
        return modifiers.length == 0 ? Set.of() : EnumSet.copyOf(Arrays.asList(modifiers));
    }

    /// What it does.
    public OperationKind kind() {
        return key.kind;
    }

    /// The type of its result, or of its operands where the result is a predicate, a count or a
    /// wide product.
    public ScalarType type() {
        return key.type;
    }

    /// The type of its operands where it is another one, else the same.
    public ScalarType from() {
        return key.from;
    }

    /// How the result is rounded, or null where it is exact or follows a rule of its own.
    public @Nullable Rounding rounding() {
        return key.rounding;
    }

    /// What else it does, in the order of the words.
    public Set<Modifier> modifiers() {
        return key.modifiers;
    }

    /// Whether it has this modifier.
    public boolean has(Modifier modifier) {
        return key.modifiers.contains(modifier);
    }

    /// How its operands are read.
    public List<Carrier> parameters() {
        return parameters;
    }

    /// How its result is given.
    public Carrier result() {
        return result;
    }

    /// Whether it is the quotient or the remainder of integers.
    public boolean dividesIntegers() {
        return switch (key.kind) {
            case DIV, REM ->
                    switch (key.type.kind()) {
                        case SIGNED, UNSIGNED, BITS -> true;
                        default -> false;
                    };
            default -> false;
        };
    }

    /// Whether it copies its operand.
    public boolean isCopy() {
        return key.kind == OperationKind.MOV;
    }

    /// Whether a NaN among `.f32` operands may be any: the payload is never seen.
    public boolean readsAnyNan() {
        return key.type == ScalarType.F32 && key.kind.readsValues();
    }

    /// Whether a NaN goes through it unchanged, where other operations on `.f32` make their own.
    public boolean keepsNan() {
        return key.kind == OperationKind.FTZ || key.kind == OperationKind.MAGNITUDE;
    }

    private static List<Carrier> parameters(Key key) {
        Carrier own = Carrier.of(key.type);
        Carrier other = Carrier.of(key.from);
        return switch (key.kind.shape()) {
            case UNARY, COUNT -> List.of(own);
            case BINARY, COMPARISON -> List.of(own, own);
            case TERNARY -> List.of(own, own, own);
            case SHIFT -> List.of(own, Carrier.INT);
            case EXTRACTION -> List.of(own, Carrier.INT, Carrier.INT);
            case INSERTION -> List.of(own, own, Carrier.INT, Carrier.INT);
            case TABLE -> List.of(own, own, own, Carrier.INT);
            case WITH_CARRY, CARRY -> List.of(own, own, Carrier.INT);
            case SELECTION -> List.of(Carrier.BOOLEAN, own, own);
            case WHERE -> List.of(Carrier.BOOLEAN);
            case CONVERSION -> List.of(other);
            case STOCHASTIC -> List.of(other, Carrier.INT);
            case PAIR -> List.of(other, other);
            case INSTRUCTION -> throw new IllegalArgumentException(key.toString());
        };
    }

    private static Carrier result(Key key) {
        return switch (key.kind.shape()) {
            case COMPARISON -> Carrier.BOOLEAN;
            case COUNT, CARRY -> Carrier.INT;
            default -> key.modifiers.contains(Modifier.WIDE) ? Carrier.LONG : Carrier.of(key.type);
        };
    }

    @Override
    public String toString() {
        if (key.signature != null) {
            return key.signature.mnemonic;
        }
        StringJoiner text = new StringJoiner(".");
        text.add(key.kind.word());
        if (key.rounding != null) {
            text.add(key.rounding.ptxName());
        }
        key.modifiers.forEach(modifier -> text.add(modifier.word()));
        text.add(key.type.keyword());
        if (key.from != key.type) {
            text.add(key.from.keyword());
        }
        return text.toString();
    }
}
