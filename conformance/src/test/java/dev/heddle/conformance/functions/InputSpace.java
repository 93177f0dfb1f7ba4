package dev.heddle.conformance.functions;

import dev.heddle.tensorcore.functions.Approximate;
import dev.heddle.tensorcore.functions.ApproximateFunction;
import dev.heddle.tensorcore.functions.Mufu;
import dev.heddle.tensorcore.functions.VectorApproximate;
import dev.heddle.tensorcore.functions.VectorMufu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

import org.jspecify.annotations.Nullable;

import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;

/// How the 2^32 inputs of a function are numbered, and what the model makes of them.
///
/// Input n of a function of one word is the word n; of a function of `.f64`, the high word n with a
/// low word; of a division, two words that follow from n.
///
/// @param function the form
/// @param low for `.f64` what the low word is multiplied by: n times this
/// @param close for divisions: whether the exponents of both operands are close
/// @param model the results of consecutive inputs
record InputSpace(ApproximateFunction function, int low, boolean close, Model model) {
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(
                    float.class, VectorShape.forBitSize(Float.SIZE * VectorMufu.WORDS.length()));
    private static final int LANES = VectorMufu.WORDS.length();

    /// The results of the inputs from `first` on, as many as there is room for.
    interface Model {
        void results(int first, long[] results);
    }

    /// What is done to whole arrays of words; a method of its own for each function, because the
    /// JIT keeps vectors out of memory only within one.
    private interface Words {
        void apply(float[] inputs, int[] results);
    }

    private static FloatVector at(float[] inputs, int i) {
        return FloatVector.fromArray(FLOATS, inputs, i);
    }

    private static IntVector bits(float[] inputs, int i) {
        return at(inputs, i).reinterpretAsInts();
    }

    /// The spaces of a function: none for the half types, whose 65,536 inputs are in the tests.
    static InputSpace[] of(ApproximateFunction function) {
        Words words = words(function);
        if (words != null) {
            return one(function, overWords(words));
        }
        return switch (function) {
            case EX2_F16X2 -> one(function, pairs(Mufu::ex2F16));
            case EX2_FTZ_BF16X2 -> one(function, pairs(Mufu::ex2Bf16));
            case TANH_F16X2 -> one(function, pairs(Mufu::tanhF16));
            case TANH_BF16X2 -> one(function, pairs(Mufu::tanhBf16));
            case RCP_FTZ_F64 -> doubles(function, Approximate::rcpApproxFtzF64);
            case RSQRT_F64 -> doubles(function, Approximate::rsqrtApproxF64);
            case RSQRT_FTZ_F64 -> doubles(function, Approximate::rsqrtApproxFtzF64);
            case DIV_APPROX_F32, DIV_APPROX_FTZ_F32, DIV_FULL_F32, DIV_FULL_FTZ_F32 ->
                    divisions(function, division(function));
            default -> new InputSpace[0];
        };
    }

    private static InputSpace[] one(ApproximateFunction function, Model model) {
        return new InputSpace[] {new InputSpace(function, 0, false, model)};
    }

    private static @Nullable Words words(ApproximateFunction function) {
        return switch (function) {
            case EX2_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.ex2ApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case EX2_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.ex2(bits(in, i)).intoArray(out, i);
                        }
                    };
            case LG2_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.lg2ApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case LG2_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.lg2(bits(in, i)).intoArray(out, i);
                        }
                    };
            case RCP_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.rcpApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case RCP_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.rcp(bits(in, i)).intoArray(out, i);
                        }
                    };
            case RSQRT_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.rsqrtApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case RSQRT_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.rsq(bits(in, i)).intoArray(out, i);
                        }
                    };
            case SQRT_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.sqrtApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case SQRT_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.sqrt(bits(in, i)).intoArray(out, i);
                        }
                    };
            case SIN_F32, SIN_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.sinApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case COS_F32, COS_FTZ_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorApproximate.cosApproxF32(at(in, i)).intoArray(out, i);
                        }
                    };
            case TANH_F32 ->
                    (in, out) -> {
                        for (int i = 0; i < out.length; i += LANES) {
                            VectorMufu.tanh(bits(in, i)).intoArray(out, i);
                        }
                    };
            default -> null;
        };
    }

    private static Model overWords(Words words) {
        return (first, results) -> {
            float[] inputs = new float[results.length];
            int[] out = new int[results.length];
            for (int i = 0; i < inputs.length; i++) {
                inputs[i] = Float.intBitsToFloat(first + i);
            }
            words.apply(inputs, out);
            for (int i = 0; i < out.length; i++) {
                results[i] = out[i] & 0xffff_ffffL;
            }
        };
    }

    private static Model pairs(IntUnaryOperator half) {
        int[] table = new int[1 << 16];
        for (int i = 0; i < table.length; i++) {
            table[i] = half.applyAsInt(i);
        }
        return (first, results) -> {
            for (int i = 0; i < results.length; i++) {
                int pair = first + i;
                results[i] = (table[pair >>> 16] << 16 | table[pair & 0xffff]) & 0xffff_ffffL;
            }
        };
    }

    private static InputSpace[] doubles(ApproximateFunction function, DoubleUnaryOperator model) {
        // Low words of zeros, ones and a mixture.
        int[] lows = {0, -1, 0x9e3779b9};
        InputSpace[] spaces = new InputSpace[lows.length];
        for (int i = 0; i < lows.length; i++) {
            int low = lows[i];
            spaces[i] =
                    new InputSpace(
                            function,
                            low,
                            false,
                            (first, results) -> {
                                for (int n = 0; n < results.length; n++) {
                                    long bits = (long) (first + n) << 32 | low(first + n, low);
                                    results[n] =
                                            Double.doubleToRawLongBits(
                                                    model.applyAsDouble(
                                                            Double.longBitsToDouble(bits)));
                                }
                            });
        }
        return spaces;
    }

    /// The operand of a function of `.f64` whose high word is n.
    long word(int n) {
        return (long) n << 32 | low(n, low);
    }

    private static long low(int high, int factor) {
        return (factor == -1 ? -1 : high * factor) & 0xffff_ffffL;
    }

    /// A division by the model.
    interface Division {
        float of(float a, float b);
    }

    static Division division(ApproximateFunction function) {
        return switch (function) {
            case DIV_APPROX_F32 -> Approximate::divApproxF32;
            case DIV_APPROX_FTZ_F32 -> Approximate::divApproxFtzF32;
            case DIV_FULL_F32 -> Approximate::divFullF32;
            case DIV_FULL_FTZ_F32 -> Approximate::divFullFtzF32;
            default -> throw new IllegalArgumentException(function + " is no division");
        };
    }

    private static InputSpace[] divisions(ApproximateFunction function, Division division) {
        InputSpace[] spaces = new InputSpace[2];
        for (int i = 0; i < spaces.length; i++) {
            boolean close = i == 1;
            spaces[i] =
                    new InputSpace(
                            function,
                            0,
                            close,
                            (first, results) -> {
                                for (int n = 0; n < results.length; n++) {
                                    int a = mixed((first + n) * 0x9e3779b9);
                                    int b = mixed((first + n) * 0x85ebca6b + 0x27d4eb2f);
                                    if (close) {
                                        b =
                                                b & 0x807f_ffff
                                                        | (a ^ (b >>> 5 & 0x0080_0000))
                                                                & 0x7f80_0000;
                                    }
                                    results[n] =
                                            Float.floatToRawIntBits(
                                                            division.of(
                                                                    Float.intBitsToFloat(a),
                                                                    Float.intBitsToFloat(b)))
                                                    & 0xffff_ffffL;
                                }
                            });
        }
        return spaces;
    }

    static int mixed(int word) {
        int z = (word ^ word >>> 16) * 0x7feb352d;
        return z ^ z >>> 15;
    }

    /// The PTX that makes `%result` (64 bits) of `%n` (32 bits).
    String ptx() {
        String opcode = function.opcode();
        if (opcode.endsWith("f64")) {
            String word =
                    low == -1
                            ? "mov.b32 %b, -1;\n"
                            : "mul.lo.u32 %%b, %%n, 0x%08x;\n".formatted(low);
            return word + "mov.b64 %x, {%b, %n};\n" + opcode + " %result, %x;\n";
        }
        if (opcode.startsWith("div")) {
            return """
            mul.lo.u32 %%a, %%n, 0x9e3779b9;
            shr.u32 %%t, %%a, 16; xor.b32 %%a, %%a, %%t; mul.lo.u32 %%a, %%a, 0x7feb352d;
            shr.u32 %%t, %%a, 15; xor.b32 %%a, %%a, %%t;
            mad.lo.u32 %%b, %%n, 0x85ebca6b, 0x27d4eb2f;
            shr.u32 %%t, %%b, 16; xor.b32 %%b, %%b, %%t; mul.lo.u32 %%b, %%b, 0x7feb352d;
            shr.u32 %%t, %%b, 15; xor.b32 %%b, %%b, %%t;
            %s%s %%a, %%a, %%b;
            cvt.u64.u32 %%result, %%a;
            """
                    .formatted(close ? CLOSE : "", opcode);
        }
        return opcode + " %a, %n;\ncvt.u64.u32 %result, %a;\n";
    }

    private static final String CLOSE =
            """
            shr.u32 %t, %b, 5; and.b32 %t, %t, 0x00800000; xor.b32 %t, %t, %a;
            and.b32 %t, %t, 0x7f800000; and.b32 %b, %b, 0x807fffff; or.b32 %b, %b, %t;
            """;

    /// The opcode, and which of its spaces this is.
    @Override
    public String toString() {
        String opcode = function.opcode();
        if (opcode.endsWith("f64")) {
            return opcode + (low == 0 ? " low 0" : low == -1 ? " low ffffffff" : " low mixed");
        }
        return close ? opcode + " close exponents" : opcode;
    }
}
