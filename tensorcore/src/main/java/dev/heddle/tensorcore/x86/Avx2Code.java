package dev.heddle.tensorcore.x86;

import java.util.Arrays;
import java.util.stream.IntStream;

/// What [Avx2Assembler] is made of: instructions of AVX2 as bytes, and where the halves of vectors
/// are.
///
/// A vector is in memory behind the stack pointer. Twelve halves are in registers for the time
/// being: those used last. What was made there goes to memory when another half takes the register,
/// and wherever code parts or comes together: behind a label nothing is in a register.
abstract sealed class Avx2Code extends Assembler permits Avx2Assembler {
    /// Registers for values in between: a result, and the operands of what is emulated.
    static final int RESULT = 12;

    static final int SECOND = 13;
    static final int LAST = 14;
    static final int SPARE = 15;

    // What is behind the stack pointer, in bytes.
    private static final int MASKS = 0;
    private static final int SAVED = 64;
    static final int INDICES = 128;
    static final int ELEMENTS = 192;
    private static final int VECTORS = 256;
    private static final int FRAME = VECTORS + 64 * 32;

    /// Bytes of half a vector.
    static final int HALF = 32;

    private static final int NOTHING = -1;

    /// Vectors that are used most, where there are such.
    private static final int FAVOURED = 6;

    /// Registers that they leave to others.
    private static final int FOR_OTHERS = 3;

    /// By register: which half it holds, twice the vector's number and 1 for the upper one.
    private final int[] held = new int[RESULT];

    /// By register: whether memory has something else.
    private final boolean[] changed = new boolean[RESULT];

    /// By register: when it was used last, counted by uses.
    private final int[] used = new int[RESULT];

    private int uses;
    private int favoured = NOTHING;

    Avx2Code() {
        Arrays.fill(held, NOTHING);
    }

    @Override
    int constantBytes() {
        return HALF;
    }

    @Override
    public void enter() {
        moveLong(RAX, Operand.register(RSP));
        arithmeticLong(Arithmetic.SUB, RSP, FRAME);
        arithmeticLong(Arithmetic.AND, RSP, -64);
        storeLong(saved(0), RAX);
    }

    @Override
    public void leave() {
        moveLong(RSP, saved(0));
    }

    /// A place to keep a general register in.
    static Operand saved(int place) {
        return Operand.at(RSP, SAVED + 8 * place);
    }

    /// The word of a mask register.
    static Operand maskWord(int mask) {
        return Operand.at(RSP, MASKS + 8 * mask);
    }

    // Where vectors are.

    @Override
    public void favour(int first) {
        favoured = first;
    }

    @Override
    public void favourNone() {
        favoured = NOTHING;
    }

    @Override
    public void drop(int vector) {
        for (int register = 0; register < RESULT; register++) {
            if (held[register] >> 1 == vector) {
                held[register] = NOTHING;
                changed[register] = false;
            }
        }
    }

    @Override
    final void settle() {
        for (int register = 0; register < RESULT; register++) {
            store(register);
        }
    }

    @Override
    final void forget() {
        Arrays.fill(held, NOTHING);
    }

    private void store(int register) {
        if (changed[register]) {
            changed[register] = false;
            emit(Evex.VMOVDQU32_STORE, register, 0, place(held[register]));
        }
    }

    private static Operand place(int number) {
        return Operand.at(RSP, VECTORS + HALF * number);
    }

    /// The register of half a vector; whether it holds it already is for the caller to see.
    private int register(int number) {
        int found = 0;
        while (found < RESULT && held[found] != number) {
            found++;
        }
        if (found == RESULT) {
            found = oldest();
            store(found);
            held[found] = NOTHING;
        }
        used[found] = ++uses;
        return found;
    }

    /// The register that was not used for longest. Vectors that are favoured keep theirs while
    /// some are left to others.
    private int oldest() {
        boolean sparing =
                IntStream.range(0, RESULT).filter(each -> !isFavoured(each)).count() >= FOR_OTHERS;
        int oldest = NOTHING;
        for (int register = 0; register < RESULT; register++) {
            if ((!sparing || !isFavoured(register))
                    && (oldest == NOTHING || age(register) > age(oldest))) {
                oldest = register;
            }
        }
        return oldest;
    }

    private boolean isFavoured(int register) {
        int vector = held[register] >> 1;
        return favoured != NOTHING && vector >= favoured && vector < favoured + FAVOURED;
    }

    private int age(int register) {
        return held[register] == NOTHING ? Integer.MAX_VALUE : uses - used[register];
    }

    /// The register with half of a vector. It stays there while few others are used.
    int load(int vector, int half) {
        int number = 2 * vector + half;
        int register = register(number);
        if (held[register] != number) {
            held[register] = number;
            emit(Evex.VMOVDQU32, register, 0, place(number));
        }
        return register;
    }

    /// The register that half of a vector is to be made in; then comes [#keep].
    int target(int vector, int half) {
        int number = 2 * vector + half;
        int register = register(number);
        held[register] = number;
        return register;
    }

    /// What was made in a register is half of a vector.
    void keep(int vector, int half, int made) {
        int register = target(vector, half);
        if (register != made) {
            emit(Evex.VMOVDQU32, register, 0, Operand.register(made));
        }
        changed[register] = true;
    }

    /// Half of a vector as an operand.
    Operand half(int vector, int half) {
        return Operand.register(load(vector, half));
    }

    /// Half of an operand for all lanes.
    ///
    /// @param temporary for one element of memory that serves all lanes
    Operand half(Operand operand, int half, int temporary, boolean isLong) {
        return switch (operand) {
            case Operand.Register(int number) -> half(number, half);
            case Operand.Memory(int base, _, int displacement, boolean broadcast) -> {
                if (broadcast) {
                    emit(isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD, temporary, 0, operand);
                    yield Operand.register(temporary);
                }
                yield Operand.at(base, displacement + HALF * half);
            }
            case Operand.Pooled(int place, boolean broadcast) ->
                    broadcast ? operand : new Operand.Pooled(place + HALF * half, false);
        };
    }

    /// An operand in a register: its own, or this one.
    int load(Operand operand, int temporary) {
        if (operand instanceof Operand.Register(int number)) {
            return number;
        }
        emit(Evex.VMOVDQU32, temporary, 0, operand);
        return temporary;
    }

    // Instructions.

    void emit(VectorInstruction operation, int target, int second, Operand last) {
        emit(operation, target, second, last, -1);
    }

    void emit(VectorInstruction operation, int target, int second, Operand last, int constant) {
        emit(operation, 1, target, second, last, constant);
    }

    /// The same on 128 bits.
    void emit128(VectorInstruction operation, int target, int second, Operand last) {
        emit128(operation, target, second, last, -1);
    }

    void emit128(VectorInstruction operation, int target, int second, Operand last, int constant) {
        emit(operation, 0, target, second, last, constant);
    }

    private void emit(
            VectorInstruction operation,
            int length,
            int target,
            int second,
            Operand last,
            int constant) {
        VectorInstruction.Opcode code = operation.code();
        int wide = operation == Evex.VPBROADCASTQ ? 0 : code.wide();
        int x = last instanceof Operand.Memory memory ? Math.max(0, memory.index()) >>> 3 : 0;
        put(0xc4);
        put((~target >>> 3 & 1) << 7 | (~x & 1) << 6 | (~number(last) >>> 3 & 1) << 5 | code.map());
        put(wide << 7 | (~second & 15) << 3 | length << 2 | Evex.packed(code.prefix()));
        put(code.opcode());
        modrm(target, last, 1, constant >= 0 ? 1 : 0);
        if (constant >= 0) {
            put(constant);
        }
    }

    void shift(boolean isLong, int digit, int target, int source, int amount) {
        Vex operation = isLong ? Vex.VPSHIFTQ_I : Vex.VPSHIFTD_I;
        emit(operation, digit, target, Operand.register(source), amount);
    }

    /// A general register to the left, 32 bits.
    void shiftLeft(int register, int amount) {
        general(false, 0xc1, 4, Operand.register(register));
        put(amount);
    }

    /// Counts the zeros below the lowest bit; the carry flag is set where there is none.
    void countTrailingZeros(int target, int source) {
        put(0xf3);
        rex(false, target, source);
        put(0x0f);
        put(0xbc);
        put(0xc0 | (target & 7) << 3 | source & 7);
    }

    /// Clears the lowest bit that is set: `blsr`.
    void clearLowestBit(int register) {
        put(0xc4);
        put(0xe2 & ~(register >>> 3 << 5));
        put((~register & 15) << 3);
        put(0xf3);
        put(0xc8 | register & 7);
    }
}
