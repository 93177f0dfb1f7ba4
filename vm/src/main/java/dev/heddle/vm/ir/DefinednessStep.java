package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

/// Checks of values, only in a program's checked form: bookkeeping of which lanes have written
/// a register, for registers that some path may read before it writes them; and divisors.
public sealed interface DefinednessStep extends Step.Bookkeeping {
    /// Lanes wrote the register behind this slot of the frame.
    record Define(Site site, @Nullable Guard guard, int slot) implements DefinednessStep {}

    /// Lanes copied one register to another: what is behind `slot` is written where what is behind
    /// `from` is.
    record DefineAs(Site site, @Nullable Guard guard, int slot, int from)
            implements DefinednessStep {}

    /// Lanes are about to use this register.
    ///
    /// @param users the lanes whose value counts, as a mask
    record RequireDefined(Site site, @Nullable Guard guard, Register register, int slot, int users)
            implements DefinednessStep {}

    /// Lanes are about to divide integers by this.
    record RequireDivisor(Site site, @Nullable Guard guard, Source divisor)
            implements DefinednessStep {
        @Override
        public Effects effects() {
            return new Effects().reading(divisor);
        }
    }
}
