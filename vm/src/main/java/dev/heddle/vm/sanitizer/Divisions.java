package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

/// `div` and `rem` of integers by zero, which give an unspecified value, another on each machine
/// (PTX ISA 9.7.1.8 and 9.7.1.9).
final class Divisions {
    private Divisions() {}

    /// The lanes, of these, that divide by zero.
    static int byZero(Frame frame, Source divisor, int lanes) {
        int zero = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            zero |= frame.value(divisor, lane) == 0 ? 1 << lane : 0;
        }
        return zero;
    }

    static KernelFault fault(Warp warp, Site site, int lanes) {
        return warp.faults()
                .undefined(
                        Rule.DIVISION_BY_ZERO,
                        site.section(),
                        site,
                        lanes,
                        "%s by zero, whose result the manual leaves to the machine"
                                .formatted(site.mnemonic()));
    }
}
