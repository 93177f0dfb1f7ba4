package dev.heddle.vm.ir;

import dev.heddle.ptx.Demangler;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A function, lowered.
///
/// @param index in its program
/// @param name as PTX declares it
/// @param bounds of a kernel, which a launch may start; null for a device function
/// @param parameters in order; a kernel's are in parameter space, a device function's in its
/// frame or in registers
/// @param results of a device function
/// @param blocks in reverse post-order, the entry first
/// @param predicates how many predicate registers
/// @param words how many 32-bit registers
/// @param longs how many 64-bit registers
/// @param frameBytes of local memory one activation takes per lane
/// @param sharedBytes of shared memory before the dynamic part, as a driver gives it
/// @param dynamicOffset where the dynamic part begins on this machine, which leaves gaps between
///     variables; the same for all kernels of a module
/// @param ownSharedBytes of static shared memory that it needs itself, variables of device
///     functions included
/// @param variables in shared and local memory that it names
/// @param gaps between the variables in shared memory, where its CTA has them
/// @param tracked how many registers it is asked about whether lanes have written them
public record Code(
        int index,
        String name,
        @Nullable LaunchBounds bounds,
        List<Parameter> parameters,
        List<Parameter> results,
        List<Block> blocks,
        int predicates,
        int words,
        int longs,
        int frameBytes,
        int sharedBytes,
        int dynamicOffset,
        int ownSharedBytes,
        List<Placed> variables,
        List<SharedGap> gaps,
        int tracked) {
    public Code {
        parameters = List.copyOf(parameters);
        results = List.copyOf(results);
        blocks = List.copyOf(blocks);
        variables = List.copyOf(variables);
        gaps = List.copyOf(gaps);
    }

    /// A variable and where it is.
    ///
    /// @param space shared or local
    /// @param name as PTX declares it
    /// @param offset of its first byte, in shared memory or in the frame
    /// @param bytes its size; 0 where the launch decides
    /// @param elementBytes of one element as declared
    /// @param dimensions as declared, outermost first; none for a single value
    public record Placed(
            Space space,
            String name,
            long offset,
            long bytes,
            int elementBytes,
            List<Long> dimensions) {
        public Placed {
            dimensions = List.copyOf(dimensions);
        }
    }

    /// A function that no kernel of the program reaches.
    public static Code declared(int index, String name, @Nullable LaunchBounds bounds) {
        return new Code(
                index, name, bounds, List.of(), List.of(), List.of(), 0, 0, 0, 0, 0, 0, 0,
                List.of(), List.of(), 0);
    }

    /// What the source calls it: `ns::kernel<float>`.
    public String sourceName() {
        return Demangler.nameOf(name);
    }

    /// Its steps, block by block.
    public Stream<Step> steps() {
        return blocks.stream().flatMap(block -> block.steps().stream());
    }

    /// The blocks that lanes may go on at behind some.
    BitSet behind(List<Block> first) {
        return behind(first, each -> true);
    }

    /// The same without those that come only behind blocks which lanes do not go on at.
    BitSet behind(List<Block> first, Predicate<Block> goesOn) {
        BitSet found = new BitSet();
        Deque<Block> left = new ArrayDeque<>(first);
        while (!left.isEmpty()) {
            Block next = left.remove();
            List<Integer> more = goesOn.test(next) ? next.exit().successors() : List.of();
            for (int each : more) {
                if (!found.get(each)) {
                    found.set(each);
                    left.add(blocks.get(each));
                }
            }
        }
        return found;
    }

    /// The first gap that has some of these bytes of shared memory, or null.
    public @Nullable SharedGap gapAt(long at, long bytes) {
        for (SharedGap gap : gaps) {
            if (at < gap.to() && at + bytes > gap.from()) {
                return gap;
            }
        }
        return null;
    }

    /// Whether a launch may start it.
    public boolean kernel() {
        return bounds != null;
    }

    /// Whether it can run: it has blocks.
    public boolean isLowered() {
        return !blocks.isEmpty();
    }

    /// The same with other blocks, in which so many registers are tracked.
    public Code withBlocks(List<Block> others, int registers) {
        return new Code(
                index,
                name,
                bounds,
                parameters,
                results,
                others,
                predicates,
                words,
                longs,
                frameBytes,
                sharedBytes,
                dynamicOffset,
                ownSharedBytes,
                variables,
                gaps,
                registers);
    }

    /// A parameter or result.
    ///
    /// @param name as PTX declares it
    /// @param offset in parameter space or in the frame
    /// @param bytes its size
    /// @param register where it lives if it is a register, or null
    /// @param high where bits 127 to 64 live if it is a 128-bit register, or null
    public record Parameter(
            String name,
            int offset,
            int bytes,
            @Nullable Register register,
            @Nullable Register high) {

        /// The registers it lives in: none, one, or the two of a 128-bit value.
        public List<Register> registers() {
            if (register == null) {
                return List.of();
            }
            return high == null ? List.of(register) : List.of(register, high);
        }
    }

    /// The bytes a kernel's parameters take.
    public int parameterBytes() {
        int end = 0;
        for (Parameter parameter : parameters) {
            end = Math.max(end, parameter.offset() + parameter.bytes());
        }
        return end;
    }
}
