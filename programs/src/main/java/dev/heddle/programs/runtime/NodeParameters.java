package dev.heddle.programs.runtime;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Place;
import dev.heddle.programs.device.Work;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.LaunchConfiguration.Dimensions;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ir.Extent;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/// What nodes of graphs do, as structures of C tell it.
public final class NodeParameters {
    private static final int COPY_BYTES = 160;

    /// Of `cudaMemAllocNodeParams`: where its pool is to be, how many bytes, and the address.
    private static final int ALLOCATION_BYTES = 120;

    private static final int POOL_LOCATION = 8;
    private static final int BYTES = 104;
    private static final int ADDRESS = 112;

    /// Of `cudaLaunchAttributeID`.
    private static final int COOPERATIVE = 2;

    private static final int CLUSTER = 4;
    private static final int LAST_ATTRIBUTE = 16;

    private final Device device;

    /// Arguments that programs were told, which they may read as long as the node does that.
    private final Map<Work, MemorySegment> arguments =
            Collections.synchronizedMap(new WeakHashMap<>());

    /// Of graphs of a device.
    public NodeParameters(Device device) {
        this.device = device;
    }

    private static <T extends Work> T as(Class<T> type, Work work) {
        refuseIf(!type.isInstance(work), ErrorCode.INVALID_VALUE);
        return type.cast(work);
    }

    private static void put(long into, Extent extent) {
        Host.putInt(into, extent.x());
        Host.putInt(into + 4, extent.y());
        Host.putInt(into + 8, extent.z());
    }

    /// Writes a `cudaKernelNodeParams`.
    public void tellLaunch(Work work, long into) {
        Work.Launching launching = as(Work.Launching.class, work);
        Launch launch = launching.launch();
        Host.putLong(into, launching.function());
        put(into + 8, launch.grid());
        put(into + 20, launch.block());
        Host.putInt(into + 32, launch.dynamicShared());
        Host.putLong(into + 40, arguments.computeIfAbsent(work, _ -> pointers(launch)).address());
        Host.putLong(into + 48, 0);
    }

    /// Pointers to the arguments, and the arguments behind them.
    private static MemorySegment pointers(Launch launch) {
        List<byte[]> values =
                launch.arguments().stream().map(each -> ((Argument.Value) each).bytes()).toList();
        long bytes = 16;
        for (byte[] value : values) {
            bytes += 24 + value.length;
        }
        MemorySegment block = Arena.ofAuto().allocate(bytes, 16);
        long at = 8L * values.size();
        for (int i = 0; i < values.size(); i++) {
            at = (at + 15) / 16 * 16;
            block.setAtIndex(ValueLayout.JAVA_LONG, i, block.address() + at);
            byte[] value = values.get(i);
            MemorySegment.copy(value, 0, block, ValueLayout.JAVA_BYTE, at, value.length);
            at += value.length;
        }
        return block;
    }

    /// Writes an attribute of a launch; hints are not kept.
    public void tellAttribute(Work work, int attribute, long into) {
        Launch.Shape shape = as(Work.Launching.class, work).launch().shape();
        requireAttribute(attribute);
        if (attribute == COOPERATIVE) {
            Host.putInt(into, shape.cooperative() ? 1 : 0);
        } else if (attribute == CLUSTER) {
            Extent cluster = shape.cluster();
            put(into, cluster == null ? new Extent(1, 1, 1) : cluster);
        } else {
            Host.putInt(into, 0);
        }
    }

    private static void requireAttribute(int attribute) {
        refuseIf(attribute < 1 || attribute > LAST_ATTRIBUTE, ErrorCode.INVALID_VALUE);
    }

    /// A launch with another attribute.
    public Work withAttribute(Work work, int attribute, long value) {
        Work.Launching launching = as(Work.Launching.class, work);
        requireAttribute(attribute);
        return switch (attribute) {
            case COOPERATIVE -> reshaped(launching, cluster(launching), Host.getInt(value) != 0);
            case CLUSTER ->
                    reshaped(
                            launching,
                            Dimensions.at(value).extent(),
                            launching.launch().shape().cooperative());
            default -> work;
        };
    }

    /// A launch with the attributes of another.
    public Work withAttributesOf(Work from, Work to) {
        Work.Launching given = as(Work.Launching.class, from);
        return reshaped(
                as(Work.Launching.class, to), cluster(given), given.launch().shape().cooperative());
    }

    private static @Nullable Extent cluster(Work.Launching launching) {
        return launching.launch().shape().cluster();
    }

    private Work reshaped(Work.Launching launching, @Nullable Extent cluster, boolean together) {
        Launch launch = launching.launch();
        Launch.Shape shape =
                new Launch.Shape(
                        launch.grid(), launch.block(), cluster, launch.dynamicShared(), together);
        return device.work(launching.function(), launch.withShape(shape));
    }

    /// Writes a `cudaMemcpy3DParms`. An array is told as the memory that it lies in.
    public void tellCopy(Work work, long into) {
        Work.Copying copying = as(Work.Copying.class, work);
        Host.at(into, COPY_BYTES).fill((byte) 0);
        put(into + 32, copying.copy().from());
        put(into + 96, copying.copy().to());
        Place.Block block = copying.copy().block();
        Host.putLong(into + 128, block.width());
        Host.putLong(into + 136, block.height());
        Host.putLong(into + 144, block.depth());
        Host.putInt(into + 152, copying.copy().kind());
    }

    /// Writes a `cudaPitchedPtr`.
    private static void put(long into, Place place) {
        Host.putLong(into, place.address());
        Host.putLong(into + 8, place.pitch());
        Host.putLong(into + 16, place.pitch());
        Host.putLong(into + 24, place.pitch() == 0 ? 0 : place.plane() / place.pitch());
    }

    /// Writes a `cudaMemsetParams`.
    public static void tellFill(Work work, long into) {
        Work.Filling filling = as(Work.Filling.class, work);
        Host.putLong(into, filling.place().address());
        Host.putLong(into + 8, filling.place().pitch());
        Host.putInt(into + 16, filling.value());
        Host.putInt(into + 20, filling.element());
        Host.putLong(into + 24, filling.block().width() / filling.element());
        Host.putLong(into + 32, filling.block().height());
    }

    /// Writes a `cudaHostNodeParams`.
    public static void tellCall(Work work, long into) {
        Work.Calling calling = as(Work.Calling.class, work);
        Host.putLong(into, calling.function());
        Host.putLong(into + 8, calling.data());
    }

    /// Writes the event of a node of a kind.
    public static void tellEvent(Work work, int kind, long into) {
        Work.OfEvent event = as(Work.OfEvent.class, work);
        refuseIf(event.kind().ordinal() != kind, ErrorCode.INVALID_VALUE);
        Host.putLong(into, event.event());
    }

    /// The allocation that a `cudaMemAllocNodeParams` asks for; its address is written there.
    public Work allocation(long parameters) {
        Work.OfMemory allocation = device.memory().allocation(Host.getLong(parameters + BYTES));
        Host.putLong(parameters + ADDRESS, allocation.memory().address());
        return allocation;
    }

    /// Writes a `cudaMemAllocNodeParams`.
    public static void tellAllocation(Work work, long into) {
        Work.OfMemory allocation = as(Work.OfMemory.class, work);
        Host.at(into, ALLOCATION_BYTES).fill((byte) 0);
        Host.putInt(into, 1);
        Host.putInt(into + POOL_LOCATION, 1);
        Host.putLong(into + BYTES, allocation.memory().bytes());
        Host.putLong(into + ADDRESS, allocation.memory().address());
    }
}
