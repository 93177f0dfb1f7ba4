package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.DeviceRuntimeFunction;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.LaunchBounds;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Started;
import dev.heddle.vm.state.Started.Prepared;
import dev.heddle.vm.state.Started.Start;
import dev.heddle.vm.state.Started.Work;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// CUDA's device runtime: what threads start is kept until their grid has ended.
record DeviceRuntime(Warp warp) {
    /// `cudaStreamTailLaunch`.
    private static final long TAIL = 3;

    /// Handles of streams and events. As all runs in the order of the calls, they carry nothing.
    private static final long HANDLE = 0x7000_0000L;

    private static final int MOST_ACROSS = 65535;
    private static final int MOST_SHARED = 227 << 10;

    /// Bytes: CUDA Programming Guide, "__global__ Function Parameters".
    private static final int MOST_PARAMETERS = 32764;

    private Grid grid() {
        return warp.cta().grid();
    }

    private Started started() {
        return grid().started();
    }

    private long thread(int lane) {
        return warp.cta().index() * Extent.MOST_THREADS + warp.thread(lane);
    }

    /// What a function returns to a lane.
    long call(BuiltinCall call, DeviceRuntimeFunction function, int lane) {
        return switch (function) {
            case GET_PARAMETER_BUFFER -> parameterBuffer(call, lane);
            case LAUNCH_DEVICE -> started().fail(thread(lane), launch(call, lane));
            case GET_PARAMETER_BUFFER_OF_SIZE -> parameters(call, lane);
            case LAUNCH_KERNEL -> started().fail(thread(lane), launchKernel(call, lane));
            case STREAM_CREATE, EVENT_CREATE -> {
                call.write(call.argument(0, lane), 8, HANDLE, lane);
                yield Started.SUCCESS;
            }
            case STREAM_DESTROY, STREAM_WAIT_EVENT, EVENT_RECORD, EVENT_DESTROY -> Started.SUCCESS;
            case MEMCPY -> {
                long bytes = call.argument(2, lane);
                Work copy = new Work.Copy(call.argument(1, lane), call.argument(0, lane), bytes);
                yield start(call, lane, call.argument(4, lane), copy);
            }
            case MEMSET -> {
                byte value = (byte) call.argument(1, lane);
                Work fill = new Work.Fill(call.argument(0, lane), value, call.argument(2, lane));
                yield start(call, lane, call.argument(3, lane), fill);
            }
            case MALLOC -> {
                long address = Builtins.allocate(warp, call.argument(1, lane));
                call.write(call.argument(0, lane), 8, address, lane);
                yield started()
                        .fail(
                                thread(lane),
                                address == 0 ? Started.MEMORY_ALLOCATION : Started.SUCCESS);
            }
            case FREE -> Builtins.free(call, lane);
            case GET_LAST_ERROR -> started().lastError(thread(lane), true);
            case PEEK_AT_LAST_ERROR -> started().lastError(thread(lane), false);
            case GET_ERROR_STRING -> text(words((int) call.argument(0, lane)));
            case GET_ERROR_NAME -> text(name((int) call.argument(0, lane)));
            case GET_DEVICE, GET_DEVICE_COUNT -> {
                int answer = function == DeviceRuntimeFunction.GET_DEVICE ? 0 : 1;
                call.write(call.argument(0, lane), 4, answer, lane);
                yield Started.SUCCESS;
            }
            case GRAPH_SET_CONDITIONAL -> setConditional(call, lane);
        };
    }

    /// Gives a condition its value: its handle is the address of a word.
    private long setConditional(BuiltinCall call, int lane) {
        long handle = call.argument(0, lane);
        Buffer word = Addresses.spaceOf(handle) == Space.GLOBAL ? grid().global().at(handle) : null;
        if (word == null || word.address() != handle || word.bytes() != Integer.BYTES) {
            throw warp.faults()
                    .undefined(
                            Rule.OUT_OF_BOUNDS,
                            call.site(),
                            1 << lane,
                            "cudaGraphSetConditional of 0x%x, which is no handle of a condition"
                                    .formatted(handle));
        }
        call.write(handle, Integer.BYTES, call.argument(1, lane), lane);
        return Started.SUCCESS;
    }

    /// Where the parameters of a launch are to be written; null where it cannot be.
    private long parameterBuffer(BuiltinCall call, int lane) {
        return switch (configured(call, lane, 1)) {
            case Configured.Not(int error) -> {
                started().fail(thread(lane), error);
                yield 0;
            }
            case Configured.As(Work.Kernel kernel) ->
                    prepare(lane, kernel.parameters().length, new Prepared.Launch(kernel));
        };
    }

    /// So many bytes for the parameters of a launch. No kernel has more than `MOST_PARAMETERS`.
    private long parameters(BuiltinCall call, int lane) {
        long bytes = call.argument(1, lane);
        if (bytes < 0 || bytes > MOST_PARAMETERS) {
            started().fail(thread(lane), Started.INVALID_VALUE);
            return 0;
        }
        return prepare(lane, (int) bytes, new Prepared.Parameters((int) bytes));
    }

    private long prepare(int lane, int bytes, Prepared prepared) {
        long address = Builtins.allocate(warp, Math.max(16, bytes));
        if (address == 0) {
            started().fail(thread(lane), Started.MEMORY_ALLOCATION);
            return 0;
        }
        started().prepare(address, prepared);
        return address;
    }

    private sealed interface Configured {
        record As(Work.Kernel kernel) implements Configured {}

        record Not(int error) implements Configured {}
    }

    /// The launch that the arguments describe: a kernel, and from `extents` on grid, block and
    /// bytes of shared memory.
    private Configured configured(BuiltinCall call, int lane, int extents) {
        List<Code> codes = grid().program().codes();
        long index = Addresses.codeAt(call.argument(0, lane));
        if (index < 0 || index >= codes.size() || !codes.get((int) index).kernel()) {
            return new Configured.Not(Started.INVALID_DEVICE_FUNCTION);
        }
        Code code = codes.get((int) index);
        Extent grid = extent(call, extents, lane, MOST_ACROSS);
        Extent block = extent(call, extents + 1, lane, Extent.MOST_THREADS);
        long shared = call.argument(extents + 2, lane) & 0xffff_ffffL;
        if (grid == null || block == null || !fits(code, block, shared)) {
            return new Configured.Not(Started.INVALID_CONFIGURATION);
        }
        return new Configured.As(
                new Work.Kernel(
                        code.index(), grid, block, (int) shared, new byte[code.parameterBytes()]));
    }

    /// A `dim3`, or null where it is none of a launch.
    private static @Nullable Extent extent(BuiltinCall call, int index, int lane, int across) {
        int x = call.word(index, lane, 0);
        int y = call.word(index, lane, 1);
        int z = call.word(index, lane, 2);
        return x < 1 || y < 1 || z < 1 || y > across || z > across ? null : new Extent(x, y, z);
    }

    private static boolean fits(Code code, Extent block, long shared) {
        LaunchBounds bounds = Objects.requireNonNull(code.bounds());
        return block.count() <= Math.min(Extent.MOST_THREADS, bounds.threads())
                && (bounds.block() == null || bounds.block().equals(block))
                && shared <= MOST_SHARED - code.sharedBytes();
    }

    private int launch(BuiltinCall call, int lane) {
        long address = call.argument(0, lane);
        if (!(started().take(address).orElse(null) instanceof Prepared.Launch(var kernel))) {
            return Started.INVALID_VALUE;
        }
        return launch(call, lane, 1, kernel, address, kernel.parameters().length);
    }

    /// Kernel, parameters, grid, block, bytes of shared memory, stream.
    private int launchKernel(BuiltinCall call, int lane) {
        long address = call.argument(1, lane);
        if (!(started().take(address).orElse(null) instanceof Prepared.Parameters(int bytes))) {
            return Started.INVALID_VALUE;
        }
        return switch (configured(call, lane, 2)) {
            case Configured.Not(int error) -> {
                grid().global().free(address);
                yield error;
            }
            case Configured.As(Work.Kernel kernel) -> launch(call, lane, 5, kernel, address, bytes);
        };
    }

    private int launch(
            BuiltinCall call, int lane, int stream, Work.Kernel kernel, long address, int bytes) {
        byte[] parameters = kernel.parameters();
        int given = Math.min(parameters.length, bytes);
        GlobalMemory global = grid().global();
        MemorySegment.ofArray(parameters).copyFrom(global.range(address, given));
        global.free(address);
        return start(call, lane, call.argument(stream, lane), kernel);
    }

    private int start(BuiltinCall call, int lane, long stream, Work work) {
        Start start = new Start(call.site(), warp.cta().index(), stream == TAIL, work);
        return started().fail(thread(lane), started().add(start));
    }

    private static String name(int code) {
        return switch (code) {
            case Started.SUCCESS -> "cudaSuccess";
            case Started.INVALID_VALUE -> "cudaErrorInvalidValue";
            case Started.MEMORY_ALLOCATION -> "cudaErrorMemoryAllocation";
            case Started.INVALID_CONFIGURATION -> "cudaErrorInvalidConfiguration";
            case Started.PENDING_COUNT_EXCEEDED -> "cudaErrorLaunchPendingCountExceeded";
            case Started.INVALID_DEVICE_FUNCTION -> "cudaErrorInvalidDeviceFunction";
            default -> "unrecognized error code";
        };
    }

    private static String words(int code) {
        return switch (code) {
            case Started.SUCCESS -> "no error";
            case Started.INVALID_VALUE -> "invalid argument";
            case Started.MEMORY_ALLOCATION -> "out of memory";
            case Started.INVALID_CONFIGURATION -> "invalid configuration argument";
            case Started.PENDING_COUNT_EXCEEDED ->
                    "launch failed because launch would exceed"
                            + " cudaLimitDevRuntimePendingLaunchCount";
            case Started.INVALID_DEVICE_FUNCTION -> "invalid device function";
            default -> "unrecognized error code";
        };
    }

    /// A text in device memory, which stays for good; null where the heap is full.
    private long text(String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
        GlobalMemory global = grid().global();
        Buffer buffer = global.allocateOnDevice(bytes.length);
        if (buffer == null) {
            return 0;
        }
        MemorySegment.copy(
                bytes,
                0,
                global.range(buffer.address(), bytes.length),
                ValueLayout.JAVA_BYTE,
                0,
                bytes.length);
        global.markWritten(buffer.address(), bytes.length);
        return buffer.address();
    }
}
