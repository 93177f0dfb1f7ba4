package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.vm.ir.OperationKind.BYTE;
import static dev.heddle.vm.ir.OperationKind.HIGH;
import static dev.heddle.vm.ir.OperationKind.PACK;
import static dev.heddle.vm.ir.OperationKind.TRUNC;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Source;

import java.util.ArrayList;
import java.util.List;

/// `mov`: copies, and packing and unpacking of vectors (PTX ISA 9.7.9.3 and 9.7.9.4).
record MoveLowering(CodeBuilder builder) {
    /// `mov`, with packing and unpacking of vectors (PTX ISA 9.7.9.4).
    void move(BoundInstruction form) {
        Operand target = form.operand(0);
        Operand value = form.operand(1);
        if (form.type().bits() == 128) {
            moveWide(target, value);
        } else if (target instanceof Operand.Vector targets
                && value instanceof Operand.Vector values) {
            moveAll(targets, values, form.type());
        } else if (target instanceof Operand.Vector vector) {
            unpack(vector, builder.read(value, form.type()), form.type());
        } else if (value instanceof Operand.Vector vector) {
            builder.write(target, pack(vector, form.type()), form.type());
        } else {
            builder.write(target, builder.read(value, form.type()), form.type());
        }
    }

    /// `mov.v2`, `mov.v4`: all elements are read before the first is written.
    private void moveAll(Operand.Vector targets, Operand.Vector values, ScalarType type) {
        if (targets.elements().size() != values.elements().size()) {
            throw new UnsupportedInstruction("vectors of two sizes");
        }
        List<Source> read = new ArrayList<>();
        for (Operand element : values.elements()) {
            read.add(builder.copy(builder.read(element, type)));
        }
        for (int i = 0; i < read.size(); i++) {
            builder.write(targets.elements().get(i), read.get(i), type);
        }
    }

    /// `mov.b128`: to, from or between pairs of 64-bit registers.
    private void moveWide(Operand target, Operand value) {
        CodeBuilder.Wide wide =
                value instanceof Operand.Vector vector ? packWide(vector) : builder.readWide(value);
        if (target instanceof Operand.Vector vector && vector.elements().size() == 2) {
            // The halves of a 128-bit register change only with it: none is among the targets.
            builder.write(vector.elements().get(0), wide.low(), B64);
            builder.write(vector.elements().get(1), wide.high(), B64);
        } else if (target instanceof Operand.Vector(List<Operand> elements, _)
                && elements.size() == 4) {
            SourcePosition place = target.position();
            unpack(new Operand.Vector(elements.subList(0, 2), place), wide.low(), B64);
            unpack(new Operand.Vector(elements.subList(2, 4), place), wide.high(), B64);
        } else {
            builder.writeWide(target, wide);
        }
    }

    private CodeBuilder.Wide packWide(Operand.Vector vector) {
        List<Operand> elements = vector.elements();
        return switch (elements.size()) {
            case 2 ->
                    new CodeBuilder.Wide(
                            builder.read(elements.get(0), B64), builder.read(elements.get(1), B64));
            case 4 -> {
                SourcePosition place = vector.position();
                yield new CodeBuilder.Wide(
                        pack(new Operand.Vector(elements.subList(0, 2), place), B64),
                        pack(new Operand.Vector(elements.subList(2, 4), place), B64));
            }
            default -> throw new UnsupportedInstruction("128 bits in such a vector");
        };
    }

    private Source pack(Operand.Vector vector, ScalarType type) {
        int parts = vector.elements().size();
        ScalarType part = bitType(type.bits() / parts);
        Source[] values = new Source[parts];
        for (int i = 0; i < parts; i++) {
            values[i] = builder.read(vector.elements().get(i), part);
        }
        int bits = part.bits();
        int left = parts;
        while (left > 1) {
            Operation pair = pairOf(bitType(bits));
            for (int i = 0; i < left / 2; i++) {
                values[i] = builder.compute(pair, values[2 * i], values[2 * i + 1]);
            }
            left /= 2;
            bits *= 2;
        }
        return values[0];
    }

    private void unpack(Operand.Vector vector, Source value, ScalarType type) {
        int parts = vector.elements().size();
        ScalarType part = bitType(type.bits() / parts);
        Source[] values = new Source[parts];
        for (int i = 0; i < parts; i++) {
            Source word = value;
            int bit = i * part.bits();
            if (type.bits() == 64) {
                word = builder.compute(Operation.from(B64, bit < 32 ? TRUNC : HIGH, B32), value);
            }
            values[i] =
                    switch (part.bits()) {
                        case 32 -> word;
                        case 16 -> bit % 32 == 0 ? builder.lowHalf(word) : builder.highHalf(word);
                        default -> builder.compute(BYTE, B32, word, Source.word(bit % 32 / 8));
                    };
        }
        for (int i = 0; i < parts; i++) {
            builder.write(vector.elements().get(i), values[i], part);
        }
    }

    private static Operation pairOf(ScalarType part) {
        return Operation.from(part, PACK, bitType(2 * part.bits()));
    }

    private static ScalarType bitType(int bits) {
        return switch (bits) {
            case 8 -> ScalarType.B8;
            case 16 -> ScalarType.B16;
            case 32 -> B32;
            case 64 -> B64;
            default -> throw new UnsupportedInstruction(bits + "-bit vector elements");
        };
    }
}
