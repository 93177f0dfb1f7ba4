package dev.heddle.vm.ir;

import static dev.heddle.vm.ir.OperationKind.Shape.BINARY;
import static dev.heddle.vm.ir.OperationKind.Shape.COMPARISON;
import static dev.heddle.vm.ir.OperationKind.Shape.CONVERSION;
import static dev.heddle.vm.ir.OperationKind.Shape.COUNT;
import static dev.heddle.vm.ir.OperationKind.Shape.EXTRACTION;
import static dev.heddle.vm.ir.OperationKind.Shape.INSERTION;
import static dev.heddle.vm.ir.OperationKind.Shape.PAIR;
import static dev.heddle.vm.ir.OperationKind.Shape.SELECTION;
import static dev.heddle.vm.ir.OperationKind.Shape.SHIFT;
import static dev.heddle.vm.ir.OperationKind.Shape.STOCHASTIC;
import static dev.heddle.vm.ir.OperationKind.Shape.TABLE;
import static dev.heddle.vm.ir.OperationKind.Shape.TERNARY;
import static dev.heddle.vm.ir.OperationKind.Shape.UNARY;
import static dev.heddle.vm.ir.OperationKind.Shape.WHERE;
import static dev.heddle.vm.ir.OperationKind.Shape.WITH_CARRY;

import java.util.Locale;

/// What an operation does, whatever its types, rounding and modifiers.
///
/// Most kinds have the name of the PTX instruction that is nothing but this operation.
public enum OperationKind {
    // Arithmetic (PTX ISA 9.7.1 to 9.7.4).
    ADD(BINARY),
    SUB(BINARY),
    MUL(BINARY),
    MUL24(BINARY),
    FMA(TERNARY),
    DIV(BINARY),
    REM(BINARY),
    ABS(UNARY),
    NEG(UNARY),
    MIN(BINARY),
    MAX(BINARY),
    SQRT(UNARY),
    RCP(UNARY),
    RSQRT(UNARY),
    SIN(UNARY),
    COS(UNARY),
    LG2(UNARY),
    EX2(UNARY),
    TANH(UNARY),

    // Sums with a carry (PTX ISA 9.7.2), and the carry that they leave.
    ADDC(WITH_CARRY),
    CARRY(Shape.CARRY),

    // What modifiers do to operands and results.
    /// `.ftz`: a subnormal becomes zero.
    FTZ(UNARY),
    /// A NaN becomes the one that GPUs produce.
    CANONICAL(UNARY),
    /// `.sat` of floating point: within 0 and 1.
    SAT(UNARY),
    /// `.satfinite`: an infinity becomes the largest finite value.
    SATFINITE(UNARY),
    /// `.relu`: a negative value becomes zero.
    RELU(UNARY),
    /// `.abs` of `.xorsign.abs`.
    MAGNITUDE(UNARY),
    /// `.xorsign`: a magnitude, with the signs of two others multiplied.
    XORSIGN(TERNARY),
    /// `.oob`: a result, or zero where one of two factors is out of bounds.
    OOB(TERNARY),

    // Bits (PTX ISA 9.7.1, 9.7.8).
    AND(BINARY),
    OR(BINARY),
    XOR(BINARY),
    NOT(UNARY),
    LOP3(TABLE),
    SHL(SHIFT),
    SHR(SHIFT),
    SHF(TERNARY),
    POPC(COUNT),
    CLZ(COUNT),
    BREV(UNARY),
    BFE(EXTRACTION),
    BFI(INSERTION),
    PRMT(TERNARY),

    // Comparisons (PTX ISA 9.7.6); those on `.f32` and `.f64` that end in U hold for a NaN, too.
    EQ(COMPARISON),
    NE(COMPARISON),
    LT(COMPARISON),
    LE(COMPARISON),
    GT(COMPARISON),
    GE(COMPARISON),
    EQU(COMPARISON),
    NEU(COMPARISON),
    LTU(COMPARISON),
    LEU(COMPARISON),
    GTU(COMPARISON),
    GEU(COMPARISON),
    NUM(COMPARISON),
    NAN(COMPARISON),

    // Moves and conversions (PTX ISA 9.7.9).
    MOV(UNARY),
    SELP(SELECTION),
    /// All bits set where a predicate holds.
    ONES(WHERE),
    /// 1.0 where a predicate holds.
    ONE(WHERE),
    CVT(CONVERSION),
    /// A conversion that random bits round.
    CVT_RS(STOCHASTIC),
    /// `.rni .rzi .rmi .rpi`: an integral value in the same format.
    ROUND(UNARY),
    ZEXT(CONVERSION),
    SEXT(CONVERSION),
    /// The low half.
    TRUNC(CONVERSION),
    /// The high half.
    HIGH(CONVERSION),
    /// One byte of four.
    BYTE(BINARY),
    /// Two values side by side, the first below.
    PACK(PAIR),

    /// The function that a whole instruction is: [Operation#instruction].
    INSTRUCTION(Shape.INSTRUCTION);

    /// What an operation takes and gives, in terms of its type.
    public enum Shape {
        UNARY,
        BINARY,
        TERNARY,
        /// A value and a word: how many bits.
        SHIFT,
        /// A value, a position and a length.
        EXTRACTION,
        /// Two values and two words: a position and a length.
        INSERTION,
        /// Three values and a table of eight bits.
        TABLE,
        /// A value; a word comes out.
        COUNT,
        /// Two values and a carry.
        WITH_CARRY,
        /// The same; a word comes out.
        CARRY,
        /// Two values; a predicate comes out.
        COMPARISON,
        /// A predicate and two values.
        SELECTION,
        /// A predicate; a value comes out.
        WHERE,
        /// A value of another type.
        CONVERSION,
        /// A value of another type, and a word of random bits.
        STOCHASTIC,
        /// Two values of another type.
        PAIR,
        /// What the instruction says.
        INSTRUCTION
    }

    private final Shape shape;
    private final String word;

    OperationKind(Shape shape) {
        this.shape = shape;
        word = name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /// What it takes and gives.
    public Shape shape() {
        return shape;
    }

    /// What listings call it: `add`.
    public String word() {
        return word;
    }

    /// Whether it computes a new number from the values of its operands, or compares them: the
    /// payload of a NaN that it reads is never seen.
    boolean readsValues() {
        return switch (this) {
            case ADD, SUB, MUL, FMA, DIV, SQRT, RCP, RSQRT, SIN, COS, LG2, EX2, TANH -> true;
            default -> shape == COMPARISON;
        };
    }
}
