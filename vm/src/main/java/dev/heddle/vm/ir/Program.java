package dev.heddle.vm.ir;

import dev.heddle.isa.Target;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/// A module ready to run.
///
/// @param target that its code was written for, or null where none is known
/// @param codes of all functions with a body
/// @param base the address of its first variable, which is that of its constant memory
/// @param image the bytes of module variables, placed at `base`
/// @param constantBytes how much of the image is constant memory: its first bytes
/// @param symbols every variable in global or constant memory
/// @param sites all instructions by number
/// @param reservedShared bytes of shared memory that its code expects behind its own, where the
///     driver would keep them
@SuppressWarnings("ArrayRecordComponent")
public record Program(
        @Nullable Target target,
        List<Code> codes,
        long base,
        byte[] image,
        int constantBytes,
        List<Symbol> symbols,
        List<Site> sites,
        int reservedShared) {
    public Program {
        codes = List.copyOf(codes);
        symbols = List.copyOf(symbols);
        sites = List.copyOf(sites);
    }

    /// The same program with other codes of its functions.
    public Program withCodes(List<Code> others) {
        return new Program(
                target, others, base, image, constantBytes, symbols, sites, reservedShared);
    }

    /// Whether lanes meet that execute alike instructions at several places of the code. Before
    /// `sm_70` all must execute the same instruction (PTX ISA 9.7.9.6, 9.7.13.2, 9.7.13.9).
    public boolean meetsAcrossPlaces() {
        return target == null || target.number() >= 70;
    }

    /// A variable in global or constant memory.
    ///
    /// @param name as PTX has it
    /// @param address of its first byte, a global one
    /// @param bytes its size
    /// @param visible whether the module declares it, not one of its functions: hosts may name it
    public record Symbol(String name, long address, long bytes, boolean visible) {}

    /// Whether some function of it may take memory of the device, by `malloc` or by starting
    /// kernels.
    public boolean allocates() {
        return codes.stream()
                .flatMap(code -> code.blocks().stream())
                .anyMatch(
                        block ->
                                block.exit() instanceof Exit.Call call
                                        && call.builtin() != null
                                        && allocates(call.builtin()));
    }

    private static boolean allocates(String builtin) {
        DeviceRuntimeFunction function = DeviceRuntimeFunction.of(builtin);
        return function == null ? builtin.equals("malloc") : function.allocates();
    }

    /// The functions that some kernels may execute, as indices: all, where a call is indirect or
    /// starts kernels.
    public BitSet reachedBy(Collection<Code> kernels) {
        BitSet reached = new BitSet();
        Deque<Code> left = new ArrayDeque<>(kernels);
        while (!left.isEmpty()) {
            Code next = left.remove();
            if (reached.get(next.index())) {
                continue;
            }
            reached.set(next.index());
            for (Block block : next.blocks()) {
                if (block.exit() instanceof Exit.Call call) {
                    if (call.callee() >= 0) {
                        left.add(codes.get(call.callee()));
                    } else if (call.builtin() == null
                            || DeviceRuntimeFunction.of(call.builtin()) != null) {
                        reached.set(0, codes.size());
                        return reached;
                    }
                }
            }
        }
        return reached;
    }

    /// The kernel of this name.
    ///
    /// @throws IllegalArgumentException where there is none
    public Code kernel(String name) {
        for (Code code : codes) {
            if (code.kernel() && code.name().equals(name)) {
                return code;
            }
        }
        throw new IllegalArgumentException(
                "no kernel "
                        + name
                        + "; this module has "
                        + codes.stream().filter(Code::kernel).map(Code::name).toList());
    }
}
