package dev.heddle.vm.lowering;

import dev.heddle.formats.InputException;
import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Initializer;
import dev.heddle.ptx.Linkage;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Program.Symbol;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;

/// Where the variables of a module are, and the initial bytes of those in device memory.
final class ModuleLayout {
    /// As much as a driver reserves for each CTA from sm_80 on (CUDA programming guide).
    private static final int RESERVED_SHARED = 1024;

    /// Where variables in global memory may start (CUDA programming guide, 5.3.2: memory that a
    /// driver gives is aligned to at least 256 bytes).
    private static final int SECTION_ALIGNMENT = 256;

    /// The most memory of one kind that a module may declare.
    private static final int MOST_BYTES = 256 << 20;

    /// Bytes between variables: the largest alignment that copies and tiles ask for.
    private static final int GAP = 1024;

    /// Bytes of all gaps in device memory, about.
    private static final int MOST_GAPS = 16 << 20;

    private final Map<Variable, Long> globals = new HashMap<>();
    private final List<Symbol> placed = new ArrayList<>();
    private final Map<String, Symbol> symbols = new HashMap<>();
    private final Set<String> visible = new HashSet<>();
    private final Set<String> constants = new HashSet<>();
    private final Map<String, Integer> functions = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();
    private final List<Function> bodies = new ArrayList<>();
    private final BitSet reached = new BitSet();
    private final Queue<Integer> ahead = new ArrayDeque<>();
    private final long base;
    private final byte[] image;
    private final SharedLayout shared;
    private long gaps;
    private int constantBytes;
    private int reservedShared;

    ModuleLayout(Module module, long base) {
        this.base = base;
        for (ModuleItem item : module.items()) {
            if (item instanceof Function function && function.body() != null) {
                functions.putIfAbsent(function.name(), bodies.size());
                bodies.add(function);
            } else if (item instanceof ModuleItem.Alias(String name, String aliasee, _)) {
                aliases.put(name, aliasee);
            }
        }
        long end = placeGlobals(module);
        shared = new SharedLayout(module, bodies);
        size("variables in global and constant memory", end - base - gaps);
        image = new byte[Math.toIntExact(end - base)];
        globals.forEach(this::initialize);
    }

    private long placeGlobals(Module module) {
        long end = base;
        List<Variable> variables = new ArrayList<>(module.variables());
        variables.forEach(variable -> visible.add(variable.name()));
        for (Function function : bodies) {
            collect(function.body(), variables);
        }
        // Modules linked into one declare, too, what another defines.
        Set<String> defined =
                variables.stream()
                        .filter(variable -> variable.linkage() != Linkage.EXTERN)
                        .map(Variable::name)
                        .collect(Collectors.toSet());
        variables.removeIf(v -> v.linkage() == Linkage.EXTERN && defined.contains(v.name()));
        // Constant memory is the first part.
        end = place(variables, StateSpace.CONST, end);
        constantBytes = size("variables in constant memory", end - base);
        // As ptxas does: those with initial values apart, and the most aligned first.
        variables.sort(Comparator.comparingInt(Variable::effectiveAlignment).reversed());
        Map<Boolean, List<Variable>> parts =
                variables.stream().collect(Collectors.partitioningBy(v -> v.initializer() != null));
        for (boolean initialized : new boolean[] {true, false}) {
            List<Variable> part = Objects.requireNonNull(parts.get(initialized));
            end = place(part, StateSpace.GLOBAL, align(end, SECTION_ALIGNMENT));
        }
        end = place(variables, StateSpace.TEX, end);
        return align(end, SECTION_ALIGNMENT);
    }

    private long place(List<Variable> variables, StateSpace space, long start) {
        long end = start;
        for (Variable variable : variables) {
            if (variable.space() == space) {
                boolean texture = space == StateSpace.TEX;
                end = behindGap(end, texture ? Long.BYTES : variable.effectiveAlignment());
                globals.put(variable, end);
                String name = variable.name();
                // Where PTX 1.x has a texture's name, this machine keeps its handle.
                long bytes = texture ? Long.BYTES : variable.sizeInBytes();
                Symbol symbol = new Symbol(name, end, bytes, visible.contains(name));
                placed.add(symbol);
                if (symbols.putIfAbsent(name, symbol) == null && space == StateSpace.CONST) {
                    constants.add(name);
                }
                end += Math.max(1, bytes);
            }
        }
        return end;
    }

    /// Where the next variable begins. What runs over the end of the last one finds a gap.
    private long behindGap(long end, int alignment) {
        int gap = end == base || gaps >= MOST_GAPS ? 0 : gap(alignment);
        gaps += gap;
        return align(end, alignment) + gap;
    }

    /// Bytes between two variables. They change neither the bank of the second nor its alignment,
    /// even where that is more than it asks for.
    static int gap(int alignment) {
        return Math.max(GAP, alignment);
    }

    static void collect(Statement.@Nullable Block body, List<Variable> into) {
        if (body == null) {
            return;
        }
        for (Statement statement : body.statements()) {
            if (statement instanceof Variable variable) {
                into.add(variable);
            } else if (statement instanceof Statement.Block inner) {
                collect(inner, into);
            }
        }
    }

    /// A size in bytes that a module may ask for.
    ///
    /// @throws InputException where it is too large
    static int size(String what, long bytes) {
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new InputException(
                    "%s of %d bytes: at most %d".formatted(what, bytes, MOST_BYTES));
        }
        return (int) bytes;
    }

    static long align(long value, int alignment) {
        int unit = Math.max(1, alignment);
        return (value + unit - 1) / unit * unit;
    }

    List<Function> bodies() {
        return bodies;
    }

    /// The address of the first variable.
    long base() {
        return base;
    }

    byte[] image() {
        return image;
    }

    /// How much of the image is constant memory: its first bytes.
    int constantBytes() {
        return constantBytes;
    }

    /// All variables in device memory.
    List<Symbol> symbols() {
        return placed;
    }

    /// Where the shared variables are.
    SharedLayout shared() {
        return shared;
    }

    long addressOf(Variable variable) {
        Long address = globals.get(variable);
        if (address == null) {
            Symbol symbol = symbols.get(variable.name());
            address = symbol == null ? null : symbol.address();
        }
        if (address == null) {
            throw new UnsupportedInstruction("the external variable " + variable.name());
        }
        return address;
    }

    /// The index of a function with a body, or -1. Whoever asks reaches it.
    int functionIndex(String name) {
        String target = aliases.getOrDefault(name, name);
        int index = functions.getOrDefault(target, -1);
        if (index >= 0) {
            reach(index);
        }
        return index;
    }

    private void reach(int index) {
        if (!reached.get(index)) {
            reached.set(index);
            ahead.add(index);
        }
    }

    /// Shared memory that the driver reserves is asked for.
    void reserveShared() {
        reservedShared = RESERVED_SHARED;
    }

    /// Bytes of shared memory that the driver would reserve, if they are asked for.
    int reservedShared() {
        return reservedShared;
    }

    /// A call by an address may lead to every function: another kernel may have stored it.
    void reachFunctions() {
        for (int index = 0; index < bodies.size(); index++) {
            if (!bodies.get(index).isEntry()) {
                reach(index);
            }
        }
    }

    /// Kernels and functions, in their order.
    void reachAll() {
        for (int index = 0; index < bodies.size(); index++) {
            reach(index);
        }
    }

    /// The index of a function that was reached and not given out, or -1.
    int nextReached() {
        Integer next = ahead.poll();
        return next == null ? -1 : next;
    }

    long functionAddress(String name) {
        int index = functionIndex(name);
        if (index < 0) {
            throw new UnsupportedInstruction("the address of " + name + ", which has no body here");
        }
        return Addresses.ofCode(index);
    }

    // Initial values.

    private void initialize(Variable variable, long address) {
        Initializer initializer = variable.initializer();
        if (initializer != null) {
            fill(variable, initializer, Math.toIntExact(address - base), 0);
        }
    }

    private void fill(Variable variable, Initializer initializer, int offset, int depth) {
        if (!(initializer instanceof Initializer.Aggregate list)) {
            put(variable.type(), initializer, offset);
            return;
        }
        long stride = variable.type().bytes();
        if (depth < variable.dimensions().size()) {
            stride = variable.elementBytes();
            for (int i = depth + 1; i < variable.dimensions().size(); i++) {
                stride *= variable.dimensions().get(i);
            }
        }
        int at = offset;
        for (Initializer element : list.elements()) {
            fill(variable, element, at, depth + 1);
            at += Math.toIntExact(wide(element, variable, stride));
        }
    }

    /// A symbol's address in an array of narrower integers still takes one element; the mask picks
    /// its byte.
    private static long wide(Initializer element, Variable variable, long stride) {
        return element instanceof Initializer.AddressOf address && address.mask() != 0
                ? variable.type().bytes()
                : stride;
    }

    private void put(ScalarType type, Initializer initializer, int offset) {
        long bits =
                switch (initializer) {
                    case Initializer.Value(Constant value, _) -> WorkingTypes.bits(value, type);
                    case Initializer.Masked(long mask, Constant value, _) ->
                            masked(WorkingTypes.bits(value, ScalarType.B64), mask);
                    case Initializer.AddressOf address -> {
                        long whole = symbolAddress(address);
                        yield address.mask() == 0 ? whole : masked(whole, address.mask());
                    }
                    case Initializer.Aggregate _ -> 0;
                };
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, bits);
        int count = Math.min(type.bytes(), Math.min(8, image.length - offset));
        System.arraycopy(bytes.array(), 0, image, offset, count);
    }

    private static long masked(long value, long mask) {
        return (value & mask) >>> Long.numberOfTrailingZeros(mask);
    }

    private long symbolAddress(Initializer.AddressOf address) {
        Symbol variable = symbols.get(address.name());
        if (variable != null) {
            boolean counted = !address.generic() && constants.contains(address.name());
            return variable.address() + address.offset() - (counted ? base : 0);
        }
        int function = functionIndex(address.name());
        return function < 0 ? 0 : Addresses.ofCode(function) + address.offset();
    }
}
