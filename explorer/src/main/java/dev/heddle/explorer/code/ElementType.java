package dev.heddle.explorer.code;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Packing;

import java.util.Optional;

/// How CUDA C++ points at elements in memory.
///
/// @param name    the type that a pointer points at
/// @param header  what declares it
/// @param perUnit elements in one of that type: more than one where they are narrower than a byte
/// @param remark  what the type does not say
record ElementType(String name, Optional<String> header, int perUnit, String remark) {

    static ElementType of(Format format, Packing packing) {
        return switch (format) {
            case FloatFormat.F16 -> declared("half", "cuda_fp16.h");
            case FloatFormat.BF16 -> declared("__nv_bfloat16", "cuda_bf16.h");
            case FloatFormat.TF32 -> built("float", "the lowest 13 bits are ignored");
            case FloatFormat.F32 -> built("float", "");
            case FloatFormat.F64 -> built("double", "");
            case IntegerFormat.S32 -> built("int", "");
            case IntegerFormat.S8 -> declared("int8_t", "cstdint");
            default -> bytes(packing);
        };
    }

    private static ElementType built(String name, String remark) {
        return new ElementType(name, Optional.empty(), 1, remark);
    }

    private static ElementType declared(String name, String header) {
        return new ElementType(name, Optional.of(header), 1, "");
    }

    private static ElementType bytes(Packing packing) {
        int count = Byte.SIZE / packing.containerBits();
        String remark = "";
        if (count > 1) {
            remark = "%d in a byte, the first lowest".formatted(count);
        } else if (packing.elementBits() < Byte.SIZE) {
            int low = packing.offset();
            int high = low + packing.elementBits() - 1;
            remark = "one a byte, in its bits %d..%d".formatted(high, low);
        }
        return new ElementType("uint8_t", Optional.of("cstdint"), count, remark);
    }
}
