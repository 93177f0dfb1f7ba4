package dev.heddle.vm.compiler;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The call of machine code. Bound late: without vectors of 512 bits there is none.
@SuppressWarnings("restricted")
final class MachineCall {
    private static final MethodHandle HANDLE =
            Linker.nativeLinker()
                    .downcallHandle(
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.ADDRESS),
                            Linker.Option.critical(true));

    private MachineCall() {}

    /// Runs a warp, or whole CTAs from a warp of one on. Returns the number of the place where it
    /// stopped.
    ///
    /// @param words the warp's word registers; the stamps of last writes, where machine code looks
    /// at them
    /// @param longs the warp's long registers; the stamps of last reads
    static int run(
            MemorySegment function, WarpContext context, MemorySegment words, MemorySegment longs) {
        try {
            return (int)
                    HANDLE.invokeExact(
                            function,
                            context.bytes,
                            words,
                            longs,
                            context.predicates,
                            context.counts,
                            context.pending);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
