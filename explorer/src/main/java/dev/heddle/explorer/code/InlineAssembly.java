package dev.heddle.explorer.code;

import dev.heddle.isa.Form;
import dev.heddle.isa.Operand;
import dev.heddle.isa.RegisterType;

import java.util.ArrayList;
import java.util.List;

/// A form as inline assembly of CUDA C++: a function that executes it once.
///
/// What wgmma needs around it is in the same statement, where the compiler cannot part them:
/// the fence that orders the accumulator's registers before it, and the wait for its result (PTX
/// ISA 9.7.15.3).
public final class InlineAssembly {
    private final boolean warpgroup;
    private final List<String> operands = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<String> parameters = new ArrayList<>();
    private final List<String> immediates = new ArrayList<>();
    private int next;
    private String scaleD = "";

    /// Characters of a list on one line.
    private static final int LINE = 84;

    private static final String CONTINUED = "\n          ";

    private InlineAssembly(boolean warpgroup) {
        this.warpgroup = warpgroup;
    }

    /// The function.
    public static String of(Form form) {
        return new InlineAssembly(form.family().warpgroup()).write(form);
    }

    private String write(Form form) {
        // The accumulator is the first operand, and the outputs of a statement come first.
        form.operands().forEach(this::add);
        List<String> lines = new ArrayList<>();
        if (warpgroup) {
            lines.add("{ .reg .pred p; setp.ne.b32 p, " + scaleD + ", 0;");
            lines.add("wgmma.fence.sync.aligned;");
        }
        lines.add(form.opcode());
        lines.addAll(Wrapped.lines(operands, LINE));
        lines.add(lines.removeLast() + ";");
        if (warpgroup) {
            lines.add("wgmma.commit_group.sync.aligned;");
            lines.add("wgmma.wait_group.sync.aligned 0; }");
        }
        return comment(form)
                + "__device__ void multiply("
                + String.join("\n        ", Wrapped.lines(parameters, LINE - 15))
                + ") {\n    asm volatile(\n        \""
                + String.join(" \"\n        \"", lines)
                + "\"\n        : "
                + String.join(CONTINUED, Wrapped.lines(outputs, LINE))
                + "\n        : "
                + String.join(CONTINUED, Wrapped.lines(inputs, LINE))
                + (warpgroup ? "\n        : \"memory\"" : "")
                + ");\n}\n";
    }

    private String comment(Form form) {
        return "// "
                + form.requirement()
                + "; all "
                + form.lanes()
                + " lanes call it.\n"
                + (warpgroup
                        ? "// Stores to the shared memory that it reads need fence.proxy.async"
                                + " before.\n"
                        : "")
                + (immediates.isEmpty()
                        ? ""
                        : "// Immediates: "
                                + String.join("\n//   ", Wrapped.lines(immediates, LINE))
                                + ".\n");
    }

    private void add(Operand operand) {
        switch (operand) {
            case Operand.Matrix matrix -> matrix(matrix);
            case Operand.Descriptor(String name, _) -> scalar("unsigned long long ", name, "l");
            case Operand.MetadataWord(String name, _) -> scalar("unsigned ", name, "r");
            case Operand.ScaleData(String name, _) -> scalar("unsigned ", name, "r");
            case Operand.Selector(String name, List<Integer> legal, _) ->
                    immediate(name, legal.getFirst().toString(), "sparsity selector ");
            case Operand.ScaleSelector(String name, _, _) -> immediate(name, "{0, 0}", "");
            case Operand.Immediate(String name, _) ->
                    immediate(name, name.startsWith("imm-scale") ? "1" : "0", "");
            case Operand.ScaleD(String name) -> {
                parameters.add("int " + identifier(name));
                inputs.add("\"r\"(" + identifier(name) + ")");
                scaleD = "%" + next++;
                operands.add("p");
            }
        }
    }

    private void immediate(String name, String value, String meaning) {
        operands.add(value);
        immediates.add(meaning + name + " = " + value);
    }

    private void scalar(String type, String name, String constraint) {
        parameters.add(type + identifier(name));
        inputs.add("\"" + constraint + "\"(" + identifier(name) + ")");
        operands.add("%" + next++);
    }

    private void matrix(Operand.Matrix matrix) {
        boolean result = matrix.name().equals("d");
        Variable variable = Variable.of(matrix.accepts().declared());
        parameters.add(
                "%s%s (&%s)[%d]"
                        .formatted(
                                result ? "" : "const ",
                                variable.type,
                                matrix.name(),
                                matrix.registers()));
        String access = result ? (warpgroup ? "+" : "=") : "";
        List<String> places = new ArrayList<>();
        for (int i = 0; i < matrix.registers(); i++) {
            (result ? outputs : inputs)
                    .add("\"%s%s\"(%s[%d])".formatted(access, variable.letter, matrix.name(), i));
            places.add("%" + next++);
        }
        places.set(0, "{" + places.getFirst());
        places.add(places.removeLast() + "}");
        operands.addAll(places);
    }

    /// A register in C.
    ///
    /// @param letter its constraint in inline assembly
    record Variable(String type, String letter) {
        static Variable of(RegisterType declared) {
            return switch (declared) {
                case F32 -> new Variable("float", "f");
                case F64 -> new Variable("double", "d");
                case S32 -> new Variable("int", "r");
                case PRED, B8, U8, S8, B16, U16, S16, F16, B32, U32, F16X2 ->
                        new Variable("unsigned", "r");
                case B64, U64, S64, B128 -> new Variable("unsigned long long", "l");
            };
        }
    }

    static String identifier(String name) {
        return name.replace('-', '_');
    }
}
