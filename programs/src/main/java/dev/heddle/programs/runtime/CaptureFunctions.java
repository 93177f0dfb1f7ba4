package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.orRefuse;

import dev.heddle.programs.device.Capture;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Graph;
import dev.heddle.programs.device.Graph.Node;
import dev.heddle.programs.device.Stream;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// CUDA Runtime API 6.4: what captures streams into graphs.
public final class CaptureFunctions {
    /// `cudaStreamAddCaptureDependencies`, and the same that replaces them.
    private static final int ADD = 0;

    private static final int REPLACE = 1;

    private final Device device;
    private final GraphHandles handles;

    /// The nodes that programs were told, which they may read until they ask again.
    private final Map<Stream, MemorySegment> told = new ConcurrentHashMap<>();

    public CaptureFunctions(Device device, GraphHandles handles) {
        this.device = device;
        this.handles = handles;
    }

    /// Begins to capture a stream.
    public void cudaStreamBeginCapture(long stream, int mode) {
        Capture.Mode known = Capture.Mode.of(mode);
        device.streams().capture(device.streams().of(stream), known, new Graph(), List.of());
    }

    /// Begins to capture a stream into a graph, behind some of its nodes.
    public void cudaStreamBeginCaptureToGraph(
            long stream, long graph, long dependencies, long edges, long count, int mode) {
        Capture.Mode known = Capture.Mode.of(mode);
        List<Node> behind = handles.nodes(dependencies, count);
        device.streams().capture(device.streams().of(stream), known, handles.graph(graph), behind);
    }

    /// Gives this thread another mode, and tells which it had.
    public void cudaThreadExchangeStreamCaptureMode(long mode) {
        Capture.Mode wanted = Capture.Mode.of(Host.getInt(mode));
        Host.putInt(mode, device.streams().captures().exchange(wanted).ordinal());
    }

    /// Ends the capture: what was captured is a graph. Nobody needs to ask for one that was there.
    public void cudaStreamEndCapture(long stream, long into) {
        Host.putLongIfAsked(into, 0);
        Graph graph = device.streams().captures().end(device.streams().of(stream));
        Host.putLongIfAsked(into, handles.handle(graph));
    }

    private static int status(Stream stream) {
        Capture capture = stream.capture();
        return (capture == null ? Capture.Status.NONE : capture.status()).ordinal();
    }

    /// Whether a stream is captured.
    public void cudaStreamIsCapturing(long stream, long into) {
        Host.putInt(into, status(device.streams().of(stream)));
    }

    /// The same, with the graph as it has grown so far, and what the next work will wait for.
    public void cudaStreamGetCaptureInfo(
            long stream,
            long status,
            long id,
            long graph,
            long dependencies,
            long edges,
            long count) {
        Stream captured = device.streams().of(stream);
        Capture capture = captured.capture();
        Host.putInt(status, status(captured));
        if (capture == null) {
            return;
        }
        Host.putLongIfAsked(id, handles.handle(capture.graph()));
        Host.putLongIfAsked(graph, handles.handle(capture.graph()));
        List<Node> last = capture.last(captured);
        Host.putLongIfAsked(count, last.size());
        Host.putLongIfAsked(edges, 0);
        if (dependencies != 0) {
            MemorySegment nodes = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, last.size() + 1L);
            for (int i = 0; i < last.size(); i++) {
                nodes.setAtIndex(ValueLayout.JAVA_LONG, i, handles.handle(last.get(i)));
            }
            told.put(captured, nodes);
            Host.putLong(dependencies, nodes.address());
        }
    }

    /// Lets the next work of a stream wait for other nodes, or for more.
    public void cudaStreamUpdateCaptureDependencies(
            long stream, long dependencies, long edges, long count, int how) {
        Stream captured = device.streams().of(stream);
        Capture capture = orRefuse(captured.capture(), ErrorCode.ILLEGAL_STATE);
        List<Node> nodes = handles.nodes(dependencies, count);
        switch (how) {
            case ADD -> capture.join(captured, nodes);
            case REPLACE -> capture.replace(captured, nodes);
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }
}
