package dev.heddle.files;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;

/// The names of element types in `.safetensors` files.
final class SafetensorsType {
    private SafetensorsType() {}

    /// @throws InputException if it is no type that Heddle has a format for
    static Format format(String dtype) {
        return switch (dtype) {
            case "F64" -> FloatFormat.F64;
            case "F32" -> FloatFormat.F32;
            case "F16" -> FloatFormat.F16;
            case "BF16" -> FloatFormat.BF16;
            case "F8_E5M2" -> FloatFormat.E5M2;
            case "F8_E4M3" -> FloatFormat.E4M3;
            case "F8_E8M0" -> FloatFormat.UE8M0;
            case "F4" -> FloatFormat.E2M1;
            case "I64" -> IntegerFormat.S64;
            case "U64" -> IntegerFormat.U64;
            case "I32" -> IntegerFormat.S32;
            case "U32" -> IntegerFormat.U32;
            case "I16" -> IntegerFormat.S16;
            case "U16" -> IntegerFormat.U16;
            case "I8" -> IntegerFormat.S8;
            case "U8" -> IntegerFormat.U8;
            case "BOOL" -> IntegerFormat.B1;
            // F6_E2M3 and F6_E3M2 exist, but nothing says in which order four codes share three
            // bytes
            default ->
                    throw new InputException(
                            "dtype %s: expected one of F64 F32 F16 BF16 F8_E5M2 F8_E4M3 F8_E8M0 F4 I64 U64 I32 U32 I16 U16 I8 U8 BOOL"
                                    .formatted(TensorFileException.quoted(dtype)));
        };
    }

    /// How codes of a format are written: under their own name, or else carried in integers.
    static String dtype(Format format) {
        return switch (format) {
            case FloatFormat.F64 -> "F64";
            case FloatFormat.F32, FloatFormat.TF32 -> "F32";
            case FloatFormat.F16 -> "F16";
            case FloatFormat.BF16 -> "BF16";
            case FloatFormat.E5M2 -> "F8_E5M2";
            // A ue4m3 code is that of the same e4m3 value
            case FloatFormat.E4M3, FloatFormat.UE4M3 -> "F8_E4M3";
            case FloatFormat.UE8M0 -> "F8_E8M0";
            case FloatFormat.E2M1 -> "F4";
            case FloatFormat.E3M2, FloatFormat.E2M3, IntegerFormat.U8, IntegerFormat.U4 -> "U8";
            case IntegerFormat.S64 -> "I64";
            case IntegerFormat.U64 -> "U64";
            case IntegerFormat.S32 -> "I32";
            case IntegerFormat.U32 -> "U32";
            case IntegerFormat.S16 -> "I16";
            case IntegerFormat.U16 -> "U16";
            case IntegerFormat.S8, IntegerFormat.S4 -> "I8";
            case IntegerFormat.B1 -> "BOOL";
        };
    }
}
