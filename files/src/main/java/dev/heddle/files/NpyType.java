package dev.heddle.files;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;

/// The element type of a `.npy` file.
///
/// @param descr its spelling: byte order, kind, bytes
/// @param format what the elements are; for raw ones an unsigned integer of their width
/// @param bytes bytes an element takes
/// @param bigEndian whether its highest byte comes first
/// @param raw whether nothing but the width is known (`V`)
record NpyType(String descr, Format format, int bytes, boolean bigEndian, boolean raw) {

    /// @throws InputException if it is no type of plain numbers
    static NpyType parse(String descr) {
        boolean ordered = !descr.isEmpty() && "<>|=".indexOf(descr.charAt(0)) >= 0;
        String kind = ordered ? descr.substring(1) : descr;
        Format format =
                switch (kind) {
                    case "f8" -> FloatFormat.F64;
                    case "f4" -> FloatFormat.F32;
                    case "f2" -> FloatFormat.F16;
                    case "i8" -> IntegerFormat.S64;
                    case "i4" -> IntegerFormat.S32;
                    case "i2" -> IntegerFormat.S16;
                    case "i1" -> IntegerFormat.S8;
                    case "u8", "V8" -> IntegerFormat.U64;
                    case "u4", "V4" -> IntegerFormat.U32;
                    case "u2", "V2" -> IntegerFormat.U16;
                    case "u1", "V1" -> IntegerFormat.U8;
                    case "b1", "?" -> IntegerFormat.B1;
                    default ->
                            throw new InputException(
                                    "dtype %s: expected one of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 V1 V2 V4 V8"
                                            .formatted(TensorFileException.quoted(descr)));
                };
        int bytes = Math.max(1, format.bits() / Byte.SIZE);
        return new NpyType(descr, format, bytes, descr.startsWith(">"), kind.startsWith("V"));
    }

    /// How codes of a format are written: under their own name, or else carried in unsigned
    /// integers.
    static String descr(Format format) {
        return switch (format) {
            case FloatFormat.F64 -> "<f8";
            case FloatFormat.F32, FloatFormat.TF32 -> "<f4";
            case FloatFormat.F16 -> "<f2";
            case FloatFormat.BF16, IntegerFormat.U16 -> "<u2";
            case FloatFormat.E5M2,
                    FloatFormat.E4M3,
                    FloatFormat.E3M2,
                    FloatFormat.E2M3,
                    FloatFormat.E2M1,
                    FloatFormat.UE8M0,
                    FloatFormat.UE4M3,
                    IntegerFormat.U8,
                    IntegerFormat.U4 ->
                    "|u1";
            case IntegerFormat.S64 -> "<i8";
            case IntegerFormat.U64 -> "<u8";
            case IntegerFormat.S32 -> "<i4";
            case IntegerFormat.U32 -> "<u4";
            case IntegerFormat.S16 -> "<i2";
            case IntegerFormat.S8, IntegerFormat.S4 -> "|i1";
            case IntegerFormat.B1 -> "|b1";
        };
    }
}
