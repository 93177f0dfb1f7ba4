package dev.heddle.vm.trace;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;

import java.util.List;

/// Bits in words.
final class Values {
    private Values() {}

    /// The type an instruction computes in: the first of its qualifiers that names one.
    static String type(List<String> qualifiers) {
        for (String qualifier : qualifiers) {
            if (Format.named(qualifier).isPresent()) {
                return qualifier;
            }
        }
        return "";
    }

    /// `0x40490fdb (3.1415927)`; the number only where the type is as wide as the register.
    static String describe(long bits, int width, String type) {
        if (width == 1) {
            return bits == 0 ? "false" : "true";
        }
        String digits = Long.toHexString(width == 64 ? bits : bits & (1L << width) - 1);
        String code = "0x" + "0".repeat(Math.max(0, width / 4 - digits.length())) + digits;
        Format format = Format.named(type).orElse(IntegerFormat.U8);
        if (format.bits() != width) {
            return code;
        }
        return switch (format) {
            case FloatFormat.F32 -> code + " (" + Float.intBitsToFloat((int) bits) + ")";
            case FloatFormat number -> code + " (" + number.toDouble(bits) + ")";
            case IntegerFormat integer when integer.ptxName().startsWith("s") ->
                    code + " (" + integer.toLong(bits) + ")";
            case IntegerFormat _ -> code + " (" + Long.toUnsignedString(bits) + ")";
        };
    }
}
