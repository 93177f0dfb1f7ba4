package dev.heddle.ptx.instruction;

/// Which instruction of the manual a form belongs to, as far as executors tell instructions apart,
/// with what it does to memory. The headings of the table name it.
public enum InstructionKind {
    INTEGER_ADD,
    INTEGER_SUBTRACT,
    /// Any instruction that is one function of its operands: the table says which types they have,
    /// and executors find the function by the name of the instruction.
    COMPUTE,
    INTEGER_MULTIPLY,
    INTEGER_MULTIPLY_ADD,
    MULTIPLY_24,
    MULTIPLY_ADD_24,
    INTEGER_DIVIDE,
    INTEGER_REMAINDER,
    INTEGER_ABSOLUTE,
    INTEGER_NEGATE,
    INTEGER_MINIMUM,
    INTEGER_MAXIMUM,
    POPULATION_COUNT,
    LEADING_ZEROS,
    REVERSE_BITS,
    EXTRACT_BITS,
    INSERT_BITS,
    EXTENDED_ADD,
    ADD_WITH_CARRY,
    EXTENDED_SUBTRACT,
    SUBTRACT_WITH_BORROW,
    EXTENDED_MULTIPLY_ADD,
    MULTIPLY_ADD_WITH_CARRY,
    FLOAT_ADD,
    FLOAT_SUBTRACT,
    FLOAT_MULTIPLY,
    FUSED_MULTIPLY_ADD,
    FLOAT_DIVIDE,
    FLOAT_ABSOLUTE,
    FLOAT_NEGATE,
    FLOAT_MINIMUM,
    FLOAT_MAXIMUM,
    RECIPROCAL,
    SQUARE_ROOT,
    RECIPROCAL_SQUARE_ROOT,
    SINE,
    COSINE,
    LOGARITHM,
    EXPONENTIAL,
    HYPERBOLIC_TANGENT,
    MIXED_ADD,
    MIXED_SUBTRACT,
    MIXED_MULTIPLY_ADD,
    SET,
    SET_PREDICATE,
    SELECT,
    SELECT_BY_SIGN,
    AND,
    OR,
    XOR,
    NOT,
    LOOKUP,
    FUNNEL_SHIFT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    MOVE,
    PERMUTE,
    IS_IN_SPACE,
    CONVERT_ADDRESS,
    MAP_ADDRESS,
    CTA_RANK,
    CONVERT,
    CONVERT_PACK,
    LOAD(Memory.READS),
    STORE(Memory.WRITES),
    ASYNC_STORE(Memory.WRITES),
    /// Any instruction that writes memory at its addresses and is one function of its operands:
    /// executors find the function by its mnemonic.
    WRITE_MEMORY(Memory.WRITES),
    /// The same of one that reads and writes.
    UPDATE_MEMORY(Memory.UPDATES),
    MULTIMEM(Memory.UPDATES),
    PREFETCH,
    CREATE_POLICY,
    ASYNC_COPY(Memory.COPIES),
    ASYNC_COMMIT,
    ASYNC_WAIT,
    ASYNC_ARRIVE(Memory.UPDATES),
    BULK_COPY(Memory.COPIES, Proxy.ASYNC),
    BULK_REDUCE(Memory.COPIES, Proxy.ASYNC),
    BULK_PREFETCH,
    TENSOR_COPY(Memory.COPIES, Proxy.ASYNC),
    BULK_COMMIT,
    BULK_WAIT,
    TENSOR_MAP_FENCE(Memory.COPIES),
    STACK_SAVE,
    STACK_RESTORE,
    STACK_ALLOCATE,
    ATOMIC(Memory.UPDATES),
    REDUCE(Memory.UPDATES),
    ASYNC_REDUCE(Memory.UPDATES),
    BRANCH,
    INDEXED_BRANCH,
    RETURN,
    EXIT,
    BARRIER,
    WARP_BARRIER,
    CLUSTER_BARRIER,
    FENCE,
    /// A fence between the generic and the async proxy.
    ASYNC_PROXY_FENCE,
    /// A fence between the generic proxy and that of tensor maps.
    TENSOR_MAP_PROXY_FENCE,
    /// A fence between other proxies, or for the initialization of mbarrier objects alone.
    PROXY_FENCE,
    /// Any instruction that is one function of what the lanes of a warp have in their registers:
    /// the table says which operands it has, and executors find the function by its name.
    EXCHANGE,
    /// The same without a mask of the lanes that take part: removed in PTX 6.4 for sm_70 and
    /// higher.
    EXCHANGE_WITHOUT_SYNC,
    /// The same as an exchange, and its predicate is true in one lane alone.
    ELECT,
    GRID_DEPENDENCY,
    MEMORY_BARRIER(Memory.UPDATES),
    CLUSTER_LAUNCH_CANCEL(Memory.WRITES, Proxy.ASYNC),
    CLUSTER_LAUNCH_QUERY,
    LOAD_MATRIX(Memory.READS),
    STORE_MATRIX(Memory.WRITES),
    WARPGROUP_FENCE,
    WARPGROUP_COMMIT,
    WARPGROUP_WAIT,
    BREAKPOINT,
    TRAP,
    SLEEP,
    PERFORMANCE_EVENT,
    SET_REGISTERS,
    WMMA_LOAD(Memory.READS),
    WMMA_STORE(Memory.WRITES),
    WMMA_MULTIPLY,
    CALL,
    MATRIX_MULTIPLY,
    WARPGROUP_MULTIPLY(Memory.READS, Proxy.ASYNC),
    TENSOR_MEMORY(Memory.UPDATES, Proxy.ASYNC),
    TEXTURE(Memory.READS),
    TEXTURE_GATHER(Memory.READS),
    TEXTURE_QUERY,
    IS_OPAQUE,
    VIDEO,
    VIDEO_SHIFT,
    VIDEO_MULTIPLY_ADD,
    VIDEO_SIMD,
    SURFACE_LOAD(Memory.READS),
    SURFACE_STORE(Memory.WRITES),
    SURFACE_REDUCE(Memory.UPDATES),
    SURFACE_QUERY;

    /// What an instruction does to the memory that its address operands name.
    public enum Memory {
        /// It has none.
        NONE,
        READS,
        WRITES,
        /// Reads and writes the same place.
        UPDATES,
        /// Reads one place and writes another.
        COPIES
    }

    /// Through which proxy it does so: the generic one, unless the manual names another (PTX
    /// ISA 8.6).
    public enum Proxy {
        GENERIC,
        ASYNC
    }

    private final Memory memory;
    private final Proxy proxy;

    InstructionKind() {
        this(Memory.NONE);
    }

    InstructionKind(Memory memory) {
        this(memory, Proxy.GENERIC);
    }

    InstructionKind(Memory memory, Proxy proxy) {
        this.memory = memory;
        this.proxy = proxy;
    }

    /// What it does to memory.
    public Memory memory() {
        return memory;
    }

    /// The proxy of its memory accesses.
    public Proxy proxy() {
        return proxy;
    }
}
