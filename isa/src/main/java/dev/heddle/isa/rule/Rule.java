package dev.heddle.isa.rule;

import static dev.heddle.isa.rule.RuleGroup.ASYNC;
import static dev.heddle.isa.rule.RuleGroup.DECLARATIONS;
import static dev.heddle.isa.rule.RuleGroup.DEFINEDNESS;
import static dev.heddle.isa.rule.RuleGroup.INSTRUCTIONS;
import static dev.heddle.isa.rule.RuleGroup.LAUNCH;
import static dev.heddle.isa.rule.RuleGroup.MEMORY;
import static dev.heddle.isa.rule.RuleGroup.METADATA;
import static dev.heddle.isa.rule.RuleGroup.NAMES;
import static dev.heddle.isa.rule.RuleGroup.OPERANDS;
import static dev.heddle.isa.rule.RuleGroup.PERFORMANCE;
import static dev.heddle.isa.rule.RuleGroup.RACES;
import static dev.heddle.isa.rule.RuleGroup.SYNTAX;
import static dev.heddle.isa.rule.RuleGroup.WARP;
import static dev.heddle.isa.rule.Verdict.ADVICE;
import static dev.heddle.isa.rule.Verdict.DEADLOCK;
import static dev.heddle.isa.rule.Verdict.INVALID;
import static dev.heddle.isa.rule.Verdict.NOTE;
import static dev.heddle.isa.rule.Verdict.RESOURCE_EXHAUSTED;
import static dev.heddle.isa.rule.Verdict.UNDEFINED_BEHAVIOR;
import static dev.heddle.isa.rule.Verdict.UNSUPPORTED;
import static dev.heddle.isa.rule.Verdict.WARNING;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything a kernel can do wrong, each rule once, by the name of the offence.
///
/// What is found in the text of a module and what is found while it runs have the same rules.
public enum Rule {
    // The text of a module
    SYNTAX_ERROR(SYNTAX, "4", "the text is no PTX statement", "syntax"),
    MALFORMED_NUMBER(SYNTAX, "4.5.1", "a number is not written as PTX writes them"),
    UNTERMINATED_COMMENT(SYNTAX, "4.1", "a comment is never closed"),
    UNTERMINATED_STRING(SYNTAX, "4.2", "a string is not closed on its line"),
    UNCLOSED_BRACE(SYNTAX, "11.2", "a brace is never closed"),
    MISSING_SEMICOLON(SYNTAX, "4.3", "a statement does not end in a semicolon"),
    NESTING_TOO_DEEP(
            SYNTAX, "4.5", "braces or parentheses are nested deeper than this reader follows"),
    TOO_MANY_ELEMENTS(SYNTAX, "6.4", "a list of operands is longer than any instruction takes"),
    TOO_MANY_QUALIFIERS(SYNTAX, "9.1", "an opcode has more qualifiers than any instruction takes"),
    TOO_MANY_FINDINGS(SYNTAX, "4", "a file has more findings than are listed"),
    MISSING_HEADER(SYNTAX, "11.1", "the module does not begin with .version and .target", "header"),
    UNKNOWN_VERSION(
            SYNTAX,
            "11.1.1",
            "the module asks for a PTX version that this reader does not know",
            "version"),
    REPEATED_VERSION(SYNTAX, "11.1.1", "a module has two .version directives", "version-repeated"),
    WRONG_ADDRESS_SIZE(SYNTAX, "11.1.3", "an address size is neither 32 nor 64", "address-size"),
    MISPLACED_ADDRESS_SIZE(
            SYNTAX, "11.1.3", ".address_size is not behind .target", "address-size-place"),
    NOT_AN_INTEGER(
            SYNTAX,
            "4.5",
            "something else is written where an integer belongs",
            "integer-expected"),
    INTEGER_TOO_LARGE(SYNTAX, "4.5.1", "an integer needs more than 64 bits"),
    INTEGER_OUT_OF_RANGE(
            SYNTAX, "11.5", "an integer of a directive is out of range", "integer-range"),
    MIXED_CONSTANT_EXPRESSION(
            SYNTAX,
            "4.5.6",
            "a constant expression applies an operator to types it has not",
            "constant-expression-types"),
    MINUS_BEFORE_OFFSET(
            SYNTAX,
            "6.4.1",
            "a negative offset is written with '-' instead of '+-'",
            "offset-sign"),
    MISSING_LABEL(SYNTAX, "11.3", "a directive that needs a label has none", "label-missing"),
    BAD_SECTION_DATA(
            SYNTAX, "11.5.2", "a number of a debug section does not fit its type", "section-data"),
    LINKAGE_IN_FUNCTION(SYNTAX, "11.6", "a linking directive is inside a function"),
    GUARD_NOT_A_REGISTER(
            SYNTAX, "4.3.2", "a guard names something else than a register", "guard-register"),

    // Variables, parameters, functions and directives
    ALIGNMENT_NOT_A_POWER_OF_TWO(
            DECLARATIONS, "5.4.5", "an alignment is not a power of two", "alignment-power-of-two"),
    TOO_MANY_REGISTERS(
            DECLARATIONS,
            "5.4.6",
            "one declaration names more registers than a function may have",
            "register-range"),
    NEGATIVE_ARRAY_EXTENT(
            DECLARATIONS, "5.4.3", "an array has an extent below zero", "array-extent"),
    MISSING_ARRAY_SIZE(
            DECLARATIONS, "5.4.3", "an array has neither size nor initial value", "array-size"),
    EMPTY_LABEL_RANGE(DECLARATIONS, "11.3.1", "a range of labels names none", "label-range"),
    MISPLACED_STATE_SPACE(
            DECLARATIONS,
            "5.1",
            "a variable of this state space cannot be declared here",
            "space-at-module-level"),
    SAMPLERREF_WITHOUT_INDEPENDENT_MODE(
            DECLARATIONS,
            "5.3",
            "a .samplerref is declared in a module of unified texture mode",
            "texture-mode"),
    TYPE_NOT_DECLARABLE(
            DECLARATIONS, "5.2.3", "a variable is declared of a type that only instructions have"),
    PREDICATE_OUTSIDE_REGISTER(
            DECLARATIONS,
            "5.2.1",
            "a predicate is declared outside of a register",
            "predicate-variable"),
    OPAQUE_TYPE_IN_REGISTER(
            DECLARATIONS,
            "5.3",
            "a texture, sampler or surface is declared where none can be",
            "opaque-variable"),
    REGISTER_ARRAY(DECLARATIONS, "5.4.3", "an array of registers is declared"),
    VECTOR_TOO_WIDE(DECLARATIONS, "5.4.2", "a vector is wider than vectors may be"),
    MANAGED_OUTSIDE_GLOBAL(
            DECLARATIONS,
            "5.4.8",
            ".managed is given to a variable outside of global memory",
            "managed-variable"),
    INITIALIZER_OUTSIDE_GLOBAL_OR_CONST(
            DECLARATIONS,
            "5.4.4",
            "a variable has an initial value that cannot have one",
            "initializer-space"),
    INITIALIZER_OF_EXTERN(
            DECLARATIONS,
            "5.4.4",
            "an external declaration has an initial value",
            "initializer-extern"),
    WRONG_INITIALIZER(
            DECLARATIONS, "5.4.4", "an initial value does not fit its variable", "initializer"),
    WRONG_KERNEL_PARAMETER(
            DECLARATIONS,
            "5.1.6.1",
            "a parameter is of a kind that kernels have not",
            "kernel-parameter"),
    MISPLACED_DIRECTIVE(
            DECLARATIONS,
            "11.4",
            "a directive does not belong to this kind of function",
            "directive-place"),
    WRONG_DIRECTIVE_VALUES(
            DECLARATIONS,
            "11.4",
            "a directive has numbers that it cannot have",
            "directive-values"),
    REMOVED_DIRECTIVE(
            DECLARATIONS, "11.4", "a directive is no longer part of PTX", "directive-removed"),
    CONFLICTING_DIRECTIVES(
            DECLARATIONS,
            "11.4",
            "two directives of one kernel exclude each other",
            "directive-conflict"),
    DUPLICATE_DEFINITION(DECLARATIONS, "5.4", "a name is defined twice"),
    UNKNOWN_TARGET(DECLARATIONS, "11.1.2", ".target names no target"),
    UNKNOWN_INLINING_PLACE(
            DECLARATIONS,
            "11.5.4",
            "inlined_at names a place that no .loc before it has",
            "inlined-at"),

    // Names
    UNKNOWN_NAME(NAMES, "4.4", "a name is used that nothing declares"),
    UNDECLARED_REGISTER(NAMES, "5.1.1", "a register is used that is not declared"),
    UNKNOWN_LABEL(NAMES, "11.3", "a branch names a label that its function has not"),
    NOT_A_LABEL(NAMES, "11.3", "something else is written where a label belongs", "label-expected"),
    UNKNOWN_COMPONENT(
            NAMES,
            "6.4.3",
            "a register is asked for a component that it has not",
            "vector-component"),

    // Opcodes
    UNKNOWN_INSTRUCTION(INSTRUCTIONS, "9.7", "no instruction has this opcode"),
    UNKNOWN_QUALIFIER(INSTRUCTIONS, "9.1", "unknown qualifier"),
    REPEATED_QUALIFIER(INSTRUCTIONS, "9.1", "qualifier written twice", "doubled-qualifier"),
    MISSING_QUALIFIER(INSTRUCTIONS, "9.1", "mandatory qualifier missing", "qualifier-missing"),
    QUALIFIER_NOT_ALLOWED(
            INSTRUCTIONS,
            "9.1",
            "a qualifier does not belong to this instruction, or not beside the others"),
    NO_SUCH_FORM(INSTRUCTIONS, "9.7.14.1", "no form of the instruction has this combination"),
    ACCUMULATOR_TYPES_DIFFER(
            INSTRUCTIONS,
            "9.7.14.5.14",
            ".dtype must be the same as .ctype for this shape",
            "accumulator-types-agree"),
    F16_RESULT_OF_F32_ACCUMULATOR(
            INSTRUCTIONS,
            "9.7.14.5.14",
            ".dtype must be .f32 when .ctype is .f32 for .m8n8k4",
            "m8n8k4-f32-c-needs-f32-d"),
    MULTIPLICAND_TYPES_DIFFER(
            INSTRUCTIONS,
            "9.7.14.5.14",
            ".atype must be the same as .btype for .m16n8k8",
            "multiplicand-types-agree"),
    VERSION_TOO_LOW(
            INSTRUCTIONS,
            "9.7.14.1",
            "needs a newer PTX ISA version",
            "ptx-version",
            "needs-version"),
    UNSUPPORTED_TARGET(
            INSTRUCTIONS, "11.1.2", "not supported on this target", "target", "needs-target"),
    MISSING_SYNC(
            INSTRUCTIONS,
            "9.7.9.5",
            "an instruction of a warp lacks .sync on a target that demands it",
            "sync-required"),
    CONFLICTING_CACHE_QUALIFIERS(
            INSTRUCTIONS, "9.7.9.1", "two qualifiers both say how to cache", "cache-qualifiers"),
    CACHE_QUALIFIER_OUTSIDE_GLOBAL(
            INSTRUCTIONS,
            "9.7.9.2",
            "a qualifier of global memory's caches is given to another space",
            "cache-space"),
    WRONG_CACHE_WIDTH(
            INSTRUCTIONS,
            "9.7.9.2",
            "an eviction priority of the level 2 cache is given to an access that is not 256 bits"
                    + " wide",
            "cache-width"),
    ORDERED_PRIVATE_ACCESS(
            INSTRUCTIONS,
            "8.3",
            "a memory order is given to an access that no other thread sees",
            "ordered-space"),

    // Operands
    WRONG_OPERAND_COUNT(OPERANDS, "9.1", "wrong number of operands", "operand-count"),
    WRONG_OPERAND_KIND(OPERANDS, "9.1", "wrong kind of operand", "operand-kind"),
    WRONG_OPERAND_TYPE(OPERANDS, "6.1", "wrong register type", "operand-type", "register-type"),
    WRONG_VECTOR_SIZE(OPERANDS, "9.7.14.5", "wrong number of registers", "vector-size"),
    MIXED_VECTOR_ELEMENTS(
            OPERANDS,
            "9.4",
            "registers of one vector differ in type",
            "vector-types-agree",
            "vector-elements"),
    VECTOR_AS_SCALAR(
            OPERANDS,
            "5.4.2",
            "a vector register is used where a scalar belongs",
            "vector-register"),
    WRONG_CONSTANT_TYPE(
            OPERANDS, "4.5", "a constant is of another type than the operand", "constant-type"),
    CONSTANT_OUT_OF_RANGE(
            OPERANDS, "9.7.15.5.2", "immediate out of range", "constant-range", "immediate-range"),
    SELECTOR_OUT_OF_RANGE(
            OPERANDS, "9.7.14.6.1", "sparsity selector out of range", "selector-range"),
    BYTE_ID_OUT_OF_RANGE(OPERANDS, "9.7.14.3", "byte-id out of range", "byte-id"),
    THREAD_ID_OUT_OF_RANGE(OPERANDS, "9.7.14.3", "thread-id out of range", "thread-id"),
    NEGATED_OPERAND(OPERANDS, "9.1", "an operand is negated that cannot be", "operand-negated"),
    MISUSED_SPECIAL_REGISTER(
            OPERANDS,
            "10",
            "a special register is used as an instruction cannot",
            "special-register"),
    WRONG_VIDEO_SELECTOR(
            OPERANDS,
            "9.7.18",
            "a selector is given to an operand that has none such",
            "video-selector"),
    SINK_NOT_ALLOWED(OPERANDS, "6.4.3", "'_' stands for an operand that is read"),
    MISSING_SINK(
            OPERANDS,
            "9.7.13.15",
            "a register is given for a result that the instruction has not",
            "sink-required"),
    GUARD_NOT_A_PREDICATE(OPERANDS, "4.3.2", "a guard is no predicate", "guard-type"),
    WRONG_ADDRESS_TYPE(
            OPERANDS,
            "6.4.1",
            "an address is in a register of a type that holds none",
            "address-type"),
    WRONG_ADDRESS_WIDTH(
            OPERANDS, "6.4.1", "an address is in a register too narrow for it", "address-width"),
    CONSTANT_ADDRESS(
            OPERANDS, "6.4.1", "an address is a constant where a register or a name belongs"),
    WRONG_STATE_SPACE(
            OPERANDS,
            "5.1",
            "an address lies in another state space than the instruction says",
            "state-space"),
    WRITE_TO_PARAMETER(OPERANDS, "5.1.6", "an input parameter is written", "parameter-write"),
    WRONG_COPY_SIZE(
            OPERANDS,
            "9.7.9.25.3",
            "a cp.async copies a number of bytes that it cannot",
            "copy-size"),
    WRONG_BARRIER_THREAD_COUNT(
            OPERANDS,
            "9.7.13.1",
            "a barrier's number of threads is no multiple of a warp",
            "barrier-threads"),
    WRONG_SETMAXNREG_COUNT(
            OPERANDS,
            "9.7.19.5",
            "setmaxnreg asks for a number of registers that it cannot",
            "setmaxnreg-count"),
    MISSING_CALL_PROTOTYPE(
            OPERANDS,
            "9.7.12.5",
            "a call names neither a function nor a prototype",
            "call-prototype"),
    WRONG_CALL_ARGUMENTS(
            OPERANDS,
            "9.7.12.5",
            "arguments or results of a call do not fit the function",
            "call-arguments"),

    // Races
    DATA_RACE(
            RACES,
            "8.7.1",
            "two threads access the same memory, one of them writes, and nothing orders them",
            "shared-race"),
    SAME_VALUE_STORES(
            RACES,
            NOTE,
            "8.7.1",
            "two threads store the same value to the same memory, and nothing orders them"),
    UNORDERED_VOLATILE(
            RACES,
            WARNING,
            "8.9.5",
            "a lane loads, .volatile, what another of its warp has stored, and nothing orders"
                    + " them"),
    NON_COHERENT_READ(
            RACES,
            "9.7.9.9",
            "memory is loaded through the non-coherent cache that the same launch wrote before"),
    UNORDERED_STREAMS(
            RACES,
            "8.7.1",
            "work of two streams accesses the same memory, one of them writes, and neither waits"
                    + " for the other"),
    PREREQUISITE_NOT_AWAITED(
            RACES,
            "9.7.13.13",
            "a launch that the one in front of it lets begin early accesses the same memory before"
                    + " griddepcontrol.wait, and one of them writes"),

    // Memory
    OUT_OF_BOUNDS(
            MEMORY,
            "5.1",
            "an access reaches beyond every buffer and variable",
            "access-inside-a-buffer"),
    MISALIGNED_ACCESS(
            MEMORY,
            "9.7.9.8",
            "an address is no multiple of the size of its access",
            "access-aligned"),
    USE_AFTER_FREE(
            MEMORY, "5.1.4", "memory is accessed after it was freed", "access-of-live-memory"),
    INVALID_FREE(
            MEMORY,
            "5.1.4",
            "free is given an address that malloc did not return, or twice",
            "free-of-allocated-memory"),
    STORE_TO_CONSTANT_MEMORY(
            MEMORY,
            "5.1",
            "a store goes to memory that cannot be written",
            "store-to-writable-memory"),
    ATOMIC_OUTSIDE_GLOBAL_OR_SHARED(
            MEMORY,
            "9.7.13.5",
            "an atomic operation goes to memory that has none",
            "atomic-on-global-or-shared-memory"),
    MISALIGNED_WMMA(
            MEMORY,
            "9.7.14.4.2",
            "a wmma load or store begins, or steps, at no multiple of its fragment",
            "wmma-aligned"),
    STACKRESTORE_OF_UNSAVED_POINTER(
            MEMORY,
            "9.7.17.2",
            "stackrestore is given a pointer that no stacksave of this call gave",
            "stackrestore-of-a-saved-pointer"),
    CALL_OF_NO_FUNCTION(
            MEMORY,
            "9.7.12.5",
            "an indirect call goes to an address that is no function",
            "call-of-a-function"),
    BRX_INDEX_OUT_OF_RANGE(
            MEMORY,
            "9.7.12.4",
            "brx.idx is given an index that its list of targets has not",
            "brx-index-in-range"),

    // Definedness
    UNINITIALIZED_READ(
            DEFINEDNESS, "8.2.6", "memory is read that nobody wrote", "read-of-written-memory"),
    UNWRITTEN_COPY(
            DEFINEDNESS,
            WARNING,
            "8.2.6",
            "the host is given a copy of memory of the device that nobody wrote"),
    UNFOLLOWED_VALUE(
            DEFINEDNESS,
            WARNING,
            "5.1.1",
            "a value that nobody wrote is used, and whether anything depends on it was not seen"),
    UNINITIALIZED_REGISTER(
            DEFINEDNESS,
            "5.1.1",
            "a register is read that its thread never wrote",
            "use-of-a-written-register"),
    DIVISION_BY_ZERO(
            DEFINEDNESS,
            "9.7.1.8",
            "the quotient or remainder of an integer divided by zero is used"),

    // Warps and barriers
    SETMAXNREG_DIFFERS(WARP, "9.7.19.5", "warps of a warpgroup do not execute the same setmaxnreg"),
    SETMAXNREG_WRONG_WAY(
            WARP,
            "9.7.19.5",
            "setmaxnreg.dec asks for more registers than the warp has, or .inc for fewer"),
    ALIGNED_UNDER_DIVERGENCE(
            WARP,
            "9.7.14.5.14",
            "an aligned instruction is executed by a part of the warp",
            "aligned-all-lanes",
            "barrier-aligned",
            "aligned-converged"),
    EXITED_LANE(
            WARP,
            "9.7.14.5.14",
            "a matrix instruction is executed after lanes of the warp exited",
            "mma-no-exited-lane",
            "no-exited-thread"),
    SYNC_BY_NON_MEMBER(
            WARP,
            "9.7.9.6",
            "a lane executes a .sync instruction whose member mask leaves it out",
            "sync-executed-by-members"),
    SHUFFLE_FROM_ABSENT_LANE(
            WARP,
            "9.7.9.6",
            "a lane reads a shuffled value from a lane that takes no part",
            "shuffle-source-takes-part"),
    WRONG_BARRIER_OPERANDS(
            WARP,
            "9.7.13.1",
            "a barrier has a number above 15, or a count of threads that is no multiple of a warp",
            "barrier-operands"),
    MIXED_BARRIER(
            WARP,
            "9.7.13.1",
            "barrier.red is used beside barrier.sync or barrier.arrive at one barrier"),
    WMMA_ADDRESS_DIFFERS(
            WARP,
            "9.7.14.4.3",
            "lanes of a warp give wmma different addresses or strides",
            "wmma-one-address"),
    PARTIAL_WARPGROUP(
            WARP,
            "9.7.15",
            "a warpgroup instruction is executed in a warpgroup that is not whole",
            "wgmma-whole-warpgroup"),
    WARPGROUP_DIVERGENCE(
            WARP,
            "9.7.15",
            "warps of a warpgroup execute different instructions",
            "wgmma-same-instruction",
            "same-instruction"),
    NON_UNIFORM_OPERAND(
            WARP,
            "9.7.15.5.2",
            "threads of a warpgroup give different values where one is asked for",
            "descriptor-uniform"),
    CLUSTER_BARRIER_OUT_OF_TURN(
            WARP,
            "9.7.13.3",
            "a thread arrives twice at a cluster barrier, or waits without having arrived",
            "cluster-barrier-in-turn"),

    // Sparsity metadata and selectors
    SELECTOR_NAMES_NO_THREAD_PAIR(METADATA, "9.7.14.6.1", "the selector must name a thread-pair"),
    SCALE_SELECTOR_OUT_OF_TABLE(METADATA, "9.7.14.3", "byte-id or thread-id outside of table 37"),
    METADATA_EQUAL_INDICES(METADATA, "9.7.14.6.1", "the two indices of a chunk must differ"),
    METADATA_UNORDERED(
            METADATA,
            "9.7.14.6.3",
            "the indices of a chunk must increase from the LSB",
            "metadata-ordered"),
    METADATA_NOT_TF32(
            METADATA,
            "9.7.14.6.1",
            "a tf32 chunk is 0b0100 (column 0) or 0b1110 (column 1)",
            "metadata-tf32"),

    // Asynchronous copies and products
    CP_ASYNC_READ_BEFORE_WAIT(
            ASYNC,
            "9.7.9.25.3",
            "bytes are read that a cp.async is still copying",
            "cp-async-read-after-wait",
            "cp-async-wait"),
    CP_ASYNC_WRITE_BEFORE_WAIT(
            ASYNC, "9.7.9.25.3", "bytes are written that a cp.async is still copying"),
    MISSING_WGMMA_FENCE(
            ASYNC,
            "9.7.15.5.2",
            "a wgmma uses registers written before without a wgmma.fence between",
            "wgmma-fence"),
    WGMMA_REGISTER_BEFORE_WAIT(
            ASYNC,
            "9.7.15.7",
            "a register of a wgmma in flight is touched before wgmma.wait_group",
            "wgmma-wait"),
    MISSING_PROXY_FENCE(
            ASYNC,
            "9.7.15.4",
            "the async proxy reads or writes shared memory that ordinary stores wrote without"
                    + " fence.proxy.async",
            "wgmma-proxy-fence"),
    MISSING_TENSOR_MAP_FENCE(
            ASYNC,
            "9.7.13.4",
            "a tensor copy uses a tensor map that the same launch wrote, without"
                    + " fence.proxy.tensormap::generic"),
    ASYNC_READ_BEFORE_COMPLETION(
            ASYNC,
            "9.7.9.25.1",
            "memory is read before an asynchronous operation that writes it was waited for"),
    ASYNC_WRITE_BEFORE_COMPLETION(
            ASYNC,
            "9.7.9.25.1",
            "memory is written before an asynchronous operation that uses it was waited for"),
    BULK_READ_NOT_AWAITED(
            ASYNC,
            WARNING,
            "9.7.9.25.1",
            "a thread ends before it has waited for a bulk operation that reads shared memory"),
    MISALIGNED_BULK_COPY(
            ASYNC,
            "9.7.9.25.4",
            "a bulk copy has an address or a size that is no multiple of 16 bytes",
            "bulk-copy-aligned"),
    UNKNOWN_TEXTURE(MEMORY, "5.3", "a texture or surface is named by what is no handle of one"),
    SURFACE_TRAP(
            MEMORY,
            "9.7.11.1",
            "a surface is accessed outside, by an instruction that traps there"),
    WRONG_BULK_STORE_SIZE(
            ASYNC,
            "9.7.9.13",
            "a bulk store is given a number of bytes that it cannot store",
            "bulk-store-size"),
    ASYNC_STORE_MISPLACED(
            ASYNC,
            "9.7.9.12",
            "an st.async or red.async goes to two CTAs, to a cluster of one, or a red.async to its"
                    + " own CTA"),
    WRONG_SOURCE_SIZE(
            ASYNC, "9.7.9.25.3.1", "a cp.async takes more bytes from global memory than it writes"),
    MULTICAST_OUTSIDE_CLUSTER(
            ASYNC,
            "9.7.9.25.4",
            "a multicast names CTAs that the cluster has not",
            "multicast-within-cluster"),
    INVALID_TENSOR_MAP(
            ASYNC,
            "9.7.9.25.5",
            "a tensor copy is given something that is no tensor map",
            "tensor-map"),
    WRONG_TENSOR_RANK(
            ASYNC,
            "9.7.9.25.5",
            "a tensor copy has another number of axes than its tensor map",
            "tensor-copy-rank"),
    WRONG_TENSOR_MODE(
            ASYNC,
            "9.7.9.25.5",
            "a tensor copy is of a mode that its tensor map does not take",
            "tensor-copy-mode"),
    MISALIGNED_TENSOR_BOX(
            ASYNC,
            "5.5.3.1",
            "the box of a tensor copy begins at no multiple of 16 bytes",
            "tensor-box-aligned"),
    TENSOR_BOX_OUTSIDE(ASYNC, "9.7.9.27.1.1", "the box of a tensor copy begins where it must not"),
    MISALIGNED_TENSOR_COPY(
            ASYNC,
            "9.7.9.25.5",
            "a tensor copy has a shared address that is not aligned as it must be",
            "tensor-copy-aligned"),
    MBARRIER_REINITIALIZED(ASYNC, "9.7.13.15.9", "an mbarrier is initialised where one is in use"),
    MBARRIER_INVALIDATED(ASYNC, "9.7.13.15.10", "an mbarrier is used that was invalidated"),
    MBARRIER_OVERWRITTEN(
            ASYNC, "9.7.13.15.3", "something else is stored or loaded where an mbarrier is in use"),
    MBARRIER_INITIAL_COUNT(
            ASYNC,
            "9.7.13.15.9",
            "an mbarrier is initialised with no arrival, or with more than it can count"),
    MBARRIER_TRANSACTION_RANGE(
            ASYNC,
            "9.7.13.15.5",
            "the bytes that an mbarrier awaits leave the range that it can count"),
    ACCESS_TO_EXITED_CTA(
            ASYNC, "5.1.7", "shared memory is accessed of a CTA of the cluster that has ended"),
    ACCESS_TO_UNSTARTED_CTA(
            ASYNC,
            "5.1.7",
            "shared memory is accessed of a CTA of the cluster that need not have started"),
    MBARRIER_TOO_MANY_ARRIVALS(
            ASYNC,
            "9.7.13.15",
            "more threads arrive at an mbarrier than its phase awaits",
            "mbarrier-pending-count"),
    MBARRIER_PHASE_UNSEEN(
            ASYNC,
            "9.7.13.15.4",
            "a thread arrives at an mbarrier before any has seen the last phase end"),
    MBARRIER_WRONG_STATE(
            ASYNC,
            "9.7.13.15.16",
            "a wait names an mbarrier's phase by a state that is not of its last two phases"),
    MBARRIER_NO_COMPLETE(
            ASYNC, "9.7.13.15.13", "an arrival that must not end the phase of an mbarrier ends it"),

    // How a launch can end
    INCOMPLETE_BARRIER(
            LAUNCH,
            DEADLOCK,
            "9.7.13.1",
            "threads wait at a barrier that can never complete",
            "barrier-complete"),
    ENDLESS_SPIN(
            LAUNCH,
            DEADLOCK,
            "8.10.1",
            "threads spin on memory that nobody will change",
            "spin-has-a-writer"),
    ENDLESS_LOOP(
            LAUNCH,
            DEADLOCK,
            "8.10",
            "a warp runs in a circle that leaves registers and memory as they were",
            "loop-ends"),
    MBARRIER_NEVER_COMPLETES(
            LAUNCH,
            DEADLOCK,
            "9.7.13.15",
            "threads wait for a phase of an mbarrier that can never complete",
            "mbarrier-phase-completes"),
    REGISTERS_NEVER_FREE(
            LAUNCH,
            DEADLOCK,
            "9.7.19.5",
            "setmaxnreg.inc waits for registers that no warp gives back"),
    TIME_LIMIT_REACHED(
            LAUNCH,
            RESOURCE_EXHAUSTED,
            "",
            "the launch ran for more seconds or instructions than it may"),
    MEMORY_LIMIT_REACHED(
            LAUNCH,
            RESOURCE_EXHAUSTED,
            "",
            "the launch needs more memory, or prints more, than it may"),
    TRAP(LAUNCH, Verdict.TRAP, "9.7.19.4", "the kernel executed trap or brkpt"),
    ASSERTION_FAILED(
            LAUNCH, Verdict.ASSERTION_FAILED, "", "an assertion of the kernel does not hold"),
    UNSUPPORTED_INSTRUCTION(
            LAUNCH,
            UNSUPPORTED,
            "",
            "the kernel needs something that this machine does not execute"),

    // Performance
    PREFER_ORDERED_METADATA(
            PERFORMANCE,
            ADVICE,
            "9.7.14.6.3",
            "mma.sp may be much slower than mma.sp::ordered_metadata on some targets");

    private static final Map<String, Rule> BY_NAME =
            Stream.of(values())
                    .flatMap(rule -> rule.names().map(name -> Map.entry(name, rule)))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private final RuleGroup group;
    private final Verdict verdict;
    private final String section;
    private final String text;
    private final List<String> formerIds;

    /// What runs find is undefined behaviour, and what the text of a module shows makes it invalid,
    /// unless a rule says otherwise.
    Rule(RuleGroup group, String section, String text, String... formerIds) {
        this(
                group,
                RuleGroup.CHECKS.contains(group) ? UNDEFINED_BEHAVIOR : INVALID,
                section,
                text,
                formerIds);
    }

    Rule(RuleGroup group, Verdict verdict, String section, String text, String... formerIds) {
        this.group = group;
        this.verdict = verdict;
        this.section = section;
        this.text = text;
        this.formerIds = List.of(formerIds);
    }

    /// The rule of a name, present or former.
    public static Optional<Rule> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    private Stream<String> names() {
        return Stream.concat(Stream.of(id()), formerIds.stream());
    }

    /// The name that messages and JSON give: `metadata-equal-indices`.
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// What it is about.
    public RuleGroup group() {
        return group;
    }

    /// What breaking it means.
    public Verdict verdict() {
        return verdict;
    }

    /// How much breaking it matters.
    public Severity severity() {
        return verdict.severity();
    }

    /// The section of PTX ISA 9.1 that states it; empty where the manual does not.
    public String section() {
        return section;
    }

    /// The rule in a few words.
    public String text() {
        return text;
    }

    /// Names that it had in earlier versions, which stay understood.
    public List<String> formerIds() {
        return formerIds;
    }

    /// Whose fault it is, in one line.
    public String fault() {
        return switch (this) {
            case UNORDERED_STREAMS, PREREQUISITE_NOT_AWAITED ->
                    "this is a bug in the program: a GPU may do either first";
            case UNWRITTEN_COPY ->
                    "no rule is broken: it matters only where the host uses these bytes";
            case UNFOLLOWED_VALUE ->
                    "no rule is broken if nothing depends on it: the kernel's next launch shows"
                            + " that";
            default -> verdict.fault();
        };
    }

    @Override
    public String toString() {
        return id();
    }
}
