package dev.heddle.tensorcore.numerics;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.BitCount;
import dev.heddle.tensorcore.numerics.Accumulation.BitOperation;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.Grouping;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;
import dev.heddle.tensorcore.numerics.Accumulation.Result;
import dev.heddle.tensorcore.numerics.Accumulation.ScalarSteps;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;
import dev.heddle.tensorcore.numerics.Accumulation.StepOrder;
import dev.heddle.tensorcore.numerics.Evidence.Assumed;
import dev.heddle.tensorcore.numerics.Evidence.Manual;
import dev.heddle.tensorcore.numerics.Evidence.Measured;
import dev.heddle.tensorcore.numerics.Evidence.Published;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The numerics table: what each generation computes, form by form, and how that is known.
public final class Numerics {
    private static final Published PAPER = new Published("arXiv 2511.10909");
    private static final Assumed ZEROS =
            new Assumed("terms that are zero do not count, as measured on sm_90");
    private static final Assumed SPARSE =
            new Assumed("a sparse form follows the dense rule on its stored elements");
    private static final Assumed SATURATION =
            new Assumed("saturation happens once, as measured on sm_90");

    /// Bits of a row of A that Ampere and Ada sum at once.
    private static final int AMPERE_GROUP_BITS = 128;

    private Numerics() {}

    /// How a generation computes a form; empty if it does not have the form.
    public static Optional<Accumulation> of(Form form, Generation generation) {
        if (!generation.has(form)) {
            return Optional.empty();
        }
        return Optional.of(rule(form, generation));
    }

    private static Accumulation rule(Form form, Generation generation) {
        Format format = form.type(Role.A);
        if (!(format instanceof FloatFormat real)) {
            return format == IntegerFormat.B1
                    ? bitCount(form, generation)
                    : integerSum(form, generation);
        }
        if (real == FloatFormat.F64) {
            return chain(form, generation);
        }
        if (form.quadPairs()) {
            return scalarSteps(form, generation);
        }
        return form.blockScaled() ? scaled(form, generation) : fused(form, real, generation);
    }

    private static BitCount bitCount(Form form, Generation generation) {
        Evidence manual = new Manual(form.family().section());
        return new BitCount(
                form.bitOperation().orElseThrow().equals("xor")
                        ? BitOperation.XOR
                        : BitOperation.AND,
                generation == Generation.SM_90 ? List.of(manual, measured(form)) : List.of(manual));
    }

    private static IntegerSum integerSum(Form form, Generation generation) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(new Manual(form.family().section()));
        if (generation == Generation.SM_90) {
            evidence.add(measured(form));
        } else if (form.satfinite()) {
            evidence.add(SATURATION);
        }
        return new IntegerSum(form.satfinite() ? Overflow.SATURATES : Overflow.WRAPS, evidence);
    }

    private static MultiplyAddChain chain(Form form, Generation generation) {
        return new MultiplyAddChain(
                form.rounding(),
                generation == Generation.SM_90
                        ? List.of(new Manual(form.family().section()), measured(form))
                        : List.of(
                                new Manual(form.family().section()),
                                PAPER,
                                new Assumed("NaN payloads go through as measured on sm_90")));
    }

    /// `m8n8k4` with f16 operands, an instruction of sm_70 that later chips do not have.
    private static ScalarSteps scalarSteps(Form form, Generation generation) {
        return new ScalarSteps(
                form.type(Role.D) == FloatFormat.F16
                        ? StepOrder.C_BETWEEN_PAIRS
                        : StepOrder.PRODUCTS_THEN_C,
                List.of(
                        generation == Generation.SM_90
                                ? new Measured("NVIDIA H200", "mma_m8n8k4_f16")
                                : new Assumed("m8n8k4 is emulated as measured on sm_90")));
    }

    private static FusedSum fused(Form form, FloatFormat format, Generation generation) {
        return switch (generation) {
            case SM_80, SM_86, SM_89 -> ampere(form, format, generation);
            case SM_90 -> hopper(form, format);
            case SM_100, SM_103, SM_120, SM_121 -> blackwell(form, format, generation);
        };
    }

    private static FusedSum ampere(Form form, FloatFormat format, Generation generation) {
        boolean narrow = format.bits() <= Byte.SIZE;
        boolean halves = form.storedColumns() * format.bits() > AMPERE_GROUP_BITS;
        List<Evidence> evidence = published(form);
        if (generation == Generation.SM_86) {
            evidence.add(new Assumed("sm_86 computes as sm_80"));
        }
        return new FusedSum(
                Optional.of(narrow ? 13 : 24),
                halves ? Grouping.HALVES : Grouping.WHOLE,
                result(form, narrow),
                Optional.empty(),
                evidence);
    }

    private static FusedSum hopper(Form form, FloatFormat format) {
        boolean narrow = format.bits() <= Byte.SIZE;
        List<Evidence> evidence = List.of(measured(form));
        if (narrow && form.family().warpgroup()) {
            return new FusedSum(
                    Optional.of(13),
                    Grouping.WHOLE,
                    result(form, true),
                    Optional.empty(),
                    evidence);
        }
        return narrow
                ? emulatedByF16(form, evidence)
                : new FusedSum(
                        Optional.of(25),
                        Grouping.WHOLE,
                        result(form, false),
                        Optional.empty(),
                        evidence);
    }

    private static FusedSum blackwell(Form form, FloatFormat format, Generation generation) {
        boolean narrow = format.bits() <= Byte.SIZE;
        boolean datacenter = generation == Generation.SM_100 || generation == Generation.SM_103;
        if (narrow && datacenter) {
            return emulatedByF16(
                    form, List.of(new Assumed("8-bit mma is emulated as measured on sm_90")));
        }
        List<Evidence> evidence = published(form);
        if (generation == Generation.SM_103 || generation == Generation.SM_121) {
            evidence.add(
                    new Assumed(
                            generation
                                    + " computes as "
                                    + (datacenter ? Generation.SM_100 : Generation.SM_120)));
        }
        return new FusedSum(
                Optional.of(25), Grouping.WHOLE, result(form, false), Optional.empty(), evidence);
    }

    /// Two passes of f16 instructions that begin with zero, and an addition of C.
    private static FusedSum emulatedByF16(Form form, List<Evidence> evidence) {
        return new FusedSum(
                Optional.of(25),
                Grouping.ALTERNATING_PAIRS,
                result(form, false),
                Optional.of(1 - FloatFormat.F16.bias()),
                evidence);
    }

    private static ScaledSum scaled(Form form, Generation generation) {
        boolean grouped = !form.padded();
        List<Evidence> evidence = published(form);
        if (generation == Generation.SM_121) {
            evidence.add(new Assumed("sm_121 computes as sm_120"));
        }
        return new ScaledSum(Optional.of(grouped ? 35 : 25), grouped ? 16 : 1, evidence);
    }

    private static Result result(Form form, boolean thirteenBits) {
        Format format = form.type(Role.D);
        if (format == FloatFormat.F16) {
            return Result.F16_NEAREST_EVEN;
        }
        return thirteenBits ? Result.F32_13_BITS_TOWARD_ZERO : Result.F32_TOWARD_ZERO;
    }

    private static List<Evidence> published(Form form) {
        List<Evidence> evidence = new ArrayList<>();
        evidence.add(PAPER);
        evidence.add(ZEROS);
        if (form.sparse()) {
            evidence.add(SPARSE);
        }
        return evidence;
    }

    private static Measured measured(Form form) {
        String family =
                switch (form.family()) {
                    case MMA -> "mma";
                    case MMA_SP, MMA_SP_ORDERED -> "mmasp";
                    case WGMMA -> "wgmma";
                    case WGMMA_SP -> "wgmmasp";
                };
        boolean integer = form.type(Role.A) instanceof IntegerFormat;
        return new Measured("NVIDIA H200", family + (integer ? "_int" : "_float"));
    }
}
