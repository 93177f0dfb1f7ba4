package dev.heddle.vm.lowering;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Variable;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// The registers of a function: those that it declares, and those that the lowering makes.
final class RegisterNames {
    // By the declaration itself: another of the same name, in other braces, is another register.
    private final IdentityHashMap<Variable, Map<String, Register>> declared =
            new IdentityHashMap<>();
    private final int[] counts = new int[3];
    private @Nullable Register carryFlag;

    /// How many there are of a width.
    int count(Width width) {
        return counts[width.ordinal()];
    }

    private Register declared(Variable declaration, String name, int bits) {
        Map<String, Register> named = declared.computeIfAbsent(declaration, _ -> new HashMap<>());
        Register known = named.get(name);
        if (known == null) {
            if (bits > 64) {
                throw new UnsupportedInstruction("the 128-bit register " + name + " here");
            }
            known = new Register(next(Width.ofBits(bits)), bits, name, Register.Kind.DECLARED);
            named.put(name, known);
        }
        return known;
    }

    private int next(Width width) {
        return counts[width.ordinal()]++;
    }

    /// A register that nothing declares.
    Register temporary(Width width) {
        int index = next(width);
        // No name that PTX could declare begins so.
        String name = "#" + width.name().toLowerCase(Locale.ROOT).charAt(0) + index;
        return new Register(index, width.bits(), name, Register.Kind.TEMPORARY);
    }

    /// The register that an operand names.
    Register of(Operand.Register operand) {
        return of(operand.canonicalName(), operand.declaration());
    }

    /// The register of this name by a declaration.
    Register of(String name, @Nullable Variable declaration) {
        if (declaration == null) {
            throw new UnsupportedInstruction("the undeclared register " + name);
        }
        return declared(declaration, name, declaration.type().bits());
    }

    static boolean isWide(Operand operand) {
        return operand instanceof Operand.Register named && isWide(named.declaration());
    }

    static boolean isWide(@Nullable Variable declaration) {
        return declaration != null && declaration.type() == ScalarType.B128;
    }

    /// One half of a 128-bit register, which is a 64-bit register of its own.
    Register half(String name, Variable declaration, boolean high) {
        return declared(declaration, name + (high ? ".hi" : ".lo"), 64);
    }

    /// One half of a 128-bit register.
    Register half(Operand.Register operand, boolean high) {
        return half(operand.toString(), Objects.requireNonNull(operand.declaration()), high);
    }

    /// CC.CF, one word.
    Register carryFlag() {
        Register flag = carryFlag;
        if (flag == null) {
            flag = new Register(next(Width.WORD), 32, "CC.CF", Register.Kind.CARRY);
            carryFlag = flag;
        }
        return flag;
    }
}
