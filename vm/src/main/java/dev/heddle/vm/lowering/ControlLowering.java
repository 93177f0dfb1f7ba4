package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.DeviceRuntimeFunction;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Branches, calls and ends: PTX ISA 9.7.12.
final class ControlLowering {
    /// Functions that the machine provides, as the CUDA runtime does on a GPU.
    static final Set<String> BUILTINS =
            Set.of("vprintf", "malloc", "free", "__assertfail", "__assert_fail");

    private static final Access HALVES = Access.weak(Space.LOCAL, 8);

    private final CodeBuilder builder;
    private final ModuleLayout layout;
    private @Nullable Scope scope;

    ControlLowering(CodeBuilder builder, ModuleLayout layout) {
        this.builder = builder;
        this.layout = layout;
    }

    /// The labels of one pair of braces.
    private static final class Scope {
        final @Nullable Scope outer;
        final Map<String, DraftBlock> labels = new HashMap<>();
        final Map<String, Statement.BranchTargets> tables = new HashMap<>();

        Scope(@Nullable Scope outer) {
            this.outer = outer;
        }
    }

    void openScope(Statement.Block block) {
        Scope inner = new Scope(scope);
        for (Statement statement : block.statements()) {
            if (statement instanceof Statement.Label(String name, _)) {
                inner.labels.put(name, builder.open());
            } else if (statement instanceof Statement.BranchTargets table) {
                inner.tables.put(table.name(), table);
            }
        }
        scope = inner;
    }

    void closeScope() {
        if (scope != null) {
            scope = scope.outer;
        }
    }

    DraftBlock label(String name) {
        for (Scope s = scope; s != null; s = s.outer) {
            DraftBlock block = s.labels.get(name);
            if (block != null) {
                return block;
            }
        }
        throw new UnsupportedInstruction("the undeclared label " + name);
    }

    private static String name(Operand operand) {
        if (operand instanceof Operand.Symbol symbol) {
            return symbol.name();
        }
        throw new UnsupportedInstruction("a label of this kind");
    }

    void branch(BoundInstruction form) {
        int target = label(name(form.operand(0))).number;
        DraftBlock next = builder.open();
        Guard guard = builder.guard();
        builder.leave(
                guard == null
                        ? new Exit.Jump(builder.site(), target)
                        : new Exit.Branch(
                                builder.site(), guard, target, next.number, form.has("uni")),
                next);
    }

    void indexedBranch(BoundInstruction form) {
        Source index = builder.read(form.operand(0), ScalarType.U32);
        String table = name(form.operand(1));
        List<Integer> targets = new ArrayList<>();
        for (Operand.Symbol target : table(table).targets()) {
            targets.add(label(target.name()).number);
        }
        DraftBlock next = builder.open();
        builder.leave(
                new Exit.IndexedBranch(
                        builder.site(), builder.guard(), index, targets, behindGuard(next)),
                next);
    }

    private Statement.BranchTargets table(String name) {
        for (Scope s = scope; s != null; s = s.outer) {
            Statement.BranchTargets table = s.tables.get(name);
            if (table != null) {
                return table;
            }
        }
        throw new UnsupportedInstruction("the undeclared branch targets " + name);
    }

    void finish(BoundInstruction form) {
        DraftBlock next = builder.open();
        Site site = builder.site();
        Guard guard = builder.guard();
        int other = behindGuard(next);
        builder.leave(
                switch (form.kind()) {
                    case RETURN -> new Exit.Return(site, guard, other);
                    case EXIT -> new Exit.ThreadExit(site, guard, other);
                    default -> new Exit.Trap(site, guard, other);
                },
                next);
    }

    /// Where lanes go on that a guard leaves out; -1 where there is no guard.
    private int behindGuard(DraftBlock next) {
        return builder.guard() == null ? -1 : next.number;
    }

    /// `call (results), function, (arguments), prototype;`, each list optional.
    void call(BoundInstruction form) {
        List<Operand> operands = form.operands();
        int at = 0;
        List<Exit.Argument> results = List.of();
        Map<Operand.Register, Long> wideResults = new LinkedHashMap<>();
        if (operands.get(0) instanceof Operand.Arguments(List<Operand> list, _)) {
            results = results(list, wideResults);
            at = 1;
        }
        Operand function = form.operand(at++);
        List<Exit.Argument> arguments =
                at < operands.size()
                                && operands.get(at)
                                        instanceof Operand.Arguments(List<Operand> list, _)
                        ? arguments(list)
                        : List.of();
        Callee callee = callee(function);
        DraftBlock next = builder.open();
        builder.leave(
                new Exit.Call(
                        builder.site(),
                        builder.guard(),
                        callee.index(),
                        callee.address(),
                        callee.builtin(),
                        arguments,
                        results,
                        next.number),
                next);
        wideResults.forEach((register, offset) -> builder.add(fromFrame(register, offset)));
    }

    /// One of a function of the module, by its index; an address; the name of a function that the
    /// machine has.
    private record Callee(int index, @Nullable Source address, @Nullable String builtin) {}

    private Callee callee(Operand function) {
        if (function instanceof Operand.Register register) {
            layout.reachFunctions();
            return new Callee(-1, builder.registers().of(register), null);
        }
        String name = name(function);
        int index = layout.functionIndex(name);
        if (index >= 0) {
            return new Callee(index, null, null);
        }
        if (!BUILTINS.contains(name) && DeviceRuntimeFunction.of(name) == null) {
            throw new UnsupportedInstruction(
                    "the external function " + name + ", which has no body here,");
        }
        return new Callee(-1, null, name);
    }

    /// A 128-bit register travels in the frame.
    private List<Exit.Argument> results(
            List<Operand> operands, Map<Operand.Register, Long> wideResults) {
        List<Exit.Argument> results = new ArrayList<>();
        for (Operand operand : operands) {
            if (operand instanceof Operand.Register register && RegisterNames.isWide(operand)) {
                long offset = builder.frame().reserve(16, 16);
                wideResults.put(register, offset);
                results.add(new Exit.Argument(new Source.FrameAddress(offset), 16));
            } else {
                results.add(
                        operand instanceof Operand.Sink
                                ? new Exit.Argument(
                                        builder.registers().temporary(Width.LONG), Long.BYTES)
                                : argument(operand));
            }
        }
        return results;
    }

    private Step fromFrame(Operand.Register register, long offset) {
        return new Step.Load(
                builder.site(),
                builder.guard(),
                HALVES,
                builder.wideDestination(register),
                new Source.FrameAddress(offset),
                0);
    }

    private Exit.Argument throughFrame(Operand.Register register) {
        long offset = builder.frame().reserve(16, 16);
        CodeBuilder.Wide value = builder.readWide(register);
        Source.FrameAddress place = new Source.FrameAddress(offset);
        builder.add(
                new Step.Store(
                        builder.site(),
                        builder.guard(),
                        HALVES,
                        List.of(value.low(), value.high()),
                        place,
                        0));
        return new Exit.Argument(place, 16);
    }

    private List<Exit.Argument> arguments(List<Operand> operands) {
        List<Exit.Argument> arguments = new ArrayList<>();
        for (Operand operand : operands) {
            arguments.add(argument(operand));
        }
        return arguments;
    }

    private Exit.Argument argument(Operand operand) {
        if (operand instanceof Operand.Symbol symbol && symbol.variable() != null) {
            Variable variable = symbol.variable();
            if (variable.space() == StateSpace.PARAM && symbol.offset() == 0) {
                return new Exit.Argument(
                        builder.frame().address(symbol), Math.toIntExact(variable.sizeInBytes()));
            }
        }
        if (operand instanceof Operand.Register register && RegisterNames.isWide(operand)) {
            return throughFrame(register);
        }
        if (operand instanceof Operand.Register register) {
            Register named = builder.registers().of(register);
            return new Exit.Argument(named, Math.max(1, named.bits() / 8));
        }
        return new Exit.Argument(builder.read(operand, ScalarType.B64), 8);
    }
}
