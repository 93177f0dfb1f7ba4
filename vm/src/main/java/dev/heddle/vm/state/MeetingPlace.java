package dev.heddle.vm.state;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Source;

/// Lanes of a warp that have come to one of the places of the code where they meet others.
///
/// @param frame that they are in
/// @param exit where they are
/// @param lanes which, as a mask
public record MeetingPlace(Frame frame, Exit.Synchronize exit, int lanes) {
    /// What they exchange there.
    public Collective.Exchange exchange() {
        return (Collective.Exchange) exit.joint();
    }

    /// An operand of what they exchange.
    public Source source(int operand) {
        return exchange().sources().get(operand);
    }
}
