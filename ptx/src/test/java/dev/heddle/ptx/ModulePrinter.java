package dev.heddle.ptx;

import java.util.List;

/// Writes a module as PTX text that parses to the same module.
///
/// Constants are written by value: `4*8` comes out as `32`, and `0.5` by the bits of the double.
public final class ModulePrinter {

    private final StringBuilder out = new StringBuilder();

    /// The module as PTX text; parsing it gives the same module, places apart.
    public static String print(Module module) {
        ModulePrinter printer = new ModulePrinter();
        printer.module(module);
        return printer.out.toString();
    }

    private void module(Module module) {
        out.append(".version ").append(module.version()).append('\n');
        target(module.target());
        out.append(".address_size ").append(module.addressSize()).append('\n');
        for (ModuleItem item : module.items()) {
            out.append('\n');
            item(item);
        }
    }

    private void target(TargetDirective target) {
        out.append(".target ").append(String.join(", ", target.names())).append('\n');
    }

    private void item(ModuleItem item) {
        switch (item) {
            case Variable variable -> declaration(variable, "");
            case Function function -> function(function);
            case Statement.Pragma pragma -> pragma(pragma.texts(), "");
            case ModuleItem.SourceFile file -> file(file);
            case ModuleItem.Section section -> section(section);
            case ModuleItem.Alias(String name, String aliasee, _) ->
                    out.append(".alias ").append(name).append(", ").append(aliasee).append(";\n");
            case ModuleItem.Retarget(TargetDirective target, _) -> target(target);
        }
    }

    private void file(ModuleItem.SourceFile file) {
        out.append(".file ").append(file.index()).append(" \"").append(file.name()).append('"');
        if (file.timestamp() != 0 || file.size() != 0) {
            out.append(", ").append(file.timestamp()).append(", ").append(file.size());
        }
        out.append('\n');
    }

    private void section(ModuleItem.Section section) {
        out.append(".section ").append(section.name()).append("\n{\n");
        for (String line : section.lines()) {
            out.append('\t').append(line).append('\n');
        }
        out.append("}\n");
    }

    private void linkage(Linkage linkage) {
        if (linkage != Linkage.INTERNAL) {
            out.append('.').append(linkage.keyword()).append(' ');
        }
    }

    private void declaration(Variable variable, String indent) {
        out.append(indent);
        linkage(variable.linkage());
        variable(variable);
        if (variable.initializer() != null) {
            out.append(" = ");
            initializer(variable.initializer());
        }
        out.append(";\n");
    }

    private void variable(Variable variable) {
        out.append('.').append(variable.space().keyword());
        if (!variable.attributes().isEmpty()) {
            out.append(" .attribute(").append(String.join(", ", variable.attributes())).append(')');
        }
        Variable.Pointer pointer = variable.pointer();
        if (variable.alignment() != 0) {
            out.append(" .align ").append(variable.alignment());
        }
        if (variable.vector() != 1) {
            out.append(" .v").append(variable.vector());
        }
        out.append(" .").append(variable.type().keyword());
        if (pointer != null) {
            out.append(" .ptr");
            if (pointer.space() != null) {
                out.append(" .").append(pointer.space().keyword());
            }
            if (pointer.alignment() != 0) {
                out.append(" .align ").append(pointer.alignment());
            }
        }
        out.append(' ').append(variable.name());
        if (variable.isRange()) {
            out.append('<').append(variable.range()).append('>');
        }
        for (long extent : variable.dimensions()) {
            out.append('[');
            if (extent != Variable.UNSIZED) {
                out.append(extent);
            }
            out.append(']');
        }
    }

    private void initializer(Initializer initializer) {
        switch (initializer) {
            case Initializer.Value(Constant value, _) -> out.append(value);
            case Initializer.AddressOf address -> address(address);
            case Initializer.Masked(long mask, Constant value, _) ->
                    out.append(mask(mask)).append('(').append(value).append(')');
            case Initializer.Aggregate(List<Initializer> elements, _) -> {
                out.append('{');
                for (int i = 0; i < elements.size(); i++) {
                    if (i > 0) {
                        out.append(i % 32 == 0 ? ",\n\t" : ", ");
                    }
                    initializer(elements.get(i));
                }
                out.append('}');
            }
        }
    }

    private static String mask(long mask) {
        return "0x" + Long.toHexString(mask);
    }

    private void address(Initializer.AddressOf address) {
        if (address.mask() != 0) {
            out.append(mask(address.mask())).append('(');
        }
        out.append(address.generic() ? "generic(" + address.name() + ")" : address.name());
        out.append(OperandPrinter.offset(address.offset()));
        if (address.mask() != 0) {
            out.append(')');
        }
    }

    private void function(Function function) {
        linkage(function.linkage());
        out.append(function.isEntry() ? ".entry " : ".func ");
        if (!function.attributes().isEmpty()) {
            out.append(".attribute(").append(String.join(", ", function.attributes())).append(") ");
        }
        if (!function.results().isEmpty()) {
            parameters(function.results());
            out.append(' ');
        }
        out.append(function.name());
        if (!function.parameters().isEmpty()) {
            parameters(function.parameters());
        }
        directives(function.signature().directives(), "\n");
        if (function.body() == null) {
            out.append(";\n");
        } else {
            out.append('\n');
            block(function.body(), "");
        }
    }

    private void parameters(List<Variable> parameters) {
        out.append('(');
        for (int i = 0; i < parameters.size(); i++) {
            if (i > 0) {
                out.append(", ");
            }
            variable(parameters.get(i));
        }
        out.append(')');
    }

    private void directives(List<Signature.Directive> directives, String separator) {
        for (Signature.Directive directive : directives) {
            out.append(separator);
            if (!directive.texts().isEmpty()) {
                out.append(".pragma ");
                strings(directive.texts());
                out.append(';');
                continue;
            }
            out.append('.').append(directive.name());
            for (int i = 0; i < directive.values().size(); i++) {
                out.append(i > 0 ? ", " : " ").append(directive.values().get(i));
            }
        }
    }

    private void strings(List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            out.append(i > 0 ? ", \"" : "\"").append(texts.get(i)).append('"');
        }
    }

    private void pragma(List<String> texts, String indent) {
        out.append(indent).append(".pragma ");
        strings(texts);
        out.append(";\n");
    }

    private void block(Statement.Block block, String indent) {
        out.append(indent).append("{\n");
        String inner = indent + "\t";
        for (Statement statement : block.statements()) {
            statement(statement, inner);
        }
        out.append(indent).append("}\n");
    }

    private void statement(Statement statement, String indent) {
        switch (statement) {
            case Variable variable -> declaration(variable, indent);
            case Instruction instruction -> instruction(instruction, indent);
            case Statement.Label(String name, _) -> out.append(name).append(":\n");
            case Statement.Block block -> block(block, indent);
            case Statement.Location location -> location(location, indent);
            case Statement.Pragma pragma -> pragma(pragma.texts(), indent);
            case Statement.BranchTargets(String name, List<Operand.Symbol> targets, _) ->
                    targets(name, ".branchtargets", targets);
            case Statement.CallTargets(String name, List<Operand.Symbol> targets, _) ->
                    targets(name, ".calltargets", targets);
            case Statement.CallPrototype(String name, Signature signature, _) ->
                    prototype(name, signature);
        }
    }

    private void targets(String name, String directive, List<Operand.Symbol> targets) {
        out.append(name).append(": ").append(directive);
        for (int i = 0; i < targets.size(); i++) {
            out.append(i > 0 ? ", " : " ").append(targets.get(i).name());
        }
        out.append(";\n");
    }

    private void prototype(String name, Signature signature) {
        out.append(name).append(": .callprototype ");
        if (!signature.results().isEmpty()) {
            parameters(signature.results());
            out.append(' ');
        }
        out.append('_');
        if (!signature.parameters().isEmpty()) {
            out.append(' ');
            parameters(signature.parameters());
        }
        directives(signature.directives(), " ");
        out.append(";\n");
    }

    private void location(Statement.Location location, String indent) {
        out.append(indent)
                .append(".loc ")
                .append(location.file())
                .append(' ')
                .append(location.line())
                .append(' ')
                .append(location.column());
        Statement.Inlined inlined = location.inlined();
        if (inlined != null) {
            out.append(", function_name ").append(inlined.functionName());
            if (inlined.functionOffset() != 0) {
                out.append('+').append(inlined.functionOffset());
            }
            out.append(", inlined_at ")
                    .append(inlined.file())
                    .append(' ')
                    .append(inlined.line())
                    .append(' ')
                    .append(inlined.column());
        }
        out.append('\n');
    }

    private void instruction(Instruction instruction, String indent) {
        out.append(indent);
        Guard guard = instruction.guard();
        if (guard != null) {
            out.append(guard.negated() ? "@!" : "@").append(guard.predicate()).append(' ');
        }
        out.append(instruction.opcode());
        for (String qualifier : instruction.qualifiers()) {
            out.append('.').append(qualifier);
        }
        for (int i = 0; i < instruction.operands().size(); i++) {
            out.append(i > 0 ? ", " : " ");
            out.append(Ptx.print(instruction.operands().get(i)));
        }
        out.append(";\n");
    }
}
