package dev.heddle.programs.runtime;

import dev.heddle.programs.CudaException;
import dev.heddle.programs.EntryPoints;
import dev.heddle.programs.ErrorCode;
import dev.heddle.programs.ErrorTexts;
import dev.heddle.programs.device.Device;

import java.io.IOException;
import java.util.List;

/// All functions of the runtime that are here.
public final class RuntimeApi {
    private RuntimeApi() {}

    /// The functions, working on a device.
    public static EntryPoints of(Device device) throws IOException {
        LastError last = new LastError();
        LaunchFunctions launches = new LaunchFunctions(device);
        CopyFunctions copies = new CopyFunctions(device);
        return new EntryPoints(
                List.of(
                        new ErrorFunctions(last, new ErrorTexts()),
                        new DeviceFunctions(device, last),
                        new MemoryFunctions(device),
                        copies,
                        launches,
                        new KernelFunctions(device),
                        new StreamFunctions(device),
                        new EventFunctions(device),
                        new GraphFunctions(device, launches, copies)),
                device::failure,
                thrown -> last.set(code(thrown)));
    }

    private static int code(Throwable thrown) {
        if (thrown instanceof CudaException e) {
            return e.code();
        }
        System.err.println("heddle: " + thrown);
        StackTraceElement[] trace = thrown.getStackTrace();
        if (trace.length > 0) {
            System.err.println("heddle: at " + trace[0] + ": please report this");
        }
        return ErrorCode.UNKNOWN;
    }
}
