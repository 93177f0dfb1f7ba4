package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Shortcut;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/// The captures that go on, and what they forbid (CUDA Programming Guide, Stream Capture; Runtime
/// API, `cudaThreadExchangeStreamCaptureMode`). A forbidden call is refused, and the captures that
/// forbid it can only be ended.
public final class Captures {
    private final Set<Capture> open = new HashSet<>();
    private final Shortcut shortcut;
    private final ThreadLocal<Capture.Mode> modes =
            ThreadLocal.withInitial(() -> Capture.Mode.GLOBAL);

    /// @param shortcut forbidden while there are any: Java refuses what they forbid
    Captures(Shortcut shortcut) {
        this.shortcut = shortcut;
    }

    /// Gives this thread another mode.
    ///
    /// @return the one that it had
    public Capture.Mode exchange(Capture.Mode mode) {
        Capture.Mode before = modes.get();
        modes.set(mode);
        return before;
    }

    /// Begins to capture what a stream is given to do.
    ///
    /// @param graph into which
    /// @param behind what the first of it waits for
    /// @throws CudaException where it is captured already
    synchronized void begin(
            Stream stream, Capture.Mode mode, Graph graph, Collection<Graph.Node> behind) {
        refuseIf(stream.capture() != null, ErrorCode.ILLEGAL_STATE);
        Capture capture = new Capture(stream, mode, graph, behind);
        open.add(capture);
        shortcut.forbid();
        stream.setCapture(capture);
    }

    /// Ends a capture.
    ///
    /// @return what was captured
    /// @throws CudaException where the stream did not begin one, something was done that it
    ///     forbids, or streams took part that it does not wait for
    public synchronized Graph end(Stream stream) {
        Capture capture = orRefuse(stream.capture(), ErrorCode.ILLEGAL_STATE);
        if (capture.origin() != stream) {
            capture.invalidate();
            throw new CudaException(ErrorCode.STREAM_CAPTURE_UNMATCHED);
        }
        Capture.Status status = capture.status();
        capture.end();
        open.remove(capture);
        shortcut.unforbid();
        capture.streams().forEach(each -> each.setCapture(null));
        refuseIf(status == Capture.Status.INVALIDATED, ErrorCode.STREAM_CAPTURE_INVALIDATED);
        refuseIf(!capture.isJoined(), ErrorCode.STREAM_CAPTURE_UNJOINED);
        return capture.graph();
    }

    /// Refuses a call that waits for all streams.
    public void requireNone() {
        require(_ -> true, ErrorCode.STREAM_CAPTURE_UNSUPPORTED);
    }

    /// Refuses a call that may wait for a stream without saying so.
    public void requireSafe() {
        Capture.Mode caller = modes.get();
        require(
                capture -> capture.forbidsUnsafeCalls(caller),
                ErrorCode.STREAM_CAPTURE_UNSUPPORTED);
    }

    /// Refuses the legacy default stream beside captured ones that would wait for it.
    void requireNoLegacy() {
        require(
                capture -> capture.streams().stream().anyMatch(Stream::waitsForLegacy),
                ErrorCode.STREAM_CAPTURE_IMPLICIT);
    }

    private synchronized void require(Predicate<Capture> forbids, int code) {
        boolean refused = false;
        for (Capture capture : open) {
            if (forbids.test(capture)) {
                capture.invalidate();
                refused = true;
            }
        }
        refuseIf(refused, code);
    }
}
