package dev.heddle.vm.state;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.SpecialRegister;

import java.util.stream.IntStream;

/// The predefined registers of a warp (PTX ISA 10).
public final class SpecialRegisterValues {
    private static final int[] LANE_IDS = IntStream.range(0, 32).toArray();

    private final Warp warp;
    private final Cta cta;
    private final int[] x = new int[32];
    private final int[] y = new int[32];
    private final int[] z = new int[32];

    SpecialRegisterValues(Warp warp) {
        this.warp = warp;
        cta = warp.cta();
        Extent block = cta.grid().shape().block();
        for (int lane = 0; lane < 32; lane++) {
            int thread = warp.thread(lane);
            x[lane] = thread % block.x();
            y[lane] = thread / block.x() % block.y();
            z[lane] = thread / block.x() / block.y();
        }
    }

    /// A register that differs from lane to lane, in every lane.
    public int[] lanes(SpecialRegister register) {
        return switch (register) {
            case TID_X -> x;
            case TID_Y -> y;
            case TID_Z -> z;
            case LANEID -> LANE_IDS;
            default -> throw new IllegalArgumentException(register + " is the same in all lanes");
        };
    }

    /// The bits of a register in a lane.
    public long value(SpecialRegister register, int lane) {
        Grid grid = cta.grid();
        return switch (register) {
            case TID_X -> x[lane];
            case TID_Y -> y[lane];
            case TID_Z -> z[lane];
            case NTID_X -> grid.shape().block().x();
            case NTID_Y -> grid.shape().block().y();
            case NTID_Z -> grid.shape().block().z();
            case CTAID_X -> cta.x();
            case CTAID_Y -> cta.y();
            case CTAID_Z -> cta.z();
            case CLUSTERID_X -> cta.x() / grid.shape().cluster().x();
            case CLUSTERID_Y -> cta.y() / grid.shape().cluster().y();
            case CLUSTERID_Z -> cta.z() / grid.shape().cluster().z();
            case NCTAID_X -> grid.shape().extent().x();
            case NCTAID_Y -> grid.shape().extent().y();
            case NCTAID_Z -> grid.shape().extent().z();
            case NCLUSTERID_X -> grid.shape().clusters().x();
            case NCLUSTERID_Y -> grid.shape().clusters().y();
            case NCLUSTERID_Z -> grid.shape().clusters().z();
            case LANEID -> lane;
            case WARPID -> warp.index();
            case NWARPID -> grid.shape().warps();
            case NSMID -> 1;
            case LANEMASK_EQ -> 1L << lane;
            case LANEMASK_LT -> (1L << lane) - 1;
            case LANEMASK_LE -> (2L << lane) - 1;
            case LANEMASK_GT -> -2L << lane & 0xffff_ffffL;
            case LANEMASK_GE -> -1L << lane & 0xffff_ffffL;
            case CLOCK, CLOCK64 -> cta.counters().clock();
            case CLOCK_HI -> cta.counters().clock() >>> 32;
            case GLOBALTIMER, GLOBALTIMER_LO -> System.nanoTime();
            case GLOBALTIMER_HI -> System.nanoTime() >>> 32;
            case DYNAMIC_SMEM_SIZE -> grid.shared().dynamicBytes();
            case TOTAL_SMEM_SIZE -> grid.shared().bytes();
            case CLUSTER_CTAID_X -> cta.x() % grid.shape().cluster().x();
            case CLUSTER_CTAID_Y -> cta.y() % grid.shape().cluster().y();
            case CLUSTER_CTAID_Z -> cta.z() % grid.shape().cluster().z();
            case CLUSTER_NCTAID_X -> grid.shape().cluster().x();
            case CLUSTER_NCTAID_Y -> grid.shape().cluster().y();
            case CLUSTER_NCTAID_Z -> grid.shape().cluster().z();
            case CLUSTER_CTARANK -> cta.rank();
            case CLUSTER_NCTARANK -> cta.cluster().size();
            case IS_EXPLICIT_CLUSTER -> grid.shape().explicitCluster() ? 1 : 0;
            case RESERVED_SMEM_OFFSET_BEGIN, RESERVED_SMEM_OFFSET_0, RESERVED_SMEM_OFFSET_1 ->
                    grid.shared().reservedOffset();
            case RESERVED_SMEM_OFFSET_END -> grid.shared().allBytes();
            case RESERVED_SMEM_OFFSET_CAP -> grid.shared().reservedBytes();
            case SMID, GRIDID -> 0;
            case ENVREG1 -> grid.workspace() >>> 32;
            case ENVREG2 -> (int) grid.workspace();
        };
    }
}
