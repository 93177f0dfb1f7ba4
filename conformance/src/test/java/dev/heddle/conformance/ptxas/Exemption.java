package dev.heddle.conformance.ptxas;

import dev.heddle.isa.Opcode;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.SourceOperand;
import dev.heddle.isa.Violation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/// Where the model and `ptxas` 13.0 are known to differ, and who is right.
public enum Exemption {
    VERSION_9_1(
            Side.MODEL_ACCEPTS,
            one -> one.candidate().version().equals(new PtxVersion(9, 1)),
            "ptxas 13.0 ends at PTX ISA 9.0; the model follows the manual of 9.1"),
    RETIRED_TARGET(
            Side.MODEL_ACCEPTS,
            one -> one.candidate().target().number() < 75,
            "ptxas 13.0 no longer assembles for targets below sm_75"),
    EXPANDED(
            Side.MODEL_ACCEPTS,
            Exemption::failsInExpansion,
            "where the target lacks the instruction, ptxas writes others in its place; registers of"
                + " a type that it takes elsewhere, and metadata in braces, then fail in these"),
    PREDICATE_IN_VECTOR(
            Side.ASSEMBLER_ACCEPTS,
            one -> all(one, Exemption::isPredicate),
            "ptxas takes predicates in vectors of .b32 registers"),
    REGISTER_FOR_INTEGER_A(
            Side.ASSEMBLER_ACCEPTS,
            one -> isSparseInteger(one) && all(one, v -> v.found().startsWith("operand a is %")),
            "ptxas takes one register for the vector of A of integer mma.sp"),
    WIDE_SCALE_ID(
            Side.ASSEMBLER_ACCEPTS,
            one ->
                    all(
                            one,
                            v ->
                                    v.found()
                                            .matches(
                                                    "operand (byte|thread)-id-[ab]: .* is"
                                                            + " .[bsu](8|32)")),
            "beside a constant, ptxas takes a register of 8 or 32 bits for the 16-bit byte-id or"
                    + " thread-id"),
    FP8_K16_B_DOUBLED(
            Side.ASSEMBLER_ACCEPTS,
            one ->
                    one.model().opcode().get(Qualifier.SHAPE).equals("m16n8k16")
                            && one.model().opcode().get(Qualifier.BTYPE).matches("e4m3|e5m2")
                            && all(one, v -> v.found().equals("operand b has 2 registers")),
            "where the target lacks fp8 mma.m16n8k16, ptxas takes a second register of B"),
    KIND_OF_FP8(
            Side.ASSEMBLER_ACCEPTS,
            one ->
                    one.model().opcode().get(Qualifier.ATYPE).matches("e4m3|e5m2")
                            && all(one, v -> v.found().startsWith(".kind::mxf4")),
            "ptxas passes over .kind::mxf4 and .kind::mxf4nvf4 on fp8 forms without scale factors"),
    TYPE_TOO_MANY(
            Side.ASSEMBLER_ACCEPTS,
            one -> hasOneMore(one) && all(one, v -> v.found().matches(".*(stype|a sixth type) .*")),
            "ptxas passes over a type too many in some forms"),
    F8F6F4_OF_FP8(
            Side.ASSEMBLER_ACCEPTS,
            one ->
                    one.model().opcode().get(Qualifier.KIND).equals("kind::f8f6f4")
                            && one.candidate().target().number() >= 100
                            && all(one, v -> v.rule() == Rule.UNSUPPORTED_TARGET),
            "ptxas takes .kind::f8f6f4 with fp8 types on the specific targets of sm_100 to sm_110;"
                    + " the manual has it from sm_120a on"),
    SM_88_BEFORE_9_0(
            Side.ASSEMBLER_ACCEPTS,
            one ->
                    one.candidate().target().number() == 88
                            && all(one, v -> v.section().equals("11.1.2")),
            "ptxas 13.0 takes sm_88 from PTX ISA 7.4 on; the manual introduces it with 9.0"),
    CONSTANT_IN_VECTOR(
            Side.ASSEMBLER_ACCEPTS,
            one -> all(one, v -> isConstant(v) || isBehindConstant(one, v)),
            "ptxas takes constants alone in a vector of any matrix, integers beside floats in some"
                    + " orders, registers of any type behind one, and 32-bit float"
                    + " constants for metadata and scale data; the manual has registers there"),
    WGMMA_WITHOUT_ALIGNED(
            Side.ASSEMBLER_ACCEPTS,
            one -> isWgmma(one) && all(one, v -> v.found().equals("no .aligned")),
            "ptxas does not miss .aligned of wgmma, which the manual calls mandatory"),
    WGMMA_LAYOUT(
            Side.ASSEMBLER_ACCEPTS,
            one -> isWgmma(one) && all(one, v -> v.found().contains("layout .")),
            "ptxas passes over .row and .col of wgmma, which has no such qualifiers"),
    DOUBLED_SYNC(
            Side.ASSEMBLER_ACCEPTS,
            one -> all(one, v -> v.rule() == Rule.REPEATED_QUALIFIER && v.found().equals(".sync")),
            "ptxas takes .sync twice; the manual's syntax has it once");

    private static final String DISCARDED = "fatal   : Result discard mode is not allowed";

    /// Who takes the module.
    enum Side {
        MODEL_ACCEPTS,
        ASSEMBLER_ACCEPTS
    }

    private final Side side;
    private final Predicate<AssemblerSweep.Case> covers;
    private final String reason;

    Exemption(Side side, Predicate<AssemblerSweep.Case> covers, String reason) {
        this.side = side;
        this.covers = covers;
        this.reason = reason;
    }

    /// Who takes the module: the model or `ptxas`.
    public String accepts() {
        return side == Side.MODEL_ACCEPTS ? "model" : "ptxas";
    }

    /// Why the two differ there.
    public String reason() {
        return reason;
    }

    /// The exemption that covers a disagreement.
    static Optional<Exemption> of(AssemblerSweep.Case one) {
        Side side = one.model().legal() ? Side.MODEL_ACCEPTS : Side.ASSEMBLER_ACCEPTS;
        return Arrays.stream(values())
                .filter(exemption -> exemption.side == side)
                .filter(exemption -> exemption.covers.test(one))
                .findFirst();
    }

    /// Whether all that the model objects to is of that kind.
    private static boolean all(AssemblerSweep.Case one, Predicate<Violation> kind) {
        List<Violation> objections =
                one.model().violations().stream()
                        .filter(v -> v.verdict() == Verdict.INVALID)
                        .toList();
        return objections.stream().allMatch(kind);
    }

    private static boolean hasOneMore(AssemblerSweep.Case one) {
        return one.candidate()
                .change()
                .filter(c -> c == NearMiss.QUALIFIER_ADDED || c == NearMiss.QUALIFIER_DOUBLED)
                .isPresent();
    }

    private static boolean isWgmma(AssemblerSweep.Case one) {
        return one.model().opcode().family().warpgroup();
    }

    /// Whether a constant is where the manual has a register.
    private static boolean isConstant(Violation violation) {
        return violation
                .found()
                .matches(
                        "operand (a|b|c|e|sp-meta|scale-[ab]-data) has (-?[0-9].*|constants of two"
                                + " kinds)");
    }

    /// Whether registers differ behind a constant: ptxas compares elements with the first.
    private static boolean isBehindConstant(AssemblerSweep.Case one, Violation violation) {
        return violation.rule() == Rule.MIXED_VECTOR_ELEMENTS
                && one.candidate().operands().stream()
                        .anyMatch(
                                operand ->
                                        operand instanceof SourceOperand.Vector vector
                                                && vector.elements().getFirst()
                                                        instanceof SourceOperand.IntegerConstant);
    }

    /// Whether the errors name other instructions than the one written, or the metadata is in
    /// braces, of which ptxas then only says that it fails.
    private static boolean failsInExpansion(AssemblerSweep.Case one) {
        List<String> errors =
                one.assembler()
                        .messages()
                        .lines()
                        .filter(line -> line.contains("error   :") || line.contains(DISCARDED))
                        .toList();
        boolean braces =
                one.model().opcode().family().sparse()
                        && one.candidate().operands().get(4) instanceof SourceOperand.Vector;
        return errors.isEmpty()
                ? braces
                : errors.stream().allMatch(e -> e.matches(".*instruction '(mov|add|fma)'.*"));
    }

    private static boolean isPredicate(Violation violation) {
        return violation.found().contains(".pred")
                && (violation.rule() == Rule.WRONG_OPERAND_TYPE
                        || violation.rule() == Rule.MIXED_VECTOR_ELEMENTS);
    }

    private static boolean isSparseInteger(AssemblerSweep.Case one) {
        Opcode opcode = one.model().opcode();
        return opcode.family().sparse() && opcode.get(Qualifier.DTYPE).equals("s32");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
