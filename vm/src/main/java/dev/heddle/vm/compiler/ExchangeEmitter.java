package dev.heddle.vm.compiler;

import static dev.heddle.tensorcore.x86.Assembler.LESS_OR_EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.NOT_EQUAL;
import static dev.heddle.tensorcore.x86.Assembler.NOT_LESS;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Assembler.Bits;
import dev.heddle.tensorcore.x86.Assembler.Label;
import dev.heddle.tensorcore.x86.Condition;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// What all lanes of a warp compute together in machine code: `shfl`, `vote`, `redux`, `elect`,
/// and `activemask`. Where not all lanes of the warp are there, or members are named that are not
/// all, Java does it.
final class ExchangeEmitter {
    private static final int FIRST = WarpValues.FIRST;
    private static final int SECOND = WarpValues.SECOND;
    private static final int THIRD = WarpValues.THIRD;

    /// How an exchange is computed.
    private interface Making {
        void emit(ExchangeEmitter in, Collective.Exchange exchange);
    }

    private static final String ACTIVE_MASK = "activemask.b32";

    private static final Map<String, Making> KNOWN = new HashMap<>();

    static {
        KNOWN.put("shfl.up.b32", shuffle(Evex.VPSUBD, NOT_LESS));
        KNOWN.put("shfl.down.b32", shuffle(Evex.VPADDD, LESS_OR_EQUAL));
        KNOWN.put("shfl.bfly.b32", shuffle(Evex.VPXORD, LESS_OR_EQUAL));
        KNOWN.put("shfl.idx.b32", shuffle(null, LESS_OR_EQUAL));
        KNOWN.put("vote.ballot.b32", (in, exchange) -> in.ballot(exchange));
        KNOWN.put("vote.any.pred", (in, exchange) -> in.vote(exchange, true, false));
        KNOWN.put("vote.all.pred", (in, exchange) -> in.vote(exchange, false, true));
        KNOWN.put("vote.uni.pred", (in, exchange) -> in.vote(exchange, false, false));
        KNOWN.put(
                ACTIVE_MASK,
                (in, exchange) -> in.keepAll(exchange.targets().getFirst(), WarpValues.ACTIVE));
        KNOWN.put("elect", (in, exchange) -> in.elect(exchange));
        for (String type : new String[] {"u32", "s32"}) {
            KNOWN.put("redux.add." + type, reduction(Evex.VPADDD));
        }
        KNOWN.put("redux.min.s32", reduction(Evex.VPMINSD));
        KNOWN.put("redux.max.s32", reduction(Evex.VPMAXSD));
        KNOWN.put("redux.min.u32", reduction(Evex.VPMINUD));
        KNOWN.put("redux.max.u32", reduction(Evex.VPMAXUD));
        KNOWN.put("redux.and.b32", reduction(Evex.VPANDD));
        KNOWN.put("redux.or.b32", reduction(Evex.VPORD));
        KNOWN.put("redux.xor.b32", reduction(Evex.VPXORD));
    }

    private final WarpValues values;
    private final Assembler code;

    ExchangeEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an exchange is known here.
    static boolean knows(Exit.Synchronize exit) {
        return exit.guard() == null
                && exit.joint() instanceof Collective.Exchange exchange
                && KNOWN.containsKey(exchange.function())
                && !(exchange.members() instanceof Source.Constant(_, long named)
                        && (int) named != -1);
    }

    /// Emits an exchange.
    ///
    /// @param java where to go if Java is to do it
    void emit(Collective.Exchange exchange, Label java) {
        if (!exchange.function().equals(ACTIVE_MASK)) {
            code.arithmetic(Arithmetic.CMP, Operand.register(WarpValues.ACTIVE), -1);
            code.jump(Condition.NOT_EQUAL, java);
        }
        if (exchange.members() instanceof Register members) {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                int named = values.load(members, chunk, FIRST);
                code.vector(Evex.VPCMPD, 5, named, code.word(-1), NOT_EQUAL);
                code.jumpIf(Bits.ANY, 5, java);
            }
        }
        Making making = KNOWN.get(exchange.function());
        if (making != null) {
            making.emit(this, exchange);
        }
    }

    private static Operand lanes(Assembler code, int chunk, IntUnaryOperator ofLane) {
        return code.steps(IntStream.range(16 * chunk, 16 * chunk + 16).map(ofLane).toArray());
    }

    // Results that all lanes get.

    /// A general register for all lanes.
    private void keepAll(@Nullable Register target, int register) {
        if (target != null) {
            code.vector(Evex.VPBROADCASTD_R, THIRD, 0, Operand.register(register));
            keepAll(target);
        }
    }

    /// Vector 3 for all lanes.
    private void keepAll(Register target) {
        for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
            values.keep(target, chunk, null, copy(THIRD));
        }
    }

    /// What is kept may be changed.
    private int copy(int vector) {
        code.vector(Evex.VMOVDQU32, WarpValues.RESULT, 0, Operand.register(vector));
        return WarpValues.RESULT;
    }

    private void ballot(Collective.Exchange exchange) {
        values.lanes(exchange.sources().getFirst());
        keepAll(exchange.targets().getFirst(), Assembler.RAX);
    }

    /// @param ofSome what comes of a predicate that holds for some lanes
    /// @param keepsNone whether one that holds for none stays as it is, else it holds for all
    private void vote(Collective.Exchange exchange, boolean ofSome, boolean keepsNone) {
        Register target = exchange.targets().getFirst();
        if (target == null) {
            return;
        }
        Label done = new Label();
        values.lanes(exchange.sources().getFirst());
        code.arithmetic(Arithmetic.CMP, Operand.register(Assembler.RAX), -1);
        code.jump(Condition.EQUAL, done);
        code.test(Assembler.RAX, Assembler.RAX);
        code.moveConstant(Assembler.RAX, ofSome || keepsNone ? 0 : -1);
        code.jump(Condition.EQUAL, done);
        code.moveConstant(Assembler.RAX, ofSome ? -1 : 0);
        code.bind(done);
        values.mergePredicate(target, null);
    }

    /// The first lane is the leader.
    private void elect(Collective.Exchange exchange) {
        List<@Nullable Register> targets = exchange.targets();
        code.moveConstant(Assembler.RAX, 0);
        keepAll(targets.getFirst(), Assembler.RAX);
        Register isLeader = targets.getLast();
        if (isLeader != null && isLeader.width() == Width.PREDICATE) {
            code.moveConstant(Assembler.RAX, 1);
            values.mergePredicate(isLeader, null);
        }
    }

    /// Halves of the lanes meet, then halves of these.
    private static Making reduction(Evex operation) {
        return (in, exchange) -> {
            Register target = exchange.targets().getFirst();
            if (target == null) {
                return;
            }
            Assembler code = in.code;
            Source source = exchange.sources().getFirst();
            in.values.copy(THIRD, source, 0);
            int other = in.values.load(source, 1, FIRST);
            code.vector(operation, THIRD, THIRD, Operand.register(other));
            for (int distance = 8; distance > 0; distance >>= 1) {
                int apart = distance;
                code.vector(Evex.VMOVDQU32, FIRST, 0, lanes(code, 0, lane -> lane ^ apart));
                code.vector(Evex.VPERMD, SECOND, FIRST, Operand.register(THIRD));
                code.vector(operation, THIRD, THIRD, Operand.register(SECOND));
            }
            in.keepAll(target);
        };
    }

    // Values of other lanes.

    /// @param direction from a lane, by the second operand, to the lane whose value it gets; null
    ///     where the operand names that in its segment
    /// @param valid how that compares with the last lane where it is one
    private static Making shuffle(@Nullable Evex direction, int valid) {
        return (in, exchange) -> {
            for (int chunk = 0; chunk < WarpValues.chunks(Width.WORD); chunk++) {
                in.place(direction, exchange, chunk);
                int bounds = WarpValues.RESULT;
                Operand last = Operand.register(bounds);
                in.code.vector(Evex.VPCMPD, 5 + chunk, SECOND, last, valid);
                int index = THIRD + chunk;
                in.code.vector(Evex.VMOVDQU32, index, 0, lanes(in.code, chunk, lane -> lane));
                Operand from = Operand.register(SECOND);
                in.code.vectorWhere(Evex.VMOVDQU32, 5 + chunk, index, 0, from);
            }
            in.pick(exchange);
        };
    }

    /// Leaves in vector 2 where values come from, and in vector 0 the last lane where one is valid.
    /// The last operand has the bits that say a lane's segment, and the last lane in it.
    private void place(@Nullable Evex direction, Collective.Exchange exchange, int chunk) {
        int segment = THIRD + chunk;
        int bounds = WarpValues.RESULT;
        Operand lanes = lanes(code, chunk, lane -> lane);
        Operand where = Operand.register(segment);
        int whereThirdIsSet = 0xe4;
        int clamp = values.load(exchange.sources().getLast(), chunk, SECOND);
        code.vector(Evex.VPSLLD_I, Assembler.RIGHT, segment, Operand.register(clamp), 8);
        code.vector(Evex.VPANDD, segment, segment, code.word(31));
        code.vector(Evex.VPANDD, SECOND, clamp, code.word(31));
        code.vector(Evex.VMOVDQU32, bounds, 0, lanes);
        code.vector(Evex.VPTERNLOGD, bounds, SECOND, where, whereThirdIsSet);
        int distance = values.load(exchange.sources().get(1), chunk, SECOND);
        code.vector(Evex.VPANDD, SECOND, distance, code.word(31));
        code.vector(Evex.VMOVDQU32, FIRST, 0, lanes);
        if (direction == null) {
            code.vector(Evex.VPTERNLOGD, FIRST, SECOND, where, whereThirdIsSet);
            code.vector(Evex.VMOVDQU32, SECOND, 0, Operand.register(FIRST));
        } else {
            code.vector(direction, SECOND, FIRST, Operand.register(SECOND));
        }
    }

    /// Words of lanes whose numbers are in vectors 3 and 4; masks 5 and 6 are the predicate.
    private void pick(Collective.Exchange exchange) {
        List<@Nullable Register> targets = exchange.targets();
        if (targets.size() > 1 && targets.get(1) != null) {
            values.joinWords();
            values.keepPredicate(targets.get(1), null, 5);
        }
        Register target = targets.getFirst();
        if (target == null) {
            return;
        }
        int low = values.load(exchange.sources().getFirst(), 0, FIRST);
        int high = values.load(exchange.sources().getFirst(), 1, SECOND);
        for (int chunk = 0; chunk < 2; chunk++) {
            code.vector(Evex.VPERMI2D, THIRD + chunk, low, Operand.register(high));
        }
        for (int chunk = 0; chunk < 2; chunk++) {
            values.keep(target, chunk, null, THIRD + chunk);
        }
    }
}
