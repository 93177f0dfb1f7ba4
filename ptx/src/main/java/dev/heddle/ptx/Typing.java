package dev.heddle.ptx;

import dev.heddle.ptx.TypedInstruction.AsyncCopy;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/// Decodes the qualifiers of instructions.
final class Typing {

    private static final Set<String> ROUNDINGS =
            Set.of(
                    "rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi", "approx",
                    "full");
    private static final Set<String> COMPARISONS =
            Set.of(
                    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu",
                    "leu", "gtu", "geu", "num", "nan");
    private static final Set<String> COMBINATIONS = Set.of("and", "or", "xor");
    private static final Set<String> ORDERS =
            Set.of("weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc");
    private static final Set<String> SCOPES = Set.of("cta", "cluster", "gpu", "sys");
    private static final Set<String> OPERATIONS =
            Set.of("and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max");

    private final GenericInstruction generic;

    private Typing(GenericInstruction generic) {
        this.generic = generic;
    }

    /// The typed form, or the generic one where the opcode is in no family or a type is missing.
    static Instruction of(GenericInstruction generic) {
        TypedInstruction typed = new Typing(generic).decode();
        return typed == null ? generic : typed;
    }

    private @Nullable TypedInstruction decode() {
        return switch (generic.opcode()) {
            case "add", "sub", "mul", "mad", "fma", "div", "abs", "neg", "min", "max" ->
                    arithmetic();
            case "addc", "subc", "madc" -> integer();
            case "rem",
                    "mul24",
                    "mad24",
                    "sad",
                    "popc",
                    "clz",
                    "bfind",
                    "fns",
                    "brev",
                    "bfe",
                    "bfi",
                    "szext",
                    "bmsk",
                    "dp4a",
                    "dp2a" ->
                    integer();
            case "testp", "copysign", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh" ->
                    floating();
            case "set", "setp" -> comparison();
            case "selp", "slct" -> selection();
            case "and", "or", "xor", "not", "cnot", "lop3", "shl", "shr", "shf" -> logic();
            case "mov" -> {
                ScalarType type = type(0);
                yield type == null ? null : new TypedInstruction.Move(generic, type);
            }
            case "cvt" -> conversion();
            case "prmt" -> new TypedInstruction.Permutation(generic, mode("b32"));
            case "shfl" ->
                    new TypedInstruction.Shuffle(
                            generic, text(any(Set.of("up", "down", "bfly", "idx"))));
            case "cvta", "mapa", "getctarank", "isspacep" ->
                    new TypedInstruction.AddressConversion(
                            generic, generic.opcode(), generic.has("to"), space());
            case "ld", "ldu", "st" -> access();
            case "prefetch", "prefetchu", "applypriority", "discard" ->
                    new TypedInstruction.CacheHint(generic, generic.opcode());
            case "cp" -> copy();
            case "atom", "red" -> atomic();
            case "bar", "barrier" -> barrier();
            case "membar", "fence" -> new TypedInstruction.Fence(generic, generic.has("proxy"));
            case "mbarrier" ->
                    new TypedInstruction.MemoryBarrier(generic, first(), generic.has("parity"));
            case "vote", "match", "redux", "activemask", "elect" ->
                    new TypedInstruction.WarpOperation(
                            generic,
                            generic.opcode(),
                            any(
                                    Set.of(
                                            "all", "any", "uni", "ballot", "add", "min", "max",
                                            "and", "or", "xor")));
            case "bra", "brx", "call", "ret", "exit", "trap", "brkpt", "nanosleep" ->
                    new TypedInstruction.Control(generic, generic.opcode(), generic.has("uni"));
            case "ldmatrix", "stmatrix", "movmatrix" ->
                    new TypedInstruction.MatrixMove(
                            generic, generic.opcode(), count(), generic.has("trans"));
            case "mma" -> product(false);
            case "wgmma" ->
                    generic.has("mma_async")
                            ? product(true)
                            : new TypedInstruction.WarpgroupOrder(generic, first());
            case "setmaxnreg", "griddepcontrol" ->
                    new TypedInstruction.Resource(generic, generic.opcode(), first());
            default -> null;
        };
    }

    private @Nullable TypedInstruction arithmetic() {
        ScalarType type = type(0);
        boolean integer = type != null && type.isInteger();
        return integer ? integer() : floating();
    }

    private @Nullable TypedInstruction integer() {
        ScalarType type = type(0);
        if (type == null) {
            return null;
        }
        String opcode = generic.opcode();
        boolean carry = opcode.equals("addc") || opcode.equals("subc") || opcode.equals("madc");
        return new TypedInstruction.IntegerArithmetic(
                generic,
                carry ? opcode.substring(0, 3) : opcode,
                any(Set.of("lo", "hi", "wide")),
                type,
                generic.has("sat"),
                carry,
                generic.has("cc"));
    }

    private @Nullable TypedInstruction floating() {
        ScalarType type = type(0);
        return type == null
                ? null
                : new TypedInstruction.FloatArithmetic(
                        generic,
                        generic.opcode(),
                        type,
                        any(ROUNDINGS),
                        generic.has("ftz"),
                        generic.has("sat"),
                        generic.has("relu"),
                        generic.has("NaN"));
    }

    private @Nullable TypedInstruction comparison() {
        boolean predicate = generic.opcode().equals("setp");
        ScalarType result = predicate ? ScalarType.PRED : type(0);
        ScalarType type = type(predicate ? 0 : 1);
        String compare = any(COMPARISONS);
        return type == null || result == null || compare == null
                ? null
                : new TypedInstruction.Comparison(
                        generic, compare, any(COMBINATIONS), type, result, generic.has("ftz"));
    }

    private @Nullable TypedInstruction selection() {
        ScalarType type = type(0);
        return type == null
                ? null
                : new TypedInstruction.Selection(generic, type, generic.opcode().equals("slct"));
    }

    private @Nullable TypedInstruction logic() {
        ScalarType type = type(0);
        String operation = generic.opcode();
        if (operation.equals("shf")) {
            operation += generic.has("l") ? ".l" : ".r";
        }
        return type == null
                ? null
                : new TypedInstruction.Logic(generic, operation, type, generic.has("wrap"));
    }

    private @Nullable TypedInstruction conversion() {
        ScalarType to = type(0);
        ScalarType from = type(1);
        return to == null || from == null || generic.has("pack")
                ? null
                : new TypedInstruction.Conversion(
                        generic,
                        to,
                        from,
                        any(ROUNDINGS),
                        generic.has("ftz"),
                        generic.has("sat"),
                        generic.has("relu"),
                        generic.has("satfinite"));
    }

    private @Nullable TypedInstruction access() {
        ScalarType type = type(0);
        String vector = any(Set.of("v2", "v4", "v8"));
        return type == null || generic.has("async") || generic.has("bulk")
                ? null
                : new TypedInstruction.MemoryAccess(
                        generic,
                        generic.opcode().equals("st"),
                        space(),
                        type,
                        vector == null ? 1 : vector.charAt(1) - '0',
                        any(ORDERS),
                        any(SCOPES),
                        generic.has("nc"));
    }

    private TypedInstruction copy() {
        AsyncCopy.Kind kind;
        boolean bulk = generic.has("bulk");
        if (generic.has("commit_group")) {
            kind = bulk ? AsyncCopy.Kind.BULK_COMMIT_GROUP : AsyncCopy.Kind.COMMIT_GROUP;
        } else if (generic.has("wait_group")) {
            kind = bulk ? AsyncCopy.Kind.BULK_WAIT_GROUP : AsyncCopy.Kind.WAIT_GROUP;
        } else if (generic.has("wait_all")) {
            kind = AsyncCopy.Kind.WAIT_ALL;
        } else if (generic.has("mbarrier")) {
            kind = AsyncCopy.Kind.MBARRIER_ARRIVE;
        } else if (generic.has("prefetch")) {
            kind = AsyncCopy.Kind.BULK_PREFETCH;
        } else if (first().equals("reduce")) {
            kind = AsyncCopy.Kind.BULK_REDUCE;
        } else if (generic.has("tensor")) {
            kind = AsyncCopy.Kind.TENSOR;
        } else {
            kind = bulk ? AsyncCopy.Kind.BULK : AsyncCopy.Kind.COPY;
        }
        return new AsyncCopy(generic, kind);
    }

    private @Nullable TypedInstruction atomic() {
        ScalarType type = type(0);
        String operation = any(OPERATIONS);
        return type == null || operation == null || generic.has("async")
                ? null
                : new TypedInstruction.Atomic(
                        generic,
                        operation,
                        type,
                        space(),
                        any(ORDERS),
                        any(SCOPES),
                        generic.opcode().equals("atom"));
    }

    private TypedInstruction barrier() {
        String level = generic.has("cluster") ? "cluster" : generic.has("warp") ? "warp" : "cta";
        boolean aligned =
                generic.has("aligned") || (generic.opcode().equals("bar") && !generic.has("warp"));
        return new TypedInstruction.Barrier(
                generic,
                level,
                text(any(Set.of("sync", "arrive", "wait", "red"))),
                any(Set.of("popc", "and", "or")),
                aligned);
    }

    private TypedInstruction product(boolean warpgroup) {
        return new TypedInstruction.MatrixProduct(
                generic,
                generic.mnemonic(),
                warpgroup,
                generic.has("sp") || generic.has("sp::ordered_metadata"));
    }

    private int count() {
        String count = any(Set.of("x2", "x4"));
        return count == null ? 1 : count.charAt(1) - '0';
    }

    /// The nth qualifier that is a type, or null.
    private @Nullable ScalarType type(int index) {
        int seen = 0;
        for (String qualifier : generic.qualifiers()) {
            ScalarType type = ScalarType.of(qualifier);
            if (type != null && seen++ == index) {
                return type;
            }
        }
        return null;
    }

    /// The first qualifier of a set, or null.
    private @Nullable String any(Set<String> words) {
        for (String qualifier : generic.qualifiers()) {
            if (words.contains(qualifier)) {
                return qualifier;
            }
        }
        return null;
    }

    /// The first qualifier that is not this one, or null.
    private @Nullable String mode(String other) {
        for (String qualifier : generic.qualifiers()) {
            if (!qualifier.equals(other)) {
                return qualifier;
            }
        }
        return null;
    }

    private String first() {
        List<String> qualifiers = generic.qualifiers();
        return qualifiers.isEmpty() ? "" : qualifiers.getFirst();
    }

    private static String text(@Nullable String word) {
        return word == null ? "" : word;
    }

    private @Nullable String space() {
        for (String qualifier : generic.qualifiers()) {
            int colon = qualifier.indexOf("::");
            if (StateSpace.of(colon < 0 ? qualifier : qualifier.substring(0, colon)) != null) {
                return qualifier;
            }
        }
        return null;
    }
}
