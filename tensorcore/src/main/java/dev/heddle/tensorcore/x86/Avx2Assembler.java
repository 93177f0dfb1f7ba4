package dev.heddle.tensorcore.x86;

import java.util.EnumSet;
import java.util.Set;

/// What [Assembler] writes, for processors with AVX2 alone: an instruction on a vector of 512 bits
/// as two or more on halves.
///
/// Six vectors are pairs of the processor's registers, all others are in memory behind the stack
/// pointer, and so are the mask registers: as words, of which a vector of signs is made where
/// elements are chosen by them. What AVX2 lacks is in [Avx2Emulation].
public final class Avx2Assembler extends Assembler {
    /// Vectors that are pairs of registers.
    private static final int IN_REGISTERS = 6;

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
    private static final int MOST_VECTORS = 32;
    private static final int FRAME = VECTORS + 64 * (MOST_VECTORS - IN_REGISTERS);

    /// Bytes of half a vector.
    static final int HALF = 32;

    private static final Set<Evex> UNARY =
            EnumSet.of(
                    Evex.VMOVDQU32,
                    Evex.VMOVDQU64,
                    Evex.VPABSD,
                    Evex.VPABSQ,
                    Evex.VPLZCNTD,
                    Evex.VPOPCNTD,
                    Evex.VSQRTPS,
                    Evex.VSQRTPD,
                    Evex.VRNDSCALEPS,
                    Evex.VCVTDQ2PS,
                    Evex.VCVTUDQ2PS,
                    Evex.VCVTTPS2DQ,
                    Evex.VCVTTPS2UDQ);

    /// Those that read what they write.
    private static final Set<Evex> READ_TARGET =
            EnumSet.of(
                    Evex.VFMADD213PS,
                    Evex.VFMADD213PD,
                    Evex.VFMADD231PS,
                    Evex.VFMADD231PD,
                    Evex.VPTERNLOGD,
                    Evex.VPTERNLOGQ,
                    Evex.VPSHLDVD,
                    Evex.VPSHRDVD);

    private int first;
    private final Avx2Emulation emulation = new Avx2Emulation(this);
    private final Avx2Masks masks = new Avx2Masks(this);
    private final Avx2Halves halves = new Avx2Halves(this);

    @Override
    int constantBytes() {
        return HALF;
    }

    @Override
    public int vectors() {
        return MOST_VECTORS;
    }

    @Override
    public void favour(int first) {
        this.first = first;
    }

    @Override
    public boolean isInRegisters(int vector) {
        return vector >= first && vector < first + IN_REGISTERS;
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

    // Instructions.

    void emit(Vex operation, int target, int second, Operand last) {
        emit(operation, target, second, last, -1);
    }

    void emit(Vex operation, int target, int second, Operand last, int constant) {
        vex256(
                operation.prefix,
                operation.map,
                operation.wide,
                1,
                operation.opcode,
                target,
                second,
                last,
                constant);
    }

    /// The same on 128 bits.
    void emit128(Vex operation, int target, int second, Operand last) {
        vex256(
                operation.prefix,
                operation.map,
                operation.wide,
                0,
                operation.opcode,
                target,
                second,
                last,
                -1);
    }

    /// An instruction that AVX2 has under the same opcode.
    void emit(Evex operation, int target, int second, Operand last, int constant) {
        int wide = operation == Evex.VPBROADCASTQ ? 0 : operation.wide;
        vex256(
                operation.prefix,
                operation.map,
                wide,
                1,
                operation.opcode,
                target,
                second,
                last,
                constant);
    }

    private void vex256(
            int prefix,
            int map,
            int wide,
            int length,
            int opcode,
            int target,
            int second,
            Operand last,
            int constant) {
        int x = last instanceof Operand.Memory memory ? Math.max(0, memory.index()) >>> 3 : 0;
        put(0xc4);
        put((~target >>> 3 & 1) << 7 | (~x & 1) << 6 | (~number(last) >>> 3 & 1) << 5 | map);
        put(wide << 7 | (~second & 15) << 3 | length << 2 | Evex.packed(prefix));
        put(opcode);
        modrm(target, last, 1, constant >= 0 ? 1 : 0);
        if (constant >= 0) {
            put(constant);
        }
    }

    void shift(boolean isLong, int digit, int target, int source, int amount) {
        Vex operation = isLong ? Vex.VPSHIFTQ_I : Vex.VPSHIFTD_I;
        emit(operation, digit, target, Operand.register(source), amount);
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

    /// Loads an element of a list behind the stack pointer, words with their sign.
    void loadElement(boolean isLong, int target, int list, int index) {
        put(0x48 | (target >>> 3) << 2 | (index >>> 3) << 1);
        put(isLong ? 0x8b : 0x63);
        put(0x84 | (target & 7) << 3);
        put((isLong ? 0xc0 : 0x80) | (index & 7) << 3 | RSP);
        putInt(list);
    }

    // Where vectors are.

    /// Half of a vector: a register, or memory.
    Operand half(int vector, int half) {
        if (isInRegisters(vector)) {
            return Operand.register(2 * (vector - first) + half);
        }
        int place = vector < first ? vector : vector - IN_REGISTERS;
        return Operand.at(RSP, VECTORS + 2 * HALF * place + HALF * half);
    }

    /// Half of an operand for all lanes.
    ///
    /// @param temporary for one element of memory that serves all lanes
    Operand half(Operand operand, int half, int temporary, boolean isLong) {
        return switch (operand) {
            case Operand.Register(int number) -> half(number, half);
            case Operand.Memory(int base, _, int displacement, boolean broadcast) -> {
                if (broadcast) {
                    emit(isLong ? Vex.VPBROADCASTQ : Vex.VPBROADCASTD, temporary, 0, operand);
                    yield Operand.register(temporary);
                }
                yield Operand.at(base, displacement + HALF * half);
            }
            case Operand.Pooled(int place, boolean broadcast) ->
                    broadcast ? operand : new Operand.Pooled(place + HALF * half, false);
        };
    }

    /// Half of a vector in a register: its own, or this one.
    int load(int vector, int half, int temporary) {
        return load(half(vector, half), temporary);
    }

    int load(Operand operand, int temporary) {
        if (operand instanceof Operand.Register(int number)) {
            return number;
        }
        emit(Vex.VMOVDQU, temporary, 0, operand);
        return temporary;
    }

    /// The register that a half is to be made in.
    int target(int vector, int half) {
        return half(vector, half) instanceof Operand.Register(int number) ? number : RESULT;
    }

    /// What was made in a register is half of a vector.
    void keep(int vector, int half, int made) {
        switch (half(vector, half)) {
            case Operand.Register(int number) -> {
                if (number != made) {
                    emit(Vex.VMOVDQU, number, 0, Operand.register(made));
                }
            }
            case Operand place -> emit(Vex.VMOVDQU_STORE, made, 0, place);
        }
    }

    // What code calls.

    @Override
    public void mask(MaskOperation operation, int target, int first, int second) {
        masks.combine(operation, target, first, second);
    }

    @Override
    public void maskFrom(int target, int register) {
        store(maskWord(target), register);
    }

    @Override
    public void maskTo(int register, int source) {
        move(register, maskWord(source));
    }

    @Override
    public void maskShiftRight(int target, int source, int amount) {
        masks.shiftRight(target, source, amount);
    }

    @Override
    public void jumpIf(Bits bits, int mask, Label label) {
        masks.compare(mask, bits == Bits.ALL || bits == Bits.NOT_ALL);
        jump(bits == Bits.ALL || bits == Bits.NONE ? Condition.EQUAL : Condition.NOT_EQUAL, label);
    }

    @Override
    public void lowWord(int target, int vector) {
        low(Vex.VMOVD_STORE, target, vector);
    }

    @Override
    public void lowLong(int target, int vector) {
        low(Vex.VMOVQ_STORE, target, vector);
    }

    private void low(Vex move, int target, int vector) {
        emit128(move, load(vector, 0, RESULT), 0, Operand.register(target));
    }

    @Override
    public void vector(
            Evex operation,
            int target,
            int second,
            Operand last,
            int mask,
            boolean zeroing,
            int constant) {
        switch (operation) {
            case VPSLLD_I, VPSRAD_I, VPSLLQ_I, VPSRAQ_I -> {
                for (int half = 0; half < 2; half++) {
                    int from = load(half(last, half, LAST, false), LAST);
                    int made = target(second, half);
                    emulation.shift(operation, target, made, from, constant);
                    keep(second, half, made);
                }
            }
            case VMOVDQU32_STORE, VMOVDQU64_STORE -> store(operation, target, last, mask);
            case VCMPPS, VCMPPD, VPCMPD, VPCMPUD, VPCMPQ, VPCMPUQ ->
                    masks.compare(operation, target, second, last, mask, constant);
            case VPTESTMD, VPTESTNMD, VPTESTMQ, VPTESTNMQ ->
                    masks.test(operation, target, second, last, mask);
            case VPMOVM2D -> masks.toVector(target, number(last));
            case VPBLENDMD, VPBLENDMQ -> {
                boolean isLong = operation == Evex.VPBLENDMQ;
                for (int half = 0; half < 2; half++) {
                    Operand set = half(last, half, LAST, isLong);
                    int clear = load(second, half, SECOND);
                    int made = target(target, half);
                    masks.choose(mask, half, isLong, made, clear, set);
                    keep(target, half, made);
                }
            }
            case VPGATHERDD, VPGATHERDQ, VPGATHERQD, VPGATHERQQ ->
                    halves.gather(operation, target, last, mask);
            case VPSCATTERDD, VPSCATTERDQ, VPSCATTERQD, VPSCATTERQQ ->
                    halves.scatter(operation, target, last, mask);
            case VPMOVQD, VPMOVDW, VCVTPS2PH ->
                    halves.narrow(operation, target, number(last), constant);
            case VCVTTPD2DQ, VCVTTPD2UDQ -> halves.narrow(operation, number(last), target, 0);
            case VPMOVSXDQ, VPMOVZXDQ, VPMOVZXWD, VCVTDQ2PD, VCVTUDQ2PD, VCVTPS2PD, VCVTPH2PS ->
                    halves.widen(operation, target, last);
            case VEXTRACTI64X4 ->
                    keep(number(last), 0, load(target, constant, target(number(last), 0)));
            case VINSERTI64X4 -> {
                keep(target, 1 - constant, load(second, 1 - constant, RESULT));
                keep(target, constant, load(number(last), 0, RESULT));
            }
            case VPBROADCASTD_R, VPBROADCASTQ_R -> {
                boolean isLong = operation == Evex.VPBROADCASTQ_R;
                emit128(isLong ? Vex.VMOVQ : Vex.VMOVD, RESULT, 0, last);
                Vex broadcast = isLong ? Vex.VPBROADCASTQ : Vex.VPBROADCASTD;
                emit(broadcast, RESULT, 0, Operand.register(RESULT));
                keep(target, 0, RESULT);
                keep(target, 1, RESULT);
            }
            case VPCMPEQW -> masks.equalShorts(target, second, last);
            case VPBLENDMW -> masks.chooseShorts(mask, target, second, last);
            case VPERMD -> halves.permute(target, second, last);
            case VPERMI2D -> halves.permute(target, Operand.register(second), last);
            case VPBROADCASTD, VPBROADCASTQ -> broadcast(operation, target, last, mask, zeroing);
            default -> lanes(operation, target, second, last, mask, zeroing, constant);
        }
    }

    private void store(Evex operation, int vector, Operand last, int mask) {
        boolean isLong = operation == Evex.VMOVDQU64_STORE;
        for (int half = 0; half < 2; half++) {
            int from = load(vector, half, RESULT);
            Operand place = half(last, half, LAST, isLong);
            if (mask == 0) {
                emit(Vex.VMOVDQU_STORE, from, 0, place);
            } else {
                masks.signs(SPARE, mask, half, isLong);
                Vex move = isLong ? Vex.VPMASKMOVQ_STORE : Vex.VPMASKMOVD_STORE;
                emit(move, from, SPARE, place);
            }
        }
    }

    private void broadcast(Evex operation, int target, Operand last, int mask, boolean zeroing) {
        boolean isLong = operation == Evex.VPBROADCASTQ;
        Operand from = last instanceof Operand.Register(int number) ? half(number, 0) : last;
        emit(operation, LAST, 0, from, -1);
        for (int half = 0; half < 2; half++) {
            masked(target, half, mask, zeroing, isLong, LAST);
        }
    }

    /// What was made in a register is half of a vector where a mask is set.
    private void masked(int vector, int half, int mask, boolean zeroing, boolean isLong, int made) {
        if (mask == 0) {
            keep(vector, half, made);
            return;
        }
        int old = SECOND;
        if (zeroing) {
            emit(Vex.VPXOR, old, old, Operand.register(old));
        } else {
            old = load(vector, half, old);
        }
        int chosen = target(vector, half);
        masks.choose(mask, half, isLong, chosen, old, Operand.register(made));
        keep(vector, half, chosen);
    }

    private static boolean isBroadcast(Operand operand) {
        return operand instanceof Operand.Memory memory && memory.broadcast();
    }

    /// An instruction that does to each lane the same.
    private void lanes(
            Evex operation,
            int target,
            int second,
            Operand last,
            int mask,
            boolean zeroing,
            int constant) {
        boolean isLong = operation.wide == 1;
        boolean reads = READ_TARGET.contains(operation);
        boolean keepsLast = !emulation.knows(operation) && mask == 0;
        Operand with = last;
        for (int half = 0; half < 2; half++) {
            if (half == 0 || !keepsLast || !isBroadcast(last)) {
                with = half(last, half, LAST, isLong);
            }
            if (mask != 0 && last instanceof Operand.Memory memory && !memory.broadcast()) {
                masks.signs(SPARE, mask, half, isLong);
                emit(isLong ? Vex.VPMASKMOVQ : Vex.VPMASKMOVD, LAST, SPARE, with);
                with = Operand.register(LAST);
            }
            int first = UNARY.contains(operation) ? 0 : load(second, half, SECOND);
            int made = mask == 0 ? target(target, half) : RESULT;
            if (emulation.knows(operation)) {
                int old = reads ? load(target, half, LAST) : 0;
                emulation.emit(operation, first, with, old, constant);
                made = RESULT;
            } else {
                if (reads && half(target, half) instanceof Operand.Memory place) {
                    emit(Vex.VMOVDQU, made, 0, place);
                }
                emit(operation, made, first, with, constant);
            }
            masked(target, half, mask, zeroing, isLong, made);
        }
    }
}
