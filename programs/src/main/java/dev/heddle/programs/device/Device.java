package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.HostCode;
import dev.heddle.programs.host.Settings;
import dev.heddle.programs.host.Shortcut;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Session;
import dev.heddle.vm.memory.Footprint;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.Storage;
import dev.heddle.vm.texture.TextureTable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// The one device of the process, and what went wrong on it.
public final class Device {
    /// How long kernels may go on when the program ends without waiting for them.
    private static final long PATIENCE_SECONDS = 10;

    private final HostCode host;
    private final Shortcut shortcut;
    private final Settings settings;
    private final Capability capability;
    private final Session session;
    private final Contexts contexts = new Contexts(this::leave);
    private final Streams streams;
    private final Modules modules;
    private final Memory memory;
    private final RegisteredMemory registered;
    private final Arrays arrays;
    private final Textures objects = new Textures(this);
    private final Copies copies;
    private final Events events;
    private final SharedMemory shared;
    private final ProgramFindings findings;
    private final StreamRaces races;
    private final UnwrittenCopies unwritten;
    private final KernelLimits limits = new KernelLimits();
    private final RunReport report;
    private final Launches launches;
    private final RefusedCalls refused = new RefusedCalls();
    private volatile int failure;
    private boolean abandoned;

    /// A device.
    ///
    /// @param storage where its memory lies
    /// @param shortcut what the native library may do without it
    public Device(
            Settings settings,
            Storage storage,
            Registrations registrations,
            HostCode host,
            Shortcut shortcut) {
        this.host = host;
        this.shortcut = shortcut;
        this.settings = settings;
        findings = new ProgramFindings(settings.reports().json(), settings.reporting().known());
        report = new RunReport(host);
        Capability known = Capability.of(settings.target());
        int multiprocessors = settings.multiprocessors();
        capability = multiprocessors == 0 ? known : known.withMultiprocessors(multiprocessors);
        GlobalMemory global =
                new GlobalMemory(storage.bytes().byteSize(), !settings.checks().isEmpty(), storage);
        // PTX of an older target runs as this device does, as the driver would compile it
        session = Machine.tiered(Generation.running(known.number())).open(global);
        memory = new Memory(global, capability.memoryBytes(), contexts);
        streams = new Streams(memory::count, shortcut, contexts);
        races = new StreamRaces(settings.checks(), streams.order(), memory, global, findings);
        launches = new Launches(session, settings, host, races, report, findings);
        unwritten = new UnwrittenCopies(memory, global, findings);
        modules = new Modules(session, registrations, memory, capability.number());
        registered = new RegisteredMemory(memory);
        arrays = new Arrays(memory);
        copies = new Copies(this, memory);
        events = new Events(streams);
        shared = new SharedMemory(memory);
    }

    /// What it can do.
    public Capability capability() {
        return capability;
    }

    /// Its contexts.
    public Contexts contexts() {
        return contexts;
    }

    /// Its streams.
    public Streams streams() {
        return streams;
    }

    /// Its events.
    public Events events() {
        return events;
    }

    /// Its modules.
    public Modules modules() {
        return modules;
    }

    /// Its memory.
    public Memory memory() {
        return memory;
    }

    /// Its CUDA arrays.
    public Arrays arrays() {
        return arrays;
    }

    /// Its texture and surface objects.
    public Textures objects() {
        return objects;
    }

    /// What kernels find by the handles of these.
    TextureTable textures() {
        return session.textures();
    }

    /// What was refused.
    public RefusedCalls refused() {
        return refused;
    }

    /// A call of the runtime was refused. Where the device failed, that is told already.
    ///
    /// @param error the error's name
    public void refuse(String function, String error) {
        if (failure == ErrorCode.SUCCESS) {
            String plain = function.startsWith("__") ? function.substring(2) : function;
            refused.add(new RefusedCalls.Refused(plain, error, host.calledFrom()));
        }
    }

    /// What copies and fills.
    public Copies copies() {
        return copies;
    }

    /// What it may reach of the host's memory.
    public RegisteredMemory registered() {
        return registered;
    }

    /// What it shares with other processes.
    public SharedMemory shared() {
        return shared;
    }

    /// The code with which it failed for good, or 0.
    public int failure() {
        return failure;
    }

    /// How much its kernels may take.
    public KernelLimits limits() {
        return limits;
    }

    /// Its findings.
    public ProgramFindings findings() {
        return findings;
    }

    /// A launch of a kernel behind the work of a stream.
    ///
    /// @param function the handle of its kernel
    /// @param launch with the parameters' bytes
    /// @param early whether it may begin before the work in front of it has ended, as soon as that
    ///     says so
    public void launch(long function, Launch launch, boolean early, Stream stream) {
        races.expect(modules.kernel(function));
        Work work = work(function, launch);
        Runnable soon =
                () -> {
                    Operation.current().beginEarly();
                    work.run();
                };
        submit(stream, early ? new Work.Launching(function, launch, soon) : work);
    }

    /// What a launch of a kernel does.
    public Work work(long function, Launch launch) {
        Kernel kernel = modules.kernel(function);
        Launch bounded =
                launch.withLimits(
                                new Launch.Bounds(
                                        Launch.Bounds.DEFAULT.memoryBytes(),
                                        Launch.Bounds.DEFAULT.localBytes(),
                                        Launch.Bounds.DEFAULT.steps(),
                                        Duration.ofSeconds(settings.seconds())))
                        .withChecks(settings.checks())
                        .reporting(settings.reporting());
        long from = host.calledFrom();
        return new Work.Launching(
                function, launch, () -> run(kernel, bounded, launches.nextNumber(), from));
    }

    private void run(Kernel kernel, Launch launch, long number, long from) {
        if (failure != ErrorCode.SUCCESS) {
            return;
        }
        int code = launches.run(kernel, launch, number, from);
        if (code != ErrorCode.SUCCESS) {
            fail(code);
        }
    }

    private synchronized void fail(int code) {
        if (failure == ErrorCode.SUCCESS) {
            shortcut.forbid();
        }
        failure = code;
    }

    private synchronized void recover() {
        if (failure != ErrorCode.SUCCESS) {
            shortcut.unforbid();
        }
        failure = ErrorCode.SUCCESS;
    }

    /// Whether it matters what work accesses.
    boolean followsOrder() {
        return races.areFollowed();
    }

    /// A copy or fill.
    ///
    /// @param words `a copy of 4096 bytes`
    /// @param call from where the host asked for it
    Origin moved(String words, long call) {
        return new Origin.Moved(words, host.call(call));
    }

    /// From where this thread called CUDA last: a return address, or 0.
    long calledFrom() {
        return host.calledFrom();
    }

    /// A copy is about to be made.
    void lookAtUnwritten(Copies.Copy copy, long call, Supplier<Origin> origin) {
        if (settings.checks().contains(RuleGroup.DEFINEDNESS) && failure == ErrorCode.SUCCESS) {
            unwritten.look(copy, call, origin);
        }
    }

    /// The operation that this thread does has accessed memory.
    void accessed(Supplier<Origin> origin, List<Footprint> footprints) {
        races.look(origin, footprints);
    }

    /// Whether the loop of a graph has taken as long as a launch may; the device has then failed.
    ///
    /// @param start by [System#nanoTime]
    boolean endsLoop(Supplier<Origin> origin, long start) {
        boolean late = System.nanoTime() - start >= TimeUnit.SECONDS.toNanos(settings.seconds());
        if (late) {
            fail(findings.late(origin.get(), settings.seconds()));
        }
        return late;
    }

    /// Does something with the device's memory behind the work of a stream, and waits for it.
    ///
    /// @throws CudaException where that work failed
    public void run(Stream stream, Work work) {
        Capture capture = stream.capture();
        if (capture != null) {
            capture.add(stream, work);
            return;
        }
        streams.run(stream, work);
        requireHealthy();
    }

    /// Does something with the device's memory behind the work of a stream.
    public void submit(Stream stream, Work work) {
        Capture capture = stream.capture();
        if (capture != null) {
            capture.add(stream, work);
            return;
        }
        Runnable unlessFailed =
                () -> {
                    if (failure == ErrorCode.SUCCESS) {
                        work.run();
                    }
                };
        if (work.isShort()) {
            streams.submitShort(stream, unlessFailed);
        } else {
            streams.submit(stream, unlessFailed);
        }
    }

    /// Waits until all work is done.
    ///
    /// @throws CudaException where some of it failed, or a stream is captured
    public void synchronize() {
        streams.captures().requireNone();
        settleStreams();
    }

    /// Waits until all work is done, as calls do that free something.
    ///
    /// @throws CudaException where some of it failed, or a capture forbids that
    public void settleStreams() {
        awaitStreams();
        requireHealthy();
    }

    /// The same, and nothing is said of what failed.
    public void awaitStreams() {
        streams.captures().requireSafe();
        streams.awaitAll();
    }

    /// Throws what ended the device.
    public void requireHealthy() {
        refuseIf(failure != ErrorCode.SUCCESS, failure);
    }

    /// The process begins to end: what its streams still have to do is done, or given up.
    public void settle() {
        if (abandoned) {
            return;
        }
        try {
            streams.all().reached().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException _) {
            abandoned = true;
            System.err.println("heddle: kernels still ran when the program ended");
        }
    }

    /// The process ends.
    ///
    /// @param status its exit code so far
    /// @return its exit code
    public int finish(int status) {
        settle();
        // Where the program saw that something was wrong, it need not be told what.
        List<RefusedCalls.Refused> unasked = status == 0 ? refused.all() : List.of();
        ProgramReport closing =
                new ProgramReport(
                        settings, status, report, findings, memory.live(), unasked, host::call);
        closing.tell();
        return closing.code();
    }

    /// Forgets what a context has here.
    private void leave(long context) {
        streams.awaitAll();
        recover();
        memory.freeAllOf(context);
        arrays.forgetFreed();
    }
}
