package dev.heddle.explorer.code;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.Shape;

import java.util.Locale;
import java.util.Optional;

/// The struct in namespace `cute` by which CUTLASS 4.7 executes a form.
///
/// Names follow a pattern in each of its headers `cute/arch/mma_*.hpp`.
///
/// @param name   with its template arguments
/// @param header where it is declared
record CutlassAtom(String name, String header) {

    /// The atom of a form; empty where CUTLASS has none.
    static Optional<CutlassAtom> of(Form form) {
        return switch (form.family()) {
            case WGMMA, WGMMA_SP -> warpgroup(form);
            case MMA_SP -> Optional.empty();
            case MMA, MMA_SP_ORDERED ->
                    form.kind().isPresent()
                            ? narrow(form)
                            : form.family() == Family.MMA ? warp(form) : Optional.empty();
        };
    }

    private static Optional<CutlassAtom> warp(Form form) {
        Format a = form.type(Role.A);
        Format b = form.type(Role.B);
        boolean bytes = a instanceof FloatFormat && a.bits() == Byte.SIZE;
        boolean alike = a.equals(b) || bytes || a instanceof IntegerFormat;
        if (!alike
                || !form.type(Role.C).equals(form.type(Role.D))
                || !form.word(Qualifier.ROUNDING).isEmpty()
                || bytes && form.shape().k() == 16) {
            return Optional.empty();
        }
        boolean hopper = a == FloatFormat.F64 && form.shape().m() == 16;
        String header = form.quadPairs() ? "sm70" : bytes ? "sm89" : hopper ? "sm90" : "sm80";
        String name =
                "%s_%s_%s%s%s%s_%s%s"
                        .formatted(
                                hopper ? "SM90::MMA" : header.toUpperCase(Locale.ROOT),
                                shape(form),
                                word(form.type(Role.D)),
                                word(a),
                                word(b),
                                word(form.type(Role.C)),
                                major(form),
                                suffix(form));
        return Optional.of(new CutlassAtom(name, "cute/arch/mma_" + header + ".hpp"));
    }

    private static String suffix(Form form) {
        return form.satfinite()
                ? "_SATURATE"
                : form.bitOperation()
                        .map(op -> "_" + op.toUpperCase(Locale.ROOT) + "POPC")
                        .orElse("");
    }

    /// `T` where K runs along memory, as BLAS has it.
    private static String major(Form form) {
        return (form.word(Qualifier.ALAYOUT).equals("row") ? "T" : "N")
                + (form.word(Qualifier.BLAYOUT).equals("row") ? "T" : "N");
    }

    /// The forms of sm_120 take their types as template arguments.
    private static Optional<CutlassAtom> narrow(Form form) {
        Format d = form.type(Role.D);
        if (!form.type(Role.C).equals(d) || form.word(Qualifier.KIND).equals("kind::mxf4")) {
            return Optional.empty();
        }
        String types =
                "%s, %s, %s"
                        .formatted(value(form.type(Role.A)), value(form.type(Role.B)), value(d));
        if (form.blockScaled()) {
            ScaleFactors factors = form.scaleFactors(Role.A).orElseThrow();
            types += ", %s, %d".formatted(value(factors.format()), factors.span());
        }
        String name =
                "%sSM120_%s%s_TN%s<%s>"
                        .formatted(
                                form.blockScaled()
                                        ? "SM120::BLOCKSCALED::" + (form.sparse() ? "SPARSE::" : "")
                                        : form.sparse() ? "SM120::SPARSE::" : "",
                                form.sparse() ? "SPARSE_" : "",
                                shape(form),
                                form.blockScaled() ? "_VS" : "",
                                types);
        String header = "cute/arch/mma_sm120" + (form.sparse() ? "_sparse" : "") + ".hpp";
        return Optional.of(new CutlassAtom(name, header));
    }

    private static Optional<CutlassAtom> warpgroup(Form form) {
        Format a = form.type(Role.A);
        if (a == IntegerFormat.B1) {
            return Optional.empty();
        }
        boolean either = a.bits() == 16;
        String major = "GMMA::Major::K";
        String name =
                "SM90::GMMA::%sMMA_%s_%s%s%s_%s%s%s<%s>"
                        .formatted(
                                form.sparse() ? "SPARSE::G" : "",
                                shape(form),
                                word(form.type(Role.D)),
                                word(a),
                                word(form.type(Role.B)),
                                form.aSource() == ASource.REGISTERS ? "RS" : "SS",
                                either ? "" : "_TN",
                                suffix(form),
                                either ? major + ", " + major : "");
        // The widths that are not multiples of 16 or powers of two came later, in files beside
        boolean usual =
                switch (form.shape().n()) {
                    case 8, 16, 32, 64, 96, 128, 192, 256 -> true;
                    default -> false;
                };
        String header =
                "cute/arch/mma_sm90_gmma%s%s.hpp"
                        .formatted(form.sparse() ? "_sparse" : "", usual ? "" : "_ext");
        return Optional.of(new CutlassAtom(name, header));
    }

    private static String shape(Form form) {
        Shape shape = form.shape();
        return "%dx%dx%d".formatted(shape.m(), shape.n(), shape.k());
    }

    /// A type in a name.
    private static String word(Format format) {
        return format == IntegerFormat.B1 ? "U1" : format.ptxName().toUpperCase(Locale.ROOT);
    }

    /// A type as CUTLASS declares it.
    static String value(Format format) {
        return switch (format) {
            case FloatFormat.F64 -> "double";
            case FloatFormat.F32 -> "float";
            case FloatFormat.TF32 -> "tfloat32_t";
            case FloatFormat.BF16 -> "bfloat16_t";
            case FloatFormat.F16 -> "half_t";
            case FloatFormat narrow -> "float_" + narrow.ptxName() + "_t";
            case IntegerFormat.B1 -> "uint1b_t";
            case IntegerFormat integer ->
                    "%s%d%s_t"
                            .formatted(
                                    integer.ptxName().startsWith("u") ? "uint" : "int",
                                    integer.bits(),
                                    integer.bits() < Byte.SIZE ? "b" : "");
        };
    }
}
