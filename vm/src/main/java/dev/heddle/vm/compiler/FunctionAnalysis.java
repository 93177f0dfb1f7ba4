package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Code;

/// What is known of a whole function before any of its blocks is compiled.
///
/// @param parameterBytes that its parameters take
/// @param liveness which registers are still read
/// @param demandedNans which registers may not hold just any NaN
/// @param entry which registers must be cleared before it starts
record FunctionAnalysis(
        int parameterBytes, Liveness liveness, DemandedNans demandedNans, EntryRegisters entry) {

    static FunctionAnalysis of(Code code) {
        Liveness liveness = new Liveness(code);
        return new FunctionAnalysis(
                code.parameterBytes(),
                liveness,
                new DemandedNans(code),
                new EntryRegisters(liveness));
    }
}
