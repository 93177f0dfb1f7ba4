package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Contexts;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.EntryPoints.AlwaysAnswers;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.ErrorTexts;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.DeviceFunctions;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/// CUDA Driver API: start, errors, devices, contexts, the addresses of functions. There is one
/// device.
@AlwaysAnswers
public final class DriverFunctions {
    private static final int API_VERSION = 3020;
    private static final int UUID_BYTES = 16;
    private static final int OTHER_PARAMETERS = 13000;

    /// From this version on, cuGraphInstantiate has the parameters of another function.
    private static final int WITH_FLAGS = 12000;

    /// How the table begins that a runtime asks for.
    private static final long OF_RUNTIME = 0x6bd5_fb6c_5bf4_e74aL;

    private final Device device;
    private final Contexts contexts;
    private final ErrorTexts texts;
    private final ToLongFunction<String> addresses;
    private final UnaryOperator<String> newest;
    private final Map<String, Long> kept = new ConcurrentHashMap<>();

    /// Functions on a device.
    ///
    /// @param addresses of functions by name, 0 where there is none
    /// @param newest the name of a function's newest version
    public DriverFunctions(
            Device device,
            ErrorTexts texts,
            ToLongFunction<String> addresses,
            UnaryOperator<String> newest) {
        this.device = device;
        this.contexts = device.contexts();
        this.texts = texts;
        this.addresses = addresses;
        this.newest = newest;
    }

    /// What the other functions ask for.
    public void cuInit(int flags) {
        refuseIf(flags != 0, ErrorCode.INVALID_VALUE);
        contexts.initialize();
    }

    /// What an error is called.
    public void cuGetErrorName(int error, long into) {
        put(into, error, texts.of(error).driverName());
    }

    /// What an error means.
    public void cuGetErrorString(int error, long into) {
        put(into, error, texts.of(error).description());
    }

    private void put(long into, int error, String text) {
        Host.putLong(into, 0);
        refuseIf(texts.of(error).driverName().isEmpty(), ErrorCode.INVALID_VALUE);
        Host.putLong(into, kept.computeIfAbsent(text, Host::keep));
    }

    /// The address of a function as a version of CUDA calls it: some got other parameters in 13.
    private long address(String name, int version) {
        if (name.equals("cuGraphInstantiate") && version >= WITH_FLAGS) {
            return addresses.applyAsLong("cuGraphInstantiateWithFlags");
        }
        return addresses.applyAsLong(version < OTHER_PARAMETERS ? name : newest.apply(name));
    }

    /// The address of a function; the status is 0 where there is one, 1 where there is none.
    public void cuGetProcAddress(long name, long into, int version, long flags, long status) {
        long address = address(Host.text(name), version);
        Host.putIntIfAsked(status, address == 0 ? 1 : 0);
        Host.putLong(into, address);
        refuseIf(address == 0, ErrorCode.SYMBOL_NOT_FOUND);
    }

    /// The same as of a version of CUDA.
    public void cudaGetDriverEntryPointByVersion(
            long name, long into, int version, long flags, long status) {
        String symbol = Host.text(name);
        long address = symbol.startsWith("cu") ? address(symbol, version) : 0;
        Host.putIntIfAsked(status, address == 0 ? 1 : 0);
        Host.putLong(into, address);
    }

    /// A device is its number.
    public void cuDeviceGet(long into, int number) {
        DeviceFunctions.require(number);
        Host.putInt(into, number);
    }

    /// Its name.
    public void cuDeviceGetName(long into, int length, int number) {
        DeviceFunctions.require(number);
        byte[] name = device.capability().name().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < length; i++) {
            Host.putByte(into + i, i < name.length && i < length - 1 ? name[i] : 0);
        }
    }

    /// Its memory in bytes.
    public void cuDeviceTotalMem(long into, int number) {
        DeviceFunctions.require(number);
        Host.putLong(into, device.memory().total());
    }

    /// 9 and 0 of sm_90.
    public void cuDeviceComputeCapability(long major, long minor, int number) {
        DeviceFunctions.require(number);
        Host.putInt(major, device.capability().major());
        Host.putInt(minor, device.capability().minor());
    }

    /// A new context, which is current.
    public void cuCtxCreate(long into, int flags, int number) {
        DeviceFunctions.require(number);
        Host.putLong(into, contexts.create(flags));
    }

    /// Ends a context, with what it allocated.
    public void cuCtxDestroy(long context) {
        contexts.destroy(context);
    }

    /// Makes a context current in this thread.
    public void cuCtxSetCurrent(long context) {
        contexts.setCurrent(context);
    }

    /// The same before the one that is.
    public void cuCtxPushCurrent(long context) {
        contexts.push(context);
    }

    /// This thread's context.
    public void cuCtxGetCurrent(long into) {
        Host.putLong(into, contexts.current());
    }

    /// The one that was current.
    public void cuCtxPopCurrent(long into) {
        Host.putLongIfAsked(into, contexts.pop());
    }

    /// The context that the runtime uses.
    public void cuDevicePrimaryCtxRetain(long into, int number) {
        DeviceFunctions.require(number);
        Host.putLong(into, contexts.retainPrimary());
    }

    /// It ends with its last user.
    public void cuDevicePrimaryCtxRelease(int number) {
        DeviceFunctions.require(number);
        contexts.releasePrimary();
    }

    /// Whether it has users.
    public void cuDevicePrimaryCtxGetState(int number, long flags, long active) {
        DeviceFunctions.require(number);
        Host.putInt(flags, contexts.primaryFlags());
        Host.putInt(active, contexts.isPrimaryActive() ? 1 : 0);
    }

    /// 3.2 and later.
    public void cuCtxGetApiVersion(long context, long into) {
        contexts.require(context == 0 ? contexts.current() : context);
        Host.putInt(into, API_VERSION);
    }

    /// Hints.
    public void cuCtxSetFlags(int flags) {
        contexts.setFlags(flags);
    }

    /// Hints.
    public void cuDevicePrimaryCtxSetFlags(int number, int flags) {
        DeviceFunctions.require(number);
        contexts.setPrimaryFlags(flags);
    }

    /// Ends it, whoever uses it.
    public void cuDevicePrimaryCtxReset(int number) {
        DeviceFunctions.require(number);
        contexts.resetPrimary();
    }

    /// A number of its own.
    public void cuCtxGetId(long context, long into) {
        Host.putLong(into, contexts.id(context));
    }

    /// The hints that were given.
    public void cuCtxGetFlags(long into) {
        Host.putInt(into, contexts.flags());
    }

    /// The context in which a stream was made; a default stream is everywhere.
    public void cuStreamGetCtx(long stream, long into) {
        long of = device.streams().of(stream).context();
        Host.putLong(into, of == 0 ? contexts.current() : of);
    }

    /// 16 bytes of its own.
    public void cuDeviceGetUuid(long into, int number) {
        DeviceFunctions.require(number);
        Host.at(into, UUID_BYTES).fill((byte) 'h');
    }

    /// Private tables of functions, of which there are none. A static runtime whose symbols were
    /// stripped, such as that inside cuBLAS, asks for them.
    public void cuGetExportTable(long into, long identity) {
        Host.putLong(into, 0);
        long first = Long.reverseBytes(Host.getLong(identity));
        System.err.printf(
                "heddle: cuGetExportTable: the driver's private table %016x%016x is not"
                        + " supported%n",
                first, Long.reverseBytes(Host.getLong(identity + Long.BYTES)));
        if (first == OF_RUNTIME) {
            System.err.println(
                    "heddle: a static CUDA runtime without symbols asks for it: do not strip the"
                            + " program, or link it with -cudart shared");
        }
        throw new CudaException(ErrorCode.SYMBOL_NOT_FOUND);
    }
}
