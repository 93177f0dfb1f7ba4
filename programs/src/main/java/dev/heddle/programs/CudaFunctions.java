package dev.heddle.programs;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.driver.ArrayDriverFunctions;
import dev.heddle.programs.driver.ContextFunctions;
import dev.heddle.programs.driver.CopyDriverFunctions;
import dev.heddle.programs.driver.DriverFunctions;
import dev.heddle.programs.driver.EarlyLaunchFunctions;
import dev.heddle.programs.driver.GraphDriverFunctions;
import dev.heddle.programs.driver.LinkFunctions;
import dev.heddle.programs.driver.ModuleFunctions;
import dev.heddle.programs.driver.StreamMemoryFunctions;
import dev.heddle.programs.driver.TensorMapFunctions;
import dev.heddle.programs.driver.TextureDriverFunctions;
import dev.heddle.programs.driver.VirtualMemoryFunctions;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.ErrorTexts;
import dev.heddle.programs.host.Resources;
import dev.heddle.programs.runtime.ArrayFunctions;
import dev.heddle.programs.runtime.BatchFunctions;
import dev.heddle.programs.runtime.CaptureFunctions;
import dev.heddle.programs.runtime.ConditionFunctions;
import dev.heddle.programs.runtime.CopyFunctions;
import dev.heddle.programs.runtime.DeviceFunctions;
import dev.heddle.programs.runtime.ErrorFunctions;
import dev.heddle.programs.runtime.EventFunctions;
import dev.heddle.programs.runtime.GraphFunctions;
import dev.heddle.programs.runtime.GraphHandles;
import dev.heddle.programs.runtime.GraphMemoryFunctions;
import dev.heddle.programs.runtime.GraphNodeFunctions;
import dev.heddle.programs.runtime.IpcFunctions;
import dev.heddle.programs.runtime.KernelFunctions;
import dev.heddle.programs.runtime.LastError;
import dev.heddle.programs.runtime.LaunchFunctions;
import dev.heddle.programs.runtime.MemoryFunctions;
import dev.heddle.programs.runtime.NodeParameters;
import dev.heddle.programs.runtime.PeerFunctions;
import dev.heddle.programs.runtime.PoolFunctions;
import dev.heddle.programs.runtime.RangeFunctions;
import dev.heddle.programs.runtime.StreamFunctions;
import dev.heddle.programs.runtime.TextureFunctions;
import dev.heddle.programs.runtime.Toolkit12Functions;
import dev.heddle.programs.runtime.UserObjectFunctions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/// All functions of the runtime that are here.
public final class CudaFunctions {
    private CudaFunctions() {}

    /// The functions of runtime and driver, working on a device.
    ///
    /// @param exported the address of what the native library exports by a name, or 0
    public static EntryPoints of(Device device, ToLongFunction<String> exported)
            throws IOException {
        LastError last = new LastError();
        ErrorTexts texts = new ErrorTexts();
        LaunchFunctions launches = new LaunchFunctions(device);
        CopyFunctions copies = new CopyFunctions(device);
        RangeFunctions ranges = new RangeFunctions(device);
        GraphHandles graphs = new GraphHandles();
        ConditionFunctions conditions = new ConditionFunctions(device, graphs);
        NodeParameters told = new NodeParameters(device);
        GraphNodeFunctions nodes =
                new GraphNodeFunctions(device, launches, copies, graphs, conditions, told);
        GraphFunctions graphFunctions = new GraphFunctions(device, graphs);
        ArrayDriverFunctions arrays = new ArrayDriverFunctions(device);
        StreamMemoryFunctions words = new StreamMemoryFunctions(device);
        DeviceFunctions devices = new DeviceFunctions(device, last);
        AtomicReference<@Nullable EntryPoints> all = new AtomicReference<>();
        EntryPoints functions =
                new EntryPoints(
                        List.of(
                                new ErrorFunctions(last, texts, device.refused()),
                                devices,
                                new MemoryFunctions(device),
                                new PoolFunctions(device),
                                device.copies(),
                                copies,
                                ranges,
                                new BatchFunctions(device, ranges),
                                new PeerFunctions(device, last, copies),
                                new ArrayFunctions(device),
                                new TextureFunctions(device),
                                launches,
                                new KernelFunctions(device),
                                new StreamFunctions(device),
                                new EventFunctions(device),
                                new IpcFunctions(device),
                                new CaptureFunctions(device, graphs),
                                graphFunctions,
                                nodes,
                                conditions,
                                new GraphMemoryFunctions(device, graphs),
                                new UserObjectFunctions(graphs),
                                new Toolkit12Functions(device),
                                graphs,
                                told,
                                new GraphDriverFunctions(
                                        device, arrays, nodes, graphs, graphFunctions, words, told),
                                new DriverFunctions(
                                        device,
                                        texts,
                                        name -> address(all, exported, name),
                                        name -> newest(all, name)),
                                new ModuleFunctions(device, launches),
                                new CopyDriverFunctions(device, copies),
                                arrays,
                                new TextureDriverFunctions(device),
                                new VirtualMemoryFunctions(device),
                                new LinkFunctions(device),
                                words,
                                new ContextFunctions(device, devices),
                                new EarlyLaunchFunctions(device, launches),
                                new TensorMapFunctions(device)),
                        Resources.lines("aliases.txt"),
                        new ContextRules(device)::before,
                        (name, thrown) -> {
                            int code = code(thrown);
                            if (isDriver(name)) {
                                return code;
                            }
                            if (code != ErrorCode.NOT_SUPPORTED) {
                                device.refuse(name, texts.of(code).name());
                            }
                            return last.set(code);
                        });
        all.set(functions);
        return functions;
    }

    /// The address of a function for a program that asks for it, or 0.
    private static long address(
            AtomicReference<@Nullable EntryPoints> all,
            ToLongFunction<String> exported,
            String name) {
        EntryPoints functions = all.get();
        if (functions == null || !functions.has(name)) {
            return 0;
        }
        long entry = exported.applyAsLong(name);
        try {
            return entry != 0 ? entry : functions.address(name);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name, e);
        }
    }

    private static String newest(AtomicReference<@Nullable EntryPoints> all, String name) {
        EntryPoints functions = all.get();
        return functions == null ? name : functions.newest(name);
    }

    /// Whether a function is the driver's: its errors are answers alone, the runtime's last error
    /// is its own.
    private static boolean isDriver(String name) {
        return name.startsWith("cu") && !name.startsWith("cuda");
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
