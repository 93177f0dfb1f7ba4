package dev.heddle.vm.trace;

import dev.heddle.formats.InputException;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What to follow.
///
/// @param x of the CTA
/// @param y of the CTA
/// @param z of the CTA
/// @param warp in the CTA
/// @param lanes as a mask
/// @param registers whose instructions are shown; empty for all
/// @param firstLine of the PTX file
/// @param lastLine of the PTX file
/// @param most instructions that are shown
public record TraceFilter(
        int x,
        int y,
        int z,
        int warp,
        int lanes,
        Set<String> registers,
        int firstLine,
        int lastLine,
        long most) {
    private static final String KEYS =
            "cta=X,Y,Z warp=N lanes=0-3,8 regs=%r1,%f2 lines=40-60 max=1000";

    public TraceFilter {
        registers = Set.copyOf(registers);
    }

    /// The filter that a text describes: `cta=0,0,0 warp=1 lanes=0-3,8 regs=%r1,%f2 lines=40-60
    /// max=1000`, each part optional, with blanks between. Without `cta`, `warp` and `lanes` it is
    /// the first of each; `lanes=all` are all 32.
    ///
    /// @throws InputException that names the part it does not understand
    public static TraceFilter parse(String text) {
        int[] cta = {0, 0, 0};
        int warp = 0;
        int lanes = 1;
        Set<String> registers = new LinkedHashSet<>();
        int[] lines = {1, Integer.MAX_VALUE};
        long most = 1000;
        for (String part : text.strip().split("[\\s;]+")) {
            if (part.isEmpty()) {
                continue;
            }
            int equals = part.indexOf('=');
            String value = part.substring(equals + 1);
            switch (equals < 0 ? "" : part.substring(0, equals)) {
                case "cta" -> cta = cta(part, value);
                case "warp" -> warp = (int) number(part, value, 31);
                case "lanes" -> lanes = lanes(part, value);
                case "regs" -> registers.addAll(List.of(value.split(",")));
                case "lines" -> lines = range(part, value, Integer.MAX_VALUE);
                case "max" -> most = number(part, value, Long.MAX_VALUE);
                default -> throw bad(part, "one of " + KEYS);
            }
        }
        return new TraceFilter(
                cta[0], cta[1], cta[2], warp, lanes, registers, lines[0], lines[1], most);
    }

    private static int[] cta(String part, String value) {
        String[] axes = value.split(",", -1);
        if (axes.length > 3) {
            throw bad(part, "cta=X,Y,Z");
        }
        int[] cta = {0, 0, 0};
        for (int i = 0; i < axes.length; i++) {
            cta[i] = (int) number(part, axes[i], Integer.MAX_VALUE);
        }
        return cta;
    }

    private static int lanes(String part, String value) {
        if (value.equals("all")) {
            return -1;
        }
        int mask = 0;
        for (String range : value.split(",", -1)) {
            int[] ends = range(part, range, 31);
            for (int lane = ends[0]; lane <= ends[1]; lane++) {
                mask |= 1 << lane;
            }
        }
        return mask;
    }

    private static int[] range(String part, String value, int most) {
        String[] ends = value.split("-", 2);
        int first = (int) number(part, ends[0], most);
        int last = ends.length < 2 ? first : (int) number(part, ends[1], most);
        if (last < first) {
            throw bad(part, "a range from a smaller to a larger number");
        }
        return new int[] {first, last};
    }

    private static long number(String part, String text, long most) {
        try {
            long number = Long.parseLong(text.strip());
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw bad(part, "whole numbers from 0" + (most < 1000 ? " to " + most : ""));
    }

    private static IllegalArgumentException bad(String part, String expected) {
        return new InputException(part + ": expected " + expected);
    }
}
