package dev.heddle.vm.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function, lowered.
///
/// @param index in its program
/// @param name as PTX declares it
/// @param kernel whether a launch may start it
/// @param parameters in order; a kernel's stand in parameter space, a device function's in its
/// frame or in registers
/// @param results of a device function
/// @param blocks in reverse post-order, the entry first
/// @param predicates how many predicate registers
/// @param words how many 32-bit registers
/// @param longs how many 64-bit registers
/// @param frameBytes of local memory one activation takes per lane
/// @param sharedBytes of static shared memory, variables of called functions included
public record Code(
        int index,
        String name,
        boolean kernel,
        List<Parameter> parameters,
        List<Parameter> results,
        List<Block> blocks,
        int predicates,
        int words,
        int longs,
        int frameBytes,
        int sharedBytes) {
    public Code {
        parameters = List.copyOf(parameters);
        results = List.copyOf(results);
        blocks = List.copyOf(blocks);
    }

    /// A parameter or result.
    ///
    /// @param name as PTX declares it
    /// @param offset in parameter space or in the frame
    /// @param bytes its size
    /// @param register where it lives if it is a register, or null
    public record Parameter(String name, int offset, int bytes, @Nullable Register register) {}

    /// The bytes a kernel's parameters take.
    public int parameterBytes() {
        int end = 0;
        for (Parameter parameter : parameters) {
            end = Math.max(end, parameter.offset() + parameter.bytes());
        }
        return end;
    }
}
