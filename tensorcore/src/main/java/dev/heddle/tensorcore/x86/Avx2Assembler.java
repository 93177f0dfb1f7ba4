package dev.heddle.tensorcore.x86;

import java.util.EnumSet;
import java.util.Set;

/// What [Assembler] writes, for processors with AVX2 alone: an instruction on a vector of 512 bits
/// as two or more on halves.
///
/// Mask registers are words in memory, of which a vector of signs is made where elements are chosen
/// by them. What AVX2 lacks is in [Avx2Emulation].
public final class Avx2Assembler extends Avx2Code {
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
                    Evex.VRNDSCALEPD,
                    Evex.VCVTDQ2PS,
                    Evex.VCVTUDQ2PS,
                    Evex.VCVTTPS2DQ,
                    Evex.VCVTTPS2UDQ,
                    Evex.VCVTTPD2QQ,
                    Evex.VCVTTPD2UQQ);

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

    private final Avx2Emulation emulation = new Avx2Emulation(this);
    private final Avx2Masks masks = new Avx2Masks(this);
    private final Avx2Halves halves = new Avx2Halves(this);

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
    public void jumpIfVector(Bits bits, int vector, Label label) {
        int low = load(vector, 0);
        emit(Evex.VPORD, RESULT, low, half(vector, 1));
        emit(Vex.VPTEST, RESULT, 0, Operand.register(RESULT));
        drop(vector);
        jump(bits == Bits.NONE ? Condition.EQUAL : Condition.NOT_EQUAL, label);
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
        emit128(move, load(vector, 0), 0, Operand.register(target));
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
            case VPSHIFTW_I, VPSLLD_I, VPSRAD_I, VPSLLQ_I, VPSRAQ_I -> {
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
                    int clear = load(second, half);
                    int made = target(target, half);
                    masks.choose(mask, half, isLong, made, clear, set);
                    keep(target, half, made);
                }
            }
            case VPGATHERDD, VPGATHERDQ, VPGATHERQD, VPGATHERQQ ->
                    halves.gather(operation, target, last, mask);
            case VPSCATTERDD, VPSCATTERDQ, VPSCATTERQD, VPSCATTERQQ ->
                    halves.scatter(operation, target, last, mask);
            case VPMOVQD, VPMOVDW, VPMOVDB, VCVTPS2PH ->
                    halves.narrow(operation, target, last, constant);
            case VCVTTPD2DQ, VCVTTPD2UDQ, VCVTPD2PS ->
                    halves.narrow(operation, number(last), Operand.register(target), 0);
            case VPMOVSXDQ,
                    VPMOVZXDQ,
                    VPMOVSXWD,
                    VPMOVZXWD,
                    VPMOVSXBD,
                    VPMOVZXBD,
                    VCVTDQ2PD,
                    VCVTUDQ2PD,
                    VCVTPS2PD,
                    VCVTPH2PS ->
                    halves.widen(operation, target, last);
            case VEXTRACTI64X4 -> extract(last, load(target, constant));
            case VINSERTI64X4 -> {
                keep(target, 1 - constant, load(second, 1 - constant));
                keep(target, constant, load(half(last, 0, LAST, true), LAST));
            }
            case VSHUFI64X2 -> {
                keep(target, 0, load(second, constant >>> 1 & 1));
                keep(target, 1, load(number(last), constant >>> 1 & 1));
            }
            case VPBROADCASTD_R, VPBROADCASTQ_R -> {
                boolean isLong = operation == Evex.VPBROADCASTQ_R;
                emit128(isLong ? Vex.VMOVQ : Vex.VMOVD, RESULT, 0, last);
                Evex broadcast = isLong ? Evex.VPBROADCASTQ : Evex.VPBROADCASTD;
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

    @Override
    public void replaceNans(boolean isDouble, int target, int operand, Operand value) {
        Evex compare = isDouble ? Evex.VCMPPD : Evex.VCMPPS;
        Vex choose = isDouble ? Vex.VBLENDVPD : Vex.VBLENDVPS;
        for (int half = 0; half < 2; half++) {
            int from = load(operand, half);
            emit(compare, SPARE, from, Operand.register(from), UNORDERED);
            int old = load(target, half);
            emit(choose, old, old, value, SPARE << 4);
            keep(target, half, old);
        }
    }

    /// The nearest number, which is one too large where the number that it is made of is smaller.
    @Override
    public void toFloatTowardZero(int target, int source) {
        for (int half = 0; half < 2; half++) {
            int from = load(source, half);
            emit(Evex.VPABSD, RESULT, 0, Operand.register(from), -1);
            emit(Evex.VCVTDQ2PS, SECOND, 0, Operand.register(RESULT));
            emit(Evex.VCVTTPS2DQ, LAST, 0, Operand.register(SECOND));
            // 2^31 has no sign of its own: differences tell what comparisons do not
            emit(Evex.VPSUBD, RESULT, RESULT, Operand.register(LAST), -1);
            shift(false, RIGHT_WITH_SIGN, RESULT, RESULT, Integer.SIZE - 1);
            emit(Evex.VPADDD, RESULT, RESULT, Operand.register(SECOND), -1);
            emit(Evex.VPANDD, SECOND, from, word(Integer.MIN_VALUE));
            int made = target(target, half);
            emit(Evex.VPORD, made, RESULT, Operand.register(SECOND));
            keep(target, half, made);
        }
    }

    @Override
    public void fusedToOdd(int c, int a, int b, int spare) {
        for (int half = 0; half < 2; half++) {
            emulation.fusedToOdd(load(a, half), load(b, half), load(c, half));
            keep(c, half, SECOND);
        }
    }

    /// By the register that says how all instructions round, which rounds to the nearest else.
    @Override
    public void rounded(Evex operation, int direction, int target, int second, int last) {
        roundFromHere(direction);
        vector(operation, target, second, Operand.register(last));
        roundFromHere(0);
    }

    private void roundFromHere(int direction) {
        int withoutExceptions = 0x1f80;
        put(0x0f);
        put(0xae);
        modrm(2, word(withoutExceptions | direction << 13), 1, 0);
    }

    private void extract(Operand last, int half) {
        if (last instanceof Operand.Register(int number)) {
            keep(number, 0, half);
        } else {
            emit(Evex.VMOVDQU32_STORE, half, 0, last);
        }
    }

    private void store(Evex operation, int vector, Operand last, int mask) {
        boolean isLong = operation == Evex.VMOVDQU64_STORE;
        for (int half = 0; half < 2; half++) {
            int from = load(vector, half);
            Operand place = half(last, half, LAST, isLong);
            if (mask == 0) {
                emit(Evex.VMOVDQU32_STORE, from, 0, place);
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
            emit(Evex.VPXORD, old, old, Operand.register(old));
        } else {
            old = load(vector, half);
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
        boolean isLong = operation.isLong();
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
            int first = UNARY.contains(operation) ? 0 : load(second, half);
            int made = mask != 0 ? RESULT : reads ? load(target, half) : target(target, half);
            if (emulation.knows(operation)) {
                int old = reads ? load(target, half) : 0;
                emulation.emit(operation, first, with, old, constant);
                made = RESULT;
            } else {
                emit(operation, made, first, with, constant);
            }
            masked(target, half, mask, zeroing, isLong, made);
        }
    }
}
