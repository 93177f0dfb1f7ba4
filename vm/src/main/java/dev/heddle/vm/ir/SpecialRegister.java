package dev.heddle.vm.ir;

/// The predefined registers that a kernel can read (PTX ISA 10).
public enum SpecialRegister {
    TID_X,
    TID_Y,
    TID_Z,
    NTID_X,
    NTID_Y,
    NTID_Z,
    CTAID_X,
    CTAID_Y,
    CTAID_Z,
    NCTAID_X,
    NCTAID_Y,
    NCTAID_Z,
    LANEID,
    WARPID,
    NWARPID,
    SMID,
    NSMID,
    GRIDID,
    LANEMASK_EQ,
    LANEMASK_LE,
    LANEMASK_LT,
    LANEMASK_GE,
    LANEMASK_GT,
    CLOCK,
    CLOCK_HI,
    CLOCK64,
    GLOBALTIMER,
    GLOBALTIMER_LO,
    GLOBALTIMER_HI,
    DYNAMIC_SMEM_SIZE,
    TOTAL_SMEM_SIZE,
    CLUSTERID_X,
    CLUSTERID_Y,
    CLUSTERID_Z,
    NCLUSTERID_X,
    NCLUSTERID_Y,
    NCLUSTERID_Z,
    CLUSTER_CTAID_X,
    CLUSTER_CTAID_Y,
    CLUSTER_CTAID_Z,
    CLUSTER_NCTAID_X,
    CLUSTER_NCTAID_Y,
    CLUSTER_NCTAID_Z,
    CLUSTER_CTARANK,
    CLUSTER_NCTARANK,
    IS_EXPLICIT_CLUSTER,
    RESERVED_SMEM_OFFSET_BEGIN,
    RESERVED_SMEM_OFFSET_END,
    RESERVED_SMEM_OFFSET_CAP,
    RESERVED_SMEM_OFFSET_0,
    /// What cooperative groups keep their barriers behind.
    RESERVED_SMEM_OFFSET_1,
    /// `%envreg1`: the upper half of the address where the CTAs of a cooperative launch meet, which
    /// the driver puts there; the other environment registers are 0.
    ENVREG1,
    /// `%envreg2`: the lower half.
    ENVREG2;

    /// Whether it is 64 bits wide.
    public Width width() {
        return switch (this) {
            case CLOCK64, GLOBALTIMER, GRIDID -> Width.LONG;
            case IS_EXPLICIT_CLUSTER -> Width.PREDICATE;
            default -> Width.WORD;
        };
    }

    /// Whether it says how much time has passed.
    public boolean isClock() {
        return switch (this) {
            case CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, GLOBALTIMER_LO, GLOBALTIMER_HI -> true;
            default -> false;
        };
    }

    /// Whether it is about the shared memory that drivers reserve.
    public boolean isReservedShared() {
        return switch (this) {
            case RESERVED_SMEM_OFFSET_BEGIN,
                    RESERVED_SMEM_OFFSET_END,
                    RESERVED_SMEM_OFFSET_CAP,
                    RESERVED_SMEM_OFFSET_0,
                    RESERVED_SMEM_OFFSET_1 ->
                    true;
            default -> false;
        };
    }

    /// Whether all lanes of a warp read the same value.
    public boolean isUniform() {
        return switch (this) {
            case TID_X,
                    TID_Y,
                    TID_Z,
                    LANEID,
                    LANEMASK_EQ,
                    LANEMASK_LE,
                    LANEMASK_LT,
                    LANEMASK_GE,
                    LANEMASK_GT ->
                    false;
            default -> true;
        };
    }
}
