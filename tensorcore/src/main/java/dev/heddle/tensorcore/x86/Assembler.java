package dev.heddle.tensorcore.x86;

/// The machine code of one function, in the making: with AVX-512, or what
/// [AVX2][Avx2Assembler] has in its place.
public sealed class Assembler extends GeneralCode permits Avx2Code {
    public static final int RAX = 0;
    public static final int RCX = 1;
    public static final int RDX = 2;
    public static final int RBX = 3;
    public static final int RSP = 4;
    public static final int RBP = 5;
    public static final int RSI = 6;
    public static final int RDI = 7;
    public static final int R8 = 8;
    public static final int R9 = 9;
    public static final int R10 = 10;
    public static final int R11 = 11;
    public static final int R12 = 12;
    public static final int R13 = 13;
    public static final int R14 = 14;
    public static final int R15 = 15;

    // Comparisons of floating-point numbers: where either is none; and some that do not hold there.
    public static final int UNORDERED = 3;
    public static final int NOT_EQUAL_ORDERED = 0x0c;
    public static final int LESS_ORDERED = 0x11;
    public static final int GREATER_OR_EQUAL_ORDERED = 0x1d;

    // Comparisons of integers.
    public static final int EQUAL = 0;
    public static final int LESS = 1;
    public static final int LESS_OR_EQUAL = 2;
    public static final int NOT_EQUAL = 4;
    public static final int NOT_LESS = 5;
    public static final int GREATER = 6;

    // Shifts of elements by a constant, by the digits of their forms.
    public static final int RIGHT = 2;
    public static final int RIGHT_WITH_SIGN = 4;
    public static final int LEFT = 6;

    // How to round.
    public static final int DOWN = 1;
    public static final int UP = 2;
    public static final int TOWARD_ZERO = 3;

    /// Arithmetic of general registers, by the digit of its form with a constant.
    public enum Arithmetic {
        ADD(0),
        OR(1),
        AND(4),
        SUB(5),
        XOR(6),
        CMP(7);

        final int digit;

        Arithmetic(int digit) {
            this.digit = digit;
        }
    }

    /// Instructions on mask registers, `VEX.L1.0F.W0 45 /r`.
    public enum MaskOperation {
        KANDNW(0, 0, 0x42),
        KANDW(0, 0, 0x41),
        KORW(0, 0, 0x45),
        KUNPCKWD(0, 0, 0x4b),
        KUNPCKBW(0x66, 0, 0x4b),
        KANDND(0x66, 1, 0x42);

        private final int prefix;
        private final int wide;
        private final int opcode;

        MaskOperation(int prefix, int wide, int opcode) {
            this.prefix = prefix;
            this.wide = wide;
            this.opcode = opcode;
        }
    }

    /// For the processor that we run on.
    public static Assembler forThisProcessor() {
        return Processor.hasAvx512() ? new Assembler() : new Avx2Assembler();
    }

    /// Whether [#forThisProcessor] can write an instruction: some came after AVX-512, and AVX2 has
    /// others in their place.
    public static boolean has(Evex operation) {
        if (operation == Evex.VPERMI2W) {
            return Processor.hasAvx512();
        }
        return !Processor.hasAvx512()
                || switch (operation) {
                    case VPOPCNTD -> Processor.has("avx512_vpopcntdq");
                    case VPSHLDVD, VPSHRDVD -> Processor.has("avx512_vbmi2");
                    default -> true;
                };
    }

    /// A place in the code.
    public static final class Label {
        int position = -1;

        /// Where it is in the code.
        public int position() {
            if (position < 0) {
                throw new IllegalStateException("a label that stands nowhere");
            }
            return position;
        }
    }

    /// From here on six vectors are used most: where registers are few, they keep theirs.
    ///
    /// @param first of them
    public void favour(int first) {}

    /// From here on no vectors are used more than others.
    public void favourNone() {}

    /// What a vector holds is not read again.
    public void drop(int vector) {}

    /// Makes room for what the code keeps in memory of its own. Nothing but [#leave] may move the
    /// stack pointer from here on.
    public void enter() {}

    /// Gives back what [#enter] took.
    public void leave() {}

    // Labels.

    public void jump(Label label) {
        settle();
        put(0xe9);
        reference(label);
    }

    public void jump(Condition condition, Label label) {
        settle();
        put(0x0f);
        put(0x80 | condition.code);
        reference(label);
    }

    /// Jumps to the address in a register.
    public void jumpTo(int register) {
        settle();
        rex(false, 0, register);
        put(0xff);
        put(0xe0 | register & 7);
    }

    /// Calls a routine of the same code that does nothing to vectors and masks.
    public void call(Label label) {
        settle();
        put(0xe8);
        reference(label);
        forget();
    }

    /// Calls the function whose address is in a register. Vectors and masks hold anything then.
    public void call(int register) {
        settle();
        rex(false, 0, register);
        put(0xff);
        put(0xd0 | register & 7);
        forget();
    }

    // Masks.

    /// `target = source operation other`; KANDN inverts the first.
    public void mask(MaskOperation operation, int target, int first, int second) {
        vex(operation.prefix, 1, operation.wide, 1, target, first, second);
        put(operation.opcode);
        put(0xc0 | target << 3 | second);
    }

    /// A 32-bit mask from a general register.
    public void maskFrom(int target, int register) {
        vex(0xf2, 1, 0, 0, target, 0, register);
        put(0x92);
        put(0xc0 | target << 3 | register & 7);
    }

    /// A 32-bit mask to a general register.
    public void maskTo(int register, int source) {
        vex(0xf2, 1, 0, 0, register, 0, source);
        put(0x93);
        put(0xc0 | (register & 7) << 3 | source);
    }

    /// A mask of 32 bits shifted right.
    public void maskShiftRight(int target, int source, int amount) {
        vex(0x66, 3, 0, 0, target, 0, source);
        put(0x31);
        put(0xc0 | target << 3 | source);
        put(amount);
    }

    /// Which of the low 16 bits of a mask are set.
    public enum Bits {
        NONE(Condition.EQUAL),
        ANY(Condition.NOT_EQUAL),
        ALL(Condition.BELOW),
        NOT_ALL(Condition.ABOVE_OR_EQUAL);

        /// What `kortestw` says then.
        private final Condition condition;

        Bits(Condition condition) {
            this.condition = condition;
        }
    }

    /// Jumps by the low 16 bits of a mask.
    public void jumpIf(Bits bits, int mask, Label label) {
        vex(0, 1, 0, 0, mask, 0, mask);
        put(0x98);
        put(0xc0 | mask << 3 | mask);
        jump(bits.condition, label);
    }

    /// Jumps by all bits of a vector, if there is none or any. The vector and mask register 5 may
    /// have changed.
    public void jumpIfVector(Bits bits, int vector, Label label) {
        vector(Evex.VPTESTMQ, 5, vector, Operand.register(vector));
        jumpIf(bits, 5, label);
    }

    private void vex(int prefix, int map, int wide, int length, int reg, int second, int rm) {
        put(0xc4);
        put((~reg >>> 3 & 1) << 7 | 1 << 6 | (~rm >>> 3 & 1) << 5 | map);
        put(wide << 7 | (~second & 15) << 3 | length << 2 | Evex.packed(prefix));
    }

    /// Ends the use of wide vectors: `vzeroupper`.
    public void zeroUpper() {
        put(0xc5);
        put(0xf8);
        put(0x77);
    }

    /// The low word of a vector to a general register: `vmovd`.
    public void lowWord(int target, int vector) {
        evexPrefix(0x66, 1, 0, vector, 0, target >>> 3 & 1, 0, 0);
        put(0x7e);
        put(0xc0 | (vector & 7) << 3 | target & 7);
    }

    /// The low long of a vector to a general register: `vmovq`.
    public void lowLong(int target, int vector) {
        evexPrefix(0x66, 1, 1, vector, 0, target >>> 3 & 1, 0, 0);
        put(0x7e);
        put(0xc0 | (vector & 7) << 3 | target & 7);
    }

    // Vectors.

    /// `target = operation(second, last)`.
    public void vector(Evex operation, int target, int second, Operand last) {
        vector(operation, target, second, last, 0, false, -1);
    }

    /// `target = operation(second, last, constant)`.
    public void vector(Evex operation, int target, int second, Operand last, int constant) {
        vector(operation, target, second, last, 0, false, constant);
    }

    /// Where the mask is set; other elements stay.
    public void vectorWhere(Evex operation, int mask, int target, int second, Operand last) {
        vector(operation, target, second, last, mask, false, -1);
    }

    /// `target = value` where an element of an operand is not a number; mask register 5 may have
    /// changed.
    public void replaceNans(boolean isDouble, int target, int operand, Operand value) {
        Evex compare = isDouble ? Evex.VCMPPD : Evex.VCMPPS;
        vector(compare, 5, operand, Operand.register(operand), UNORDERED);
        Evex broadcast = isDouble ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
        vectorWhere(broadcast, 5, target, 0, value);
    }

    /// An instruction with a vector in 512 bits.
    ///
    /// @param target register, or the digit of shifts by constants
    /// @param second the operand in the middle; 0 where there is none
    /// @param last register or memory
    /// @param mask mask register, 0 for none
    /// @param zeroing whether elements out of the mask become zero
    /// @param constant the last byte, or -1
    public void vector(
            Evex operation,
            int target,
            int second,
            Operand last,
            int mask,
            boolean zeroing,
            int constant) {
        VectorInstruction.Opcode code = operation.code();
        int x = 0;
        int high = second >>> 4 & 1;
        boolean broadcast = false;
        switch (last) {
            case Operand.Register(int number) -> x = number >>> 4 & 1;
            case Operand.Memory memory -> {
                broadcast = memory.broadcast();
                if (memory.index() >= 0) {
                    x = memory.index() >>> 3 & 1;
                    high = memory.index() >>> 4 & 1;
                }
            }
            case Operand.Pooled pooled -> broadcast = pooled.broadcast();
        }
        boolean loads =
                broadcast && operation != Evex.VPBROADCASTD && operation != Evex.VPBROADCASTQ;
        int p2 = (zeroing ? 0x80 : 0) | 0x40 | (loads ? 0x10 : 0) | mask;
        evexPrefix(
                code.prefix(),
                code.map(),
                code.wide(),
                target,
                second & 15 | high << 4,
                number(last) >>> 3 & 1,
                x,
                p2);
        put(code.opcode());
        int unit = loads ? operation.isLong() ? 8 : 4 : operation.unit;
        modrm(target, last, unit, constant >= 0 ? 1 : 0);
        if (constant >= 0) {
            put(constant);
        }
    }

    /// Words with their sign become `float` numbers, what is lost cut off.
    public void toFloatTowardZero(int target, int source) {
        rounded(Evex.VCVTDQ2PS, TOWARD_ZERO, target, 0, source);
    }

    /// `c = a b + c` of `float` numbers, rounded to odd: of the two neighbours of what is not exact
    /// the one whose last bit is set. A later rounding to at most 22 bits then gives what rounding
    /// the exact sum would have given. Mask register 5 may have changed.
    ///
    /// The numbers are `f16` or `bf16`, or have a product that is exact: AVX2 asks for that.
    ///
    /// @param spare a vector that may be changed
    public void fusedToOdd(int c, int a, int b, int spare) {
        vector(Evex.VMOVDQU32, spare, 0, Operand.register(c));
        rounded(Evex.VFMADD231PS, UP, spare, a, b);
        rounded(Evex.VFMADD231PS, DOWN, c, a, b);
        vector(Evex.VPTESTNMD, 5, c, word(1));
        vectorWhere(Evex.VMOVDQU32, 5, c, 0, Operand.register(spare));
    }

    /// An instruction that rounds as it says itself: without a mask, all operands in registers.
    public void rounded(Evex operation, int direction, int target, int second, int last) {
        VectorInstruction.Opcode code = operation.code();
        evexPrefix(
                code.prefix(),
                code.map(),
                code.wide(),
                target,
                second,
                last >>> 3 & 1,
                last >>> 4 & 1,
                direction << 5 | 0x10);
        put(code.opcode());
        put(0xc0 | (target & 7) << 3 | last & 7);
    }

    private void evexPrefix(
            int prefix, int map, int wide, int reg, int second, int b, int x, int p2) {
        put(0x62);
        put((~reg >>> 3 & 1) << 7 | (~x & 1) << 6 | (~b & 1) << 5 | (~reg >>> 4 & 1) << 4 | map);
        put(wide << 7 | (~second & 15) << 3 | 4 | Evex.packed(prefix));
        put(p2 | (~second >>> 4 & 1) << 3);
    }
}
