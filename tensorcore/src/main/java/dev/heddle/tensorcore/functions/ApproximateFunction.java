package dev.heddle.tensorcore.functions;

import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.ALL;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.BEYOND_ONE_OCTAVE;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.DIVISORS;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.FIFTY_TURNS;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.ONE_OCTAVE;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.ONE_TURN;
import static dev.heddle.tensorcore.functions.ErrorBound.Inputs.POSITIVE;
import static dev.heddle.tensorcore.functions.ErrorBound.absolute;
import static dev.heddle.tensorcore.functions.ErrorBound.relative;
import static dev.heddle.tensorcore.functions.ErrorBound.ulps;
import static dev.heddle.tensorcore.functions.ErrorBound.ulpsFromRounded;

import dev.heddle.formats.FloatFormat;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The table of approximate functions: each form of PTX that the manual bounds instead of defining,
/// with what an sm_90 makes of it and how that is known. (PTX ISA 9.7.3.8, 9.7.3.13 to 9.7.3.22,
/// 9.7.4.9 and 9.7.4.10.)
///
/// Each has the name of its opcode, without `.approx` where there is no other form.
public enum ApproximateFunction {
    EX2_F32(
            "9.7.3.21",
            "below -126 MUFU.EX2(a * 0.5) squared, else MUFU.EX2(a)",
            Compared.F32,
            ulpsFromRounded(2, ALL)),
    EX2_FTZ_F32(EX2_F32, "MUFU.EX2(a)"),
    EX2_F16(
            "9.7.4.10",
            "MUFU.EX2 of the widened input, cut to f16",
            Compared.HALF,
            relative(-9.9, ALL)),
    EX2_F16X2(EX2_F16),
    EX2_FTZ_BF16(
            "9.7.4.10",
            "MUFU.EX2 of the widened input, cut to bf16",
            Compared.HALF,
            relative(-7, ALL)),
    EX2_FTZ_BF16X2(EX2_FTZ_BF16),
    LG2_F32(
            "9.7.3.20",
            "below 2^-126 MUFU.LG2(a * 2^24) - 24, else MUFU.LG2(a)",
            Compared.F32,
            absolute(-22, ONE_OCTAVE),
            relative(-22, BEYOND_ONE_OCTAVE)),
    LG2_FTZ_F32(LG2_F32, "MUFU.LG2(a)"),
    RCP_F32(
            "9.7.3.13",
            "k * MUFU.RCP(k * a), k = 2^24 below 2^-126, 0.25 above 2^126, else 1",
            Compared.F32,
            ulps(1, ALL)),
    RCP_FTZ_F32(RCP_F32, "MUFU.RCP(a)"),
    RCP_FTZ_F64("9.7.3.14", "MUFU.RCP64H of the high word, low word 0", Compared.HIGH_WORD),
    RSQRT_F32(
            "9.7.3.16",
            "below 2^-126 MUFU.RSQ(a * 2^24) * 4096, else MUFU.RSQ(a)",
            Compared.F32,
            relative(-22.9, POSITIVE)),
    RSQRT_FTZ_F32(RSQRT_F32, "MUFU.RSQ(a)"),
    RSQRT_F64(
            "9.7.3.16",
            "y = MUFU.RSQ64H(a), r = 1 - y*y*a, y + y*r * (0.5 + 0.375*r); subnormals times 2^54",
            Compared.REFINED),
    RSQRT_FTZ_F64("9.7.3.17", "MUFU.RSQ64H of the high word, low word 0", Compared.HIGH_WORD),
    SQRT_F32(
            "9.7.3.15",
            "below 2^-126 MUFU.SQRT(a * 2^24) * 2^-12, else MUFU.SQRT(a)",
            Compared.F32,
            relative(-23, POSITIVE)),
    SQRT_FTZ_F32(SQRT_F32, "MUFU.SQRT(a)"),
    SIN_F32(
            "9.7.3.18",
            "MUFU.SIN(a * 0x3e22f983), the product rounded toward zero",
            Compared.F32,
            absolute(-20.5, ONE_TURN),
            absolute(-14.7, FIFTY_TURNS)),
    SIN_FTZ_F32(SIN_F32, "as sin.approx.f32"),
    COS_F32(
            "9.7.3.19",
            "MUFU.COS(a * 0x3e22f983), the product rounded toward zero",
            Compared.F32,
            absolute(-20.5, ONE_TURN),
            absolute(-14.7, FIFTY_TURNS)),
    COS_FTZ_F32(COS_F32, "as cos.approx.f32"),
    TANH_F32("9.7.3.22", "MUFU.TANH(a)", Compared.F32, relative(-11, ALL)),
    TANH_F16(
            "9.7.4.9",
            "MUFU.TANH of the widened input, cut to f16",
            Compared.HALF,
            absolute(-10.987, ALL)),
    TANH_F16X2(TANH_F16),
    TANH_BF16(
            "9.7.4.9",
            "MUFU.TANH of the widened input, cut to bf16",
            Compared.HALF,
            absolute(-8, ALL)),
    TANH_BF16X2(TANH_BF16),
    DIV_APPROX_F32(
            "9.7.3.8",
            "a * MUFU.RCP(b); both operands times 2^24 where b is below 2^-126",
            Compared.DIVISION,
            ulps(2, DIVISORS)),
    DIV_APPROX_FTZ_F32(DIV_APPROX_F32, "MUFU.RCP(b) * a, flushed"),
    DIV_FULL_F32(
            "9.7.3.8",
            "a * MUFU.RCP(b); both operands times 2^24 where b is below 2^-126, 0.25 above 2^126",
            Compared.DIVISION,
            ulps(2, ALL)),
    DIV_FULL_FTZ_F32(
            DIV_FULL_F32,
            "MUFU.RCP(b) * a, flushed; both operands times 0.25 where b is above 2^126");

    private static final Map<String, ApproximateFunction> BY_OPCODE =
            Arrays.stream(values())
                    .collect(Collectors.toMap(ApproximateFunction::opcode, Function.identity()));

    private final String opcode;
    private final String section;
    private final String steps;
    private final Compared compared;
    private final List<ErrorBound> bounds;
    private final ApproximateFunction scalar;

    ApproximateFunction(String section, String steps, Compared compared, ErrorBound... bounds) {
        this(section, steps, compared, List.of(bounds), null);
    }

    /// A function that differs from another in its steps alone.
    ApproximateFunction(ApproximateFunction other, String steps) {
        this(other.section, steps, other.compared, other.bounds, null);
    }

    /// A packed function, by what one of its halves computes.
    ApproximateFunction(ApproximateFunction half) {
        this(half.section, "each half as " + half.opcode, Compared.PAIR, half.bounds, half);
    }

    ApproximateFunction(
            String section,
            String steps,
            Compared compared,
            List<ErrorBound> bounds,
            @Nullable ApproximateFunction half) {
        String name = name().toLowerCase(Locale.ROOT).replace('_', '.');
        opcode = name.startsWith("div.") ? name : name.replaceFirst("[.]", ".approx.");
        this.section = section;
        this.steps = steps;
        this.compared = compared;
        this.bounds = bounds;
        this.scalar = half == null ? this : half;
    }

    /// Which inputs were compared with the devices.
    private enum Compared {
        F32("all 4,294,967,296 inputs"),
        HALF("all 65,536 inputs"),
        PAIR("all 4,294,967,296 pairs"),
        HIGH_WORD("all 4,294,967,296 high words, with low words 0, ffffffff and mixed"),
        REFINED("all 4,294,967,296 high words, each with eight low words"),
        DIVISION("274,877,906,944 pairs");

        private final String inputs;

        Compared(String inputs) {
            this.inputs = inputs;
        }
    }

    /// The function of an opcode with its qualifiers, `ex2.approx.ftz.f32`.
    public static Optional<ApproximateFunction> of(String opcode) {
        return Optional.ofNullable(BY_OPCODE.get(opcode));
    }

    /// The opcode with its qualifiers, in the manual's order.
    public String opcode() {
        return opcode;
    }

    /// The section of PTX ISA 9.1.
    public String section() {
        return section;
    }

    /// The instructions that `ptxas` 13.0 makes of it for sm_90.
    public String steps() {
        return steps;
    }

    /// What one of a packed form's halves computes; a form that is not packed, itself.
    public ApproximateFunction scalar() {
        return scalar;
    }

    /// The function of real numbers; empty for divisions, which have two operands.
    public Optional<RealFunction> real() {
        return compared == Compared.DIVISION
                ? Optional.empty()
                : Optional.of(
                        RealFunction.valueOf(
                                opcode.substring(0, opcode.indexOf('.')).toUpperCase(Locale.ROOT)));
    }

    /// Whether subnormal inputs and results become zeros.
    public boolean flushes() {
        return opcode.contains(".ftz");
    }

    /// The format of its inputs and results, of a packed form that of a half.
    public FloatFormat format() {
        String type = opcode.substring(opcode.lastIndexOf('.') + 1);
        return switch (type) {
            case "f16", "f16x2" -> FloatFormat.F16;
            case "bf16", "bf16x2" -> FloatFormat.BF16;
            case "f64" -> FloatFormat.F64;
            default -> FloatFormat.F32;
        };
    }

    /// The errors that the manual allows; empty where it states none.
    public List<ErrorBound> bounds() {
        return bounds;
    }

    /// How it is known that a generation computes this.
    public List<Evidence> evidence(Generation generation) {
        return List.of(
                generation == Generation.SM_90
                        ? new Evidence.Compared(
                                "NVIDIA H100 and H200, driver 580.159.04, 2026-11-22",
                                compared.inputs)
                        : new Evidence.Assumed(generation + " computes as measured on sm_90"));
    }
}
