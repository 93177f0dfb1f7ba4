package dev.heddle.explorer;

import dev.heddle.formats.Value;
import dev.heddle.tensorcore.numerics.Trace;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The terms of sums, bit under bit: what is kept of each, and what is cut off.
///
/// @param trace the sums
/// @param name  what a term is called
record TraceBits(Trace trace, Function<Trace.Source, String> name) {
    /// Bits that are shown on either side of the place of truncation.
    private static final int KEPT = 72;

    private static final int CUT = 40;

    /// A document for each sum: `high`, `low` and `lastKept`, places as powers of two; `aligned`,
    /// whether the rule aligns its terms; and `rows`.
    List<Object> document() {
        List<Object> sums = new ArrayList<>();
        for (Trace.Pass pass : trace.passes()) {
            sums.add(sum(pass));
        }
        return sums;
    }

    private Map<String, Object> sum(Trace.Pass pass) {
        List<Value> values = new ArrayList<>();
        pass.terms().forEach(term -> values.add(term.exact()));
        values.add(pass.sum());
        values.add(pass.result());
        int high = Integer.MIN_VALUE;
        int low = Integer.MAX_VALUE;
        for (Value value : values) {
            if (value instanceof Value.Finite finite && !finite.isZero()) {
                high = Math.max(high, top(finite));
                low = Math.min(low, bottom(finite));
            }
        }
        if (high < low) {
            high = pass.alignment().orElse(0);
            low = high;
        }
        int lastKept = pass.lastPlace().orElse(low);
        high = Math.max(Math.min(high, lastKept + KEPT), lastKept);
        low = Math.max(Math.min(low, lastKept), lastKept - CUT);
        List<Object> rows = new ArrayList<>();
        for (Trace.Term term : pass.terms()) {
            rows.add(row(name.apply(term.source()), term.exact(), high, low, lastKept));
        }
        Map<String, Object> sum = new LinkedHashMap<>();
        sum.put("high", high);
        sum.put("low", low);
        sum.put("lastKept", lastKept);
        sum.put("aligned", pass.alignment().isPresent());
        sum.put("rows", rows);
        sum.put("sum", row("kept, added", pass.sum(), high, low, lastKept));
        sum.put("result", row("rounded", pass.result(), high, low, lastKept));
        return sum;
    }

    private static int top(Value.Finite value) {
        return value.exponent() + value.significand().bitLength() - 1;
    }

    private static int bottom(Value.Finite value) {
        return value.exponent() + value.significand().getLowestSetBit();
    }

    /// Label, value, sign, the place of the first bit, the bits that are kept, those that are cut
    /// off; no bits of zero and of what is not finite.
    private static List<Object> row(String label, Value value, int high, int low, int lastKept) {
        String text = Numeral.of(value);
        if (!(value instanceof Value.Finite finite) || finite.isZero()) {
            return List.of(label, text, "", high, "", "");
        }
        int first = Math.min(top(finite), high);
        int last = Math.max(bottom(finite), low);
        String kept = bits(finite, first, Math.max(last, lastKept));
        String cut = bits(finite, Math.min(first, lastKept - 1), last);
        return List.of(label, text, finite.negative() ? "-" : "+", first, kept, cut);
    }

    private static String bits(Value.Finite value, int first, int last) {
        BigInteger significand = value.significand();
        StringBuilder bits = new StringBuilder();
        for (int place = first; place >= last; place--) {
            int bit = place - value.exponent();
            bits.append(bit >= 0 && significand.testBit(bit) ? '1' : '0');
        }
        return bits.toString();
    }
}
