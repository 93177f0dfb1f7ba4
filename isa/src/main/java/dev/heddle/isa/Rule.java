package dev.heddle.isa;

import java.util.Locale;

/// What the manual demands beyond its syntax lines, each rule with a name, a section and a
/// consequence.
///
/// Rules of the group INVALID are what an assembler enforces, those of the group UNDEFINED what the
/// manual calls undefined behaviour, UNSPECIFIED what it leaves to the implementation (there the
/// numerics table answers), ADVICE what it recommends.
public enum Rule {
    // The opcode
    UNKNOWN_QUALIFIER(Outcome.INVALID, "9.1", "unknown qualifier"),
    DOUBLED_QUALIFIER(Outcome.INVALID, "9.1", "qualifier written twice"),
    MISSING_QUALIFIER(Outcome.INVALID, "9.1", "mandatory qualifier missing"),
    NO_SUCH_FORM(Outcome.INVALID, "9.7.14.1", "no form of the instruction has this combination"),
    ACCUMULATOR_TYPES_AGREE(
            Outcome.INVALID, "9.7.14.5.14", ".dtype must be the same as .ctype for this shape"),
    M8N8K4_F32_C_NEEDS_F32_D(
            Outcome.INVALID, "9.7.14.5.14", ".dtype must be .f32 when .ctype is .f32 for .m8n8k4"),
    MULTIPLICAND_TYPES_AGREE(
            Outcome.INVALID, "9.7.14.5.14", ".atype must be the same as .btype for .m16n8k8"),
    PTX_VERSION(Outcome.INVALID, "9.7.14.1", "needs a newer PTX ISA version"),
    TARGET(Outcome.INVALID, "11.1.2", "not supported on this target"),

    // The operands
    OPERAND_COUNT(Outcome.INVALID, "9.1", "wrong number of operands"),
    OPERAND_KIND(Outcome.INVALID, "9.1", "wrong kind of operand"),
    VECTOR_SIZE(Outcome.INVALID, "9.7.14.5", "wrong number of registers"),
    REGISTER_TYPE(Outcome.INVALID, "6.1", "wrong register type"),
    VECTOR_TYPES_AGREE(Outcome.INVALID, "9.4", "registers of one vector differ in type"),
    SELECTOR_RANGE(Outcome.INVALID, "9.7.14.6.1", "sparsity selector out of range"),
    BYTE_ID(Outcome.INVALID, "9.7.14.3", "byte-id out of range"),
    THREAD_ID(Outcome.INVALID, "9.7.14.3", "thread-id out of range"),
    IMMEDIATE_RANGE(Outcome.INVALID, "9.7.15.5.2", "immediate out of range"),

    // Undefined behaviour of one instruction
    SELECTOR_NAMES_NO_THREAD_PAIR(
            Outcome.UNDEFINED, "9.7.14.6.1", "the selector must name a thread-pair"),
    SCALE_SELECTOR_OUT_OF_TABLE(
            Outcome.UNDEFINED, "9.7.14.3", "byte-id or thread-id outside of table 37"),
    METADATA_EQUAL_INDICES(
            Outcome.UNDEFINED, "9.7.14.6.1", "the two indices of a chunk must differ"),
    METADATA_ORDERED(
            Outcome.UNDEFINED, "9.7.14.6.3", "the indices of a chunk must increase from the LSB"),
    METADATA_TF32(
            Outcome.UNDEFINED,
            "9.7.14.6.1",
            "a tf32 chunk is 0b0100 (column 0) or 0b1110 (column 1)"),

    // Undefined behaviour of a warp or warpgroup that executes it
    SAME_INSTRUCTION(
            Outcome.UNDEFINED,
            "9.7.14.5.14",
            "all threads of the warp must use the same qualifiers"),
    NO_EXITED_THREAD(Outcome.UNDEFINED, "9.7.14.5.14", "no thread of the warp may have exited"),
    ALIGNED_CONVERGED(
            Outcome.UNDEFINED,
            "9.7.14.5.14",
            "all threads of the warp must execute the instruction"),
    DESCRIPTOR_UNIFORM(
            Outcome.UNDEFINED, "9.7.15.5.2", "a matrix descriptor must be the same in all warps"),
    WGMMA_FENCE(Outcome.UNDEFINED, "9.7.15.5.2", "registers written before need a wgmma.fence"),
    WGMMA_WAIT(
            Outcome.UNDEFINED,
            "9.7.15.7",
            "registers in flight may be touched after wgmma.wait_group"),
    WGMMA_PROXY_FENCE(
            Outcome.UNDEFINED,
            "9.7.15.4",
            "generic writes to shared memory need fence.proxy.async"),

    // What the manual leaves open
    ACCUMULATION_UNSPECIFIED(
            Outcome.UNSPECIFIED,
            "9.7.14.5.14",
            "accumulation order, rounding and subnormal inputs are unspecified"),

    // Advice
    PREFER_ORDERED_METADATA(
            Outcome.ADVICE,
            "9.7.14.6.3",
            "mma.sp may be much slower than mma.sp::ordered_metadata on some targets"),
    M8N8K4_IS_FOR_SM_70(
            Outcome.ADVICE, "9.7.14.5.14", "mma.m8n8k4 is optimized for sm_70 and slow elsewhere");

    private final Outcome outcome;
    private final String section;
    private final String text;

    Rule(Outcome outcome, String section, String text) {
        this.outcome = outcome;
        this.section = section;
        this.text = text;
    }

    /// The name that messages and JSON give: `metadata-equal-indices`.
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// What breaking it means.
    public Outcome outcome() {
        return outcome;
    }

    /// The section of PTX ISA 9.1 that states it.
    public String section() {
        return section;
    }

    /// The rule in a few words.
    public String text() {
        return text;
    }
}
