package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which functions name which shared variables of a module.
///
/// A kernel has room only for those that it reaches. With `-rdc=true`, nvcc declares a kernel's own
/// variables in the module: those that one kernel alone names count as declared in it.
final class SharedUse {
    /// Who names a variable; [#several] says whether others do, too.
    private final Map<Variable, Function> first = new HashMap<>();

    private final Set<Variable> several = new HashSet<>();

    private SharedUse() {}

    /// That of a module.
    ///
    /// @param bodies its functions
    static SharedUse of(List<Function> bodies) {
        SharedUse use = new SharedUse();
        for (Function function : bodies) {
            use.see(function.body(), function);
        }
        return use;
    }

    /// Whether no function but one kernel names a variable.
    boolean isOfOneKernel(Variable variable) {
        Function kernel = first.get(variable);
        return kernel != null && kernel.isEntry() && !several.contains(variable);
    }

    /// The variables that a kernel alone names, of these.
    @SuppressWarnings("ReferenceEquality") // a function is compared by where it stands
    List<Variable> ownOf(Function kernel, List<Variable> variables) {
        List<Variable> own = new ArrayList<>();
        for (Variable variable : variables) {
            if (isOfOneKernel(variable) && first.get(variable) == kernel) {
                own.add(variable);
            }
        }
        return own;
    }

    @SuppressWarnings("ReferenceEquality") // a function is compared by where it stands
    private void see(Variable variable, Function function) {
        Function other = first.putIfAbsent(variable, function);
        if (other != null && other != function) {
            several.add(variable);
        }
    }

    private void see(@Nullable Statement statement, Function function) {
        switch (statement) {
            case Statement.Block(List<Statement> statements, _) ->
                    statements.forEach(each -> see(each, function));
            case Instruction instruction ->
                    instruction.operands().forEach(operand -> see(operand, function));
            case null, default -> {}
        }
    }

    private void see(Operand operand, Function function) {
        switch (operand) {
            case Operand.Symbol symbol -> {
                Variable variable = symbol.variable();
                if (variable != null && variable.space() == StateSpace.SHARED) {
                    see(variable, function);
                }
            }
            case Operand.Address address -> see(address.base(), function);
            case Operand.Element element -> see(element.array(), function);
            case Operand.AddressList list -> list.parts().forEach(part -> see(part, function));
            case Operand.Vector vector ->
                    vector.elements().forEach(element -> see(element, function));
            case Operand.Arguments arguments ->
                    arguments.arguments().forEach(argument -> see(argument, function));
            case Operand.Negated negated -> see(negated.operand(), function);
            case Operand.Pair pair -> {
                see(pair.first(), function);
                see(pair.second(), function);
            }
            case Operand.Register _,
                    Operand.SpecialRegister _,
                    Operand.Immediate _,
                    Operand.Sink _ -> {}
        }
    }
}
