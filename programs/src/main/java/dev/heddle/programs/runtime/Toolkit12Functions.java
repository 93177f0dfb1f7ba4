package dev.heddle.programs.runtime;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Textures;
import dev.heddle.programs.host.Host;

import java.util.Arrays;

/// Functions whose parameters or structures were others in CUDA 12: each by its name and `_v1`. A
/// program of CUDA 12 is given these in place of those of 13.
public final class Toolkit12Functions {
    private static final int VERSION = 12090;

    // The sizes of structures that grew.
    private static final int RESOURCE_BYTES = 64;
    private static final int VIEW_BYTES = 48;

    private final Device device;
    private final GraphFunctions graphs;
    private final GraphNodeFunctions nodes;
    private final CaptureFunctions captures;
    private final RangeFunctions ranges;
    private final BatchFunctions batches;

    public Toolkit12Functions(
            Device device,
            GraphFunctions graphs,
            GraphNodeFunctions nodes,
            CaptureFunctions captures,
            RangeFunctions ranges,
            BatchFunctions batches) {
        this.device = device;
        this.graphs = graphs;
        this.nodes = nodes;
        this.captures = captures;
        this.ranges = ranges;
        this.batches = batches;
    }

    /// The last version of that toolkit: which one it was is not known.
    public void cudaRuntimeGetVersion_v1(long into) {
        Host.putInt(into, VERSION);
    }

    // Graphs whose edges have no data.

    public void cudaGraphAddDependencies_v1(long graph, long from, long to, long count) {
        graphs.cudaGraphAddDependencies(graph, from, to, 0, count);
    }

    public void cudaGraphRemoveDependencies_v1(long graph, long from, long to, long count) {
        graphs.cudaGraphRemoveDependencies(graph, from, to, 0, count);
    }

    public void cudaGraphGetEdges_v1(long graph, long from, long to, long count) {
        graphs.cudaGraphGetEdges(graph, from, to, 0, count);
    }

    public void cudaGraphNodeGetDependencies_v1(long node, long into, long count) {
        graphs.cudaGraphNodeGetDependencies(node, into, 0, count);
    }

    public void cudaGraphNodeGetDependentNodes_v1(long node, long into, long count) {
        graphs.cudaGraphNodeGetDependentNodes(node, into, 0, count);
    }

    public void cudaGraphAddNode_v1(
            long into, long graph, long dependencies, long count, long parameters) {
        nodes.cudaGraphAddNode(into, graph, dependencies, 0, count, parameters);
    }

    /// The oldest of three: status and number alone.
    public void cudaStreamGetCaptureInfo_v1(long stream, long status, long id) {
        captures.cudaStreamGetCaptureInfo(stream, status, id, 0, 0, 0, 0);
    }

    /// What the headers of CUDA 12 call without the suffix.
    public void cudaStreamGetCaptureInfo_v2_v1(
            long stream, long status, long id, long graph, long dependencies, long count) {
        captures.cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, 0, count);
    }

    public void cudaStreamUpdateCaptureDependencies_v1(
            long stream, long dependencies, long count, int how) {
        captures.cudaStreamUpdateCaptureDependencies(stream, dependencies, 0, count, how);
    }

    // Managed memory, with the number of a device for a place.

    public void cudaMemAdvise_v1(long address, long bytes, int advice, int place) {
        ranges.cudaMemAdvise(address, bytes, advice, RangeFunctions.ofDevice(place));
    }

    public void cudaMemPrefetchAsync_v1(long address, long bytes, int place, long stream) {
        ranges.prefetch(address, bytes, RangeFunctions.ofDevice(place));
    }

    // Batches, which tell what failed.

    public void cudaMemcpyBatchAsync_v1(
            long to,
            long from,
            long sizes,
            long count,
            long attributes,
            long indices,
            long many,
            long failed,
            long stream) {
        batches.cudaMemcpyBatchAsync(to, from, sizes, count, attributes, indices, many, stream);
    }

    public void cudaMemcpy3DBatchAsync_v1(
            long count, long boxes, long failed, long flags, long stream) {
        batches.cudaMemcpy3DBatchAsync(count, boxes, flags, stream);
    }

    // Texture and surface objects.

    private void resource(long into, long object) {
        byte[] resource = device.objects().description(object).resource();
        Textures.write(into, Arrays.copyOf(resource, Math.min(resource.length, RESOURCE_BYTES)));
    }

    public void cudaGetTextureObjectResourceDesc_v1(long into, long texture) {
        resource(into, texture);
    }

    public void cudaGetSurfaceObjectResourceDesc_v1(long into, long surface) {
        resource(into, surface);
    }

    public void cudaGetTextureObjectResourceViewDesc_v1(long into, long texture) {
        byte[] view = device.objects().description(texture).view();
        Textures.write(into, Arrays.copyOf(view, Math.min(view.length, VIEW_BYTES)));
    }
}
