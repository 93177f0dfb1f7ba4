package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.check.Writes.Name;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Follows the registers of `wgmma.mma_async` from fence to wait (PTX ISA 9.7.15.7).
///
/// Registers are touched in flight where a path leads from the product that uses them to the touch
/// without a `wgmma.wait_group` that covers it; a fence is missing where a path leads from the
/// entry, or from a write of a register, to the product without `wgmma.fence`.
final class WgmmaAnalysis extends Forward<WgmmaAnalysis.State> {

    private static final int UNCOMMITTED = -1;
    private static final int OLDEST = 64;

    private final Reporter reporter;
    private final Set<Name> watched = new HashSet<>();

    /// @param age in flight: groups committed since, or [#UNCOMMITTED]
    /// @param origin of each register in flight
    /// @param reading registers of A among those in flight, which may be read
    /// @param written since the last fence
    /// @param fenced whether every path had a fence
    record State(
            Map<Name, Integer> age,
            Map<Name, SourcePosition> origin,
            Set<Name> reading,
            Map<Name, SourcePosition> written,
            boolean fenced) {}

    WgmmaAnalysis(Flow flow, Reporter reporter) {
        super(flow);
        this.reporter = reporter;
    }

    void run() {
        for (BoundInstruction instruction : flow().instructions()) {
            if (isProduct(instruction)) {
                watched.addAll(accumulators(instruction));
                watched.addAll(multiplicands(instruction));
            }
        }
        if (!watched.isEmpty()) {
            run(new State(Map.of(), Map.of(), Set.of(), Map.of(), false));
        }
    }

    static boolean isProduct(BoundInstruction instruction) {
        return instruction.kind() == InstructionKind.WARPGROUP_MULTIPLY;
    }

    private static List<Name> accumulators(BoundInstruction product) {
        List<Name> names = new ArrayList<>();
        if (!product.operands().isEmpty()) {
            Writes.collect(product.operands().getFirst(), names);
        }
        return names;
    }

    /// The registers of A, where A is in registers.
    private static List<Name> multiplicands(BoundInstruction product) {
        List<Name> names = new ArrayList<>();
        if (product.operands().size() > 1
                && product.operands().get(1) instanceof Operand.Vector vector) {
            Writes.collect(vector, names);
        }
        return names;
    }

    @Override
    State step(State before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        return switch (instruction.kind()) {
            case WARPGROUP_MULTIPLY -> issue(before, instruction);
            case WARPGROUP_FENCE ->
                    new State(before.age, before.origin, before.reading, Map.of(), true);
            case WARPGROUP_COMMIT -> commit(before);
            case WARPGROUP_WAIT -> await(before, instruction);
            default -> write(before, instruction);
        };
    }

    private State write(State before, BoundInstruction instruction) {
        Map<Name, SourcePosition> written = before.written;
        for (Name name : Writes.written(instruction)) {
            if (watched.contains(name) && !written.containsKey(name)) {
                written = new HashMap<>(written);
                written.put(name, instruction.position());
            }
        }
        return written.size() == before.written.size()
                ? before
                : new State(before.age, before.origin, before.reading, written, before.fenced);
    }

    private static State issue(State before, BoundInstruction product) {
        Map<Name, Integer> age = new HashMap<>(before.age);
        Map<Name, SourcePosition> origin = new HashMap<>(before.origin);
        Set<Name> reading = new HashSet<>(before.reading);
        for (Name name : multiplicands(product)) {
            age.put(name, UNCOMMITTED);
            origin.put(name, product.position());
            reading.add(name);
        }
        for (Name name : accumulators(product)) {
            age.put(name, UNCOMMITTED);
            origin.put(name, product.position());
            reading.remove(name);
        }
        return new State(age, origin, reading, before.written, before.fenced);
    }

    private static State commit(State before) {
        Map<Name, Integer> age = new HashMap<>();
        before.age.forEach((name, groups) -> age.put(name, Math.min(groups + 1, OLDEST)));
        return new State(age, before.origin, before.reading, before.written, before.fenced);
    }

    private static State await(State before, BoundInstruction wait) {
        if (!(wait.operands().getFirst()
                instanceof Operand.Immediate(IntegerConstant(long pending, _), _))) {
            return before;
        }
        Map<Name, Integer> age = new HashMap<>(before.age);
        age.values().removeIf(groups -> groups != UNCOMMITTED && groups >= pending);
        Map<Name, SourcePosition> origin = new HashMap<>(before.origin);
        origin.keySet().retainAll(age.keySet());
        Set<Name> reading = new HashSet<>(before.reading);
        reading.retainAll(age.keySet());
        return new State(age, origin, reading, before.written, before.fenced);
    }

    @Override
    State meet(State one, State other) {
        if (one.equals(other)) {
            return one;
        }
        Map<Name, Integer> age = new HashMap<>(one.age);
        other.age.forEach((name, groups) -> age.merge(name, groups, Math::min));
        Map<Name, SourcePosition> origin = new HashMap<>(other.origin);
        origin.putAll(one.origin);
        Set<Name> reading = new HashSet<>();
        for (Name name : age.keySet()) {
            boolean first = !one.age.containsKey(name) || one.reading.contains(name);
            boolean second = !other.age.containsKey(name) || other.reading.contains(name);
            if (first && second) {
                reading.add(name);
            }
        }
        Map<Name, SourcePosition> written = new HashMap<>(other.written);
        written.putAll(one.written);
        return new State(age, origin, reading, written, one.fenced && other.fenced);
    }

    @Override
    void inspect(State before, int index) {
        BoundInstruction instruction = flow().instruction(index);
        if (isProduct(instruction)) {
            fence(before, instruction);
            return;
        }
        for (Name name : Writes.written(instruction)) {
            touched(before, instruction, name, "written");
        }
        for (Name name : Writes.read(instruction)) {
            if (!before.reading.contains(name)) {
                touched(before, instruction, name, "read");
            }
        }
    }

    private void touched(State before, BoundInstruction instruction, Name name, String how) {
        SourcePosition origin = before.origin.get(name);
        if (before.age.containsKey(name) && origin != null) {
            Problem problem =
                    Problem.of("wgmma-register-before-wait", instruction, name.text(), how);
            reporter.report(problem.because(origin, "in use since here"), "");
        }
    }

    private void fence(State before, BoundInstruction product) {
        if (!before.fenced) {
            reporter.report("missing-wgmma-fence.first", product);
            return;
        }
        List<Name> used = new ArrayList<>(accumulators(product));
        used.addAll(multiplicands(product));
        for (Name name : used) {
            SourcePosition written = before.written.get(name);
            if (written != null) {
                Problem problem = Problem.of("missing-wgmma-fence", product, name.text());
                reporter.report(problem.because(written, "written here"), "");
                return;
            }
        }
    }
}
