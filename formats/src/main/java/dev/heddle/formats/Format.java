package dev.heddle.formats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the bits of one matrix element mean: a floating-point format or an integer format.
///
/// An element is a *code*: the low [#bits] bits of a `long`. Bits above them are ignored when a
/// code is read and zero when one is produced.
public sealed interface Format permits FloatFormat, IntegerFormat {

    /// The spelling in an opcode, without the dot: `f16`, `e4m3`, `tf32`, `s8`, `ue8m0`, `b1`.
    String ptxName();

    /// The width of one element's code in bits. Formats with unused bits count them: 32 for tf32, 8
    /// for ue4m3.
    int bits();

    /// The exact value of a code.
    Value value(long code);

    /// The value of a code as a `double`: exact for every format but s64 and u64, which round to
    /// nearest even; NaN for every NaN.
    double toDouble(long code);

    /// The code of an exact value.
    ///
    /// @param rounding how a value between two codes is rounded
    /// @param overflow what becomes of a value beyond the largest finite one; integers clamp either
    ///     way
    /// @throws InputException if the value is NaN and the format an integer; what `cvt`
    ///     makes of it says [Conversion]
    long encode(Value value, Rounding rounding, Overflow overflow);

    /// The low [#bits] bits set.
    default long mask() {
        return -1L >>> (Long.SIZE - bits());
    }

    /// Every format, floating point first, each kind by falling width.
    static List<Format> all() {
        List<Format> formats = new ArrayList<>();
        Collections.addAll(formats, FloatFormat.values());
        Collections.addAll(formats, IntegerFormat.values());
        return List.copyOf(formats);
    }

    /// The format of that spelling, as in [#ptxName].
    static Optional<Format> named(String ptxName) {
        return all().stream().filter(format -> format.ptxName().equals(ptxName)).findFirst();
    }

    /// The spellings of formats, for messages: `f64 f32 tf32`.
    static String names(List<Format> formats) {
        return formats.stream().map(Format::ptxName).collect(Collectors.joining(" "));
    }

    /// The format of that spelling, as in [#ptxName].
    ///
    /// @throws InputException if there is none; the message lists the names
    static Format parse(String ptxName) {
        return named(ptxName)
                .orElseThrow(
                        () ->
                                new InputException(
                                        "unknown format \"%s\": expected one of %s"
                                                .formatted(ptxName, names(all()))));
    }
}
