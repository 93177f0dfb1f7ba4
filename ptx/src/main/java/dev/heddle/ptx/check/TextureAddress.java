package dev.heddle.ptx.check;

import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.FormMatch;

import java.util.List;

/// Checks what is in the brackets of `tex`, `suld` and their kin: a texture or surface, perhaps
/// a sampler, and coordinates (PTX ISA 9.7.10.3, 9.7.11.1).
record TextureAddress(Instruction instruction, FormMatch binding, List<Problem> problems) {
    /// @param operand whose names are known
    void check(Operand operand) {
        boolean texture =
                switch (binding.form().kind()) {
                    case TEXTURE, TEXTURE_GATHER -> true;
                    default -> false;
                };
        if (!(operand instanceof Operand.AddressList(List<Operand> parts, _))
                || parts.size() < 2
                || parts.size() > (texture ? 3 : 2)) {
            add("wrong-operand-kind.texture", operand, texture ? "texture" : "surface");
            return;
        }
        boolean cube = geometry().endsWith("cube");
        if (cube && binding.types().getLast() == ScalarType.S32) {
            add("wrong-operand-type.cube", operand, instruction);
            return;
        }
        boolean numbers = texture && !binding.types().getLast().equals(ScalarType.S32);
        coordinates(parts.getLast(), numbers);
    }

    /// @param numbers whether they are `.f32`, but for the layer
    private void coordinates(Operand coordinates, boolean numbers) {
        int expected = count();
        List<Operand> elements =
                coordinates instanceof Operand.Vector(List<Operand> all, _)
                        ? all
                        : List.of(coordinates);
        int found = elements.size();
        if (found != expected && found != 4) {
            add("wrong-vector-size.texture", coordinates, found, instruction, expected);
            return;
        }
        for (int i = 0; i < expected && i < elements.size(); i++) {
            integral(elements.get(i), numbers && !(layered() && i == 0));
        }
    }

    private String geometry() {
        String word = binding.word("geom");
        String levels = binding.word("lgeom");
        return word != null ? word : levels != null ? levels : "";
    }

    private boolean layered() {
        return geometry().startsWith("a");
    }

    /// Coordinates with their padding.
    private int count() {
        return switch (geometry()) {
            case "1d" -> 1;
            case "2d", "a1d" -> 2;
            default -> 4;
        };
    }

    private void integral(Operand coordinate, boolean number) {
        if (!(coordinate instanceof Operand.Register register)) {
            return;
        }
        Variable declaration = register.declaration();
        if (declaration == null) {
            return;
        }
        ScalarType type = declaration.type();
        boolean fits =
                type.bits() == 32
                        && (type.kind() == ScalarType.Kind.BITS
                                || type.kind()
                                        == (number ? ScalarType.Kind.FLOAT : ScalarType.Kind.SIGNED)
                                || !number && type.kind() == ScalarType.Kind.UNSIGNED);
        if (!fits) {
            add(
                    "wrong-operand-type.coordinate",
                    coordinate,
                    type,
                    instruction,
                    number ? "f32" : "s32");
        }
    }

    private void add(String wording, Operand operand, Object... more) {
        problems.add(Problem.of(wording, operand, more));
    }
}
