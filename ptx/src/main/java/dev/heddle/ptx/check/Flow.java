package dev.heddle.ptx.check;

import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.instruction.BoundInstruction;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The instructions of one body in order, and where each may go next.
///
/// Number `size()` stands for the end of the function.
final class Flow {

    private final List<BoundInstruction> instructions;
    private final List<Labels> scopes = new ArrayList<>();
    private final List<int[]> successors = new ArrayList<>();

    private record Labels(
            @Nullable Labels parent,
            Map<String, Integer> places,
            Map<String, Statement.BranchTargets> tables) {}

    /// @param instructions of the body, in order
    Flow(Statement.Block body, List<BoundInstruction> instructions) {
        this.instructions = instructions;
        flatten(body, new Labels(null, new HashMap<>(), new HashMap<>()));
        for (int i = 0; i < instructions.size(); i++) {
            successors.add(next(i));
        }
    }

    private void flatten(Statement.Block block, Labels labels) {
        for (Statement statement : block.statements()) {
            switch (statement) {
                case Instruction _ -> scopes.add(labels);
                case Statement.Label(String name, _) -> labels.places().put(name, scopes.size());
                case Statement.BranchTargets targets ->
                        labels.tables().put(targets.name(), targets);
                case Statement.Block inner ->
                        flatten(inner, new Labels(labels, new HashMap<>(), new HashMap<>()));
                default -> {}
            }
        }
    }

    private int[] next(int index) {
        BoundInstruction instruction = instructions.get(index);
        boolean guarded = instruction.guard() != null;
        int end = instructions.size();
        return switch (instruction.kind()) {
            case BRANCH ->
                    with(
                            guarded ? index + 1 : -1,
                            targets(instruction.operands(), scopes.get(index)));
            case INDEXED_BRANCH -> {
                List<Operand> operands = instruction.operands();
                List<Operand> targets = List.of();
                if (operands.size() == 2 && operands.get(1) instanceof Operand.Symbol symbol) {
                    Statement.BranchTargets table = table(symbol.name(), scopes.get(index));
                    targets = table == null ? List.of() : List.copyOf(table.targets());
                }
                yield with(guarded ? index + 1 : -1, targets(targets, scopes.get(index)));
            }
            case RETURN, EXIT, TRAP -> guarded ? new int[] {index + 1, end} : new int[] {end};
            default -> new int[] {index + 1};
        };
    }

    private static Statement.@Nullable BranchTargets table(String name, Labels labels) {
        for (Labels scope = labels; scope != null; scope = scope.parent()) {
            Statement.BranchTargets found = scope.tables().get(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private List<Integer> targets(List<Operand> operands, Labels labels) {
        List<Integer> targets = new ArrayList<>();
        for (Operand operand : operands) {
            if (operand instanceof Operand.Symbol symbol) {
                for (Labels scope = labels; scope != null; scope = scope.parent()) {
                    Integer place = scope.places().get(symbol.name());
                    if (place != null) {
                        targets.add(place);
                        break;
                    }
                }
            }
        }
        return targets;
    }

    private int[] with(int fall, List<Integer> targets) {
        List<Integer> all = new ArrayList<>(targets);
        if (fall >= 0 && !all.contains(fall)) {
            all.add(fall);
        }
        if (all.isEmpty()) {
            all.add(instructions.size());
        }
        return all.stream().mapToInt(Integer::intValue).distinct().toArray();
    }

    int size() {
        return instructions.size();
    }

    BoundInstruction instruction(int index) {
        return instructions.get(index);
    }

    List<BoundInstruction> instructions() {
        return instructions;
    }

    int[] successors(int index) {
        return successors.get(index);
    }
}
