package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Operand;
import dev.heddle.isa.RegisterType;

import java.util.ArrayList;
import java.util.List;

/// A form as inline assembly of CUDA C++: a function that executes it once.
final class InlineAssembly {
    private final List<String> operands = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<String> parameters = new ArrayList<>();
    private int next;

    private InlineAssembly() {}

    /// The function.
    static String of(Form form) {
        return new InlineAssembly().write(form);
    }

    private String write(Form form) {
        boolean warpgroup = form.family().warpgroup();
        List<Operand> all = form.operands();
        all.stream().filter(operand -> operand.name().equals("d")).forEach(d -> add(d, warpgroup));
        StringBuilder text = new StringBuilder();
        for (Operand operand : all) {
            if (!operand.name().equals("d")) {
                add(operand, warpgroup);
            }
        }
        String predicate = warpgroup ? "{ .reg .pred p; setp.ne.b32 p, " + scaleD() + ", 0; " : "";
        text.append("// ").append(form.requirement()).append('\n');
        text.append("__device__ void multiply(")
                .append(String.join(", ", parameters))
                .append(") {\n");
        text.append("    asm volatile(\"").append(predicate).append(form.opcode()).append(" \"\n");
        text.append("        \"")
                .append(String.join(", ", operands))
                .append(warpgroup ? "; }\"\n" : ";\"\n");
        text.append("        : ").append(String.join(", ", outputs)).append('\n');
        text.append("        : ").append(String.join(", ", inputs)).append(");\n}\n");
        return text.toString();
    }

    private String scaleD = "";

    private String scaleD() {
        return scaleD;
    }

    private void add(Operand operand, boolean warpgroup) {
        switch (operand) {
            case Operand.Matrix matrix -> matrix(matrix, warpgroup);
            case Operand.Descriptor(String name, _) -> scalar("unsigned long long ", name, "l");
            case Operand.MetadataWord(String name, _) -> scalar("unsigned ", name, "r");
            case Operand.Selector _, Operand.Immediate _ -> operands.add(immediate(operand));
            case Operand.ScaleData(String name, _) -> scalar("unsigned ", name, "r");
            case Operand.ScaleSelector _ -> operands.add("{0, 0}");
            case Operand.ScaleD(String name) -> {
                parameters.add("int " + identifier(name));
                inputs.add("\"r\"(" + identifier(name) + ")");
                scaleD = "%" + next++;
                operands.add("p");
            }
        }
    }

    private static String immediate(Operand operand) {
        return operand.name().startsWith("imm-scale") ? "1" : "0";
    }

    private void scalar(String type, String name, String constraint) {
        parameters.add(type + identifier(name));
        inputs.add("\"" + constraint + "\"(" + identifier(name) + ")");
        operands.add("%" + next++);
    }

    private void matrix(Operand.Matrix matrix, boolean warpgroup) {
        boolean result = matrix.name().equals("d");
        if (warpgroup && matrix.name().equals("c")) {
            return;
        }
        RegisterType declared = matrix.accepts().declared();
        String letter =
                switch (declared) {
                    case F32 -> "f";
                    case F64 -> "d";
                    case PRED, B8, U8, S8, B16, U16, S16, F16, B32, U32, S32, F16X2 -> "r";
                    case B64, U64, S64, B128 -> "l";
                };
        String type =
                switch (letter) {
                    case "f" -> "float";
                    case "d" -> "double";
                    case "l" -> "unsigned long long";
                    default -> "unsigned";
                };
        parameters.add(
                "%s%s (&%s)[%d]"
                        .formatted(
                                result ? "" : "const ", type, matrix.name(), matrix.registers()));
        String constraint = (result ? (warpgroup ? "+" : "=") : "") + letter;
        List<String> places = new ArrayList<>();
        for (int i = 0; i < matrix.registers(); i++) {
            (result ? outputs : inputs)
                    .add("\"%s\"(%s[%d])".formatted(constraint, matrix.name(), i));
            places.add("%" + next++);
        }
        operands.add("{" + String.join(", ", places) + "}");
    }

    private static String identifier(String name) {
        return name.replace('-', '_');
    }
}
