package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.ExchangedValues;
import dev.heddle.vm.semantics.WarpFunction;
import dev.heddle.vm.semantics.WarpFunction.Dependence;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Meeting;
import dev.heddle.vm.state.MeetingPlace;

import org.jspecify.annotations.Nullable;

/// How undefined values go through what lanes of a warp exchange, wherever in the code they are.
record ExchangePropagation(UndefinedUses uses) {
    /// The members must be defined; what else is undefined goes into the results. Which lane a lane
    /// takes its value from matters to its own results alone.
    void exchange(Meeting meeting) {
        WarpFunction function = WarpFunction.of(meeting.exchange().function());
        UndefinedBits.@Nullable Origin origin = null;
        int astray = 0;
        for (MeetingPlace place : meeting.places()) {
            uses.decide(
                    place.frame(),
                    place.exit().site(),
                    place.exchange().members(),
                    place.lanes(),
                    -1);
            for (int i = 0; i < place.exchange().sources().size(); i++) {
                int open = undefined(meeting, place, function, i);
                if (open != 0 && place.source(i) instanceof Register register) {
                    origin = uses.origin(place.frame(), place.exit().site(), register, open);
                    astray |= function.deciding(i) == 0 ? 0 : open;
                }
            }
        }
        if (origin == null) {
            define(meeting);
            return;
        }
        UndefinedBits.Origin computed = origin.computed();
        switch (function.dependence()) {
            case MOVED -> {
                move(meeting, function, origin);
                spoil(meeting, astray, computed);
            }
            case RISING -> rise(meeting, function, computed);
            case SAME -> sameAsOne(meeting, computed);
            case ALL_SAME -> allSame(meeting, computed);
            case MERGED -> spoil(meeting, meeting.lanes(), computed);
        }
    }

    /// The lanes at a place where an operand has undefined bits that count. Lanes may take values
    /// from some that take no part: those are as at the first place.
    private static int undefined(
            Meeting meeting, MeetingPlace place, WarpFunction function, int operand) {
        long deciding = function.deciding(operand);
        boolean isMoved = deciding == 0 && function.dependence() == Dependence.MOVED;
        int absent = isMoved && place.equals(meeting.first()) ? ~meeting.lanes() : 0;
        return place.frame()
                .undefinedBits()
                .lanes(
                        place.source(operand),
                        place.lanes() | absent,
                        deciding == 0 ? -1 : deciding);
    }

    private static void define(Meeting meeting) {
        for (MeetingPlace place : meeting.places()) {
            UndefinedBits bits = place.frame().undefinedBits();
            for (Register target : place.exchange().effects().writes()) {
                bits.define(target, place.lanes());
            }
        }
    }

    private static void spoil(Meeting meeting, int lanes, UndefinedBits.Origin origin) {
        for (MeetingPlace place : meeting.places()) {
            int here = lanes & place.lanes();
            if (here != 0) {
                Definedness.spoil(
                        place.frame().undefinedBits(),
                        place.exchange().effects().writes(),
                        here,
                        origin);
            }
        }
    }

    /// A bit of a result is undefined where it is set with all undefined bits set, and is not with
    /// none.
    private static void rise(Meeting meeting, WarpFunction function, UndefinedBits.Origin origin) {
        ExchangedValues least = risen(meeting, function, false);
        ExchangedValues most = risen(meeting, function, true);
        for (MeetingPlace place : meeting.places()) {
            for (Register target : place.exchange().effects().writes()) {
                int result = place.exchange().targets().indexOf(target);
                for (int rest = place.lanes(); rest != 0; rest &= rest - 1) {
                    int lane = Integer.numberOfTrailingZeros(rest);
                    long open = least.given(result, lane) ^ most.given(result, lane);
                    mark(place, target, lane, open, origin);
                }
            }
        }
    }

    /// What lanes get where all undefined bits are set, or none.
    private static ExchangedValues risen(Meeting meeting, WarpFunction function, boolean areSet) {
        ExchangedValues values = new ExchangedValues();
        values.begin(meeting.lanes());
        if (meeting.exchange().sources().getFirst().width() == Width.PREDICATE) {
            int holding = meeting.condition(0);
            for (MeetingPlace place : meeting.places()) {
                int open = place.frame().undefinedBits().lanes(place.source(0), place.lanes());
                holding = areSet ? holding | open : holding & ~open;
            }
            values.predicate(0, holding);
        } else {
            long[] operand = values.operand(0);
            meeting.values(0, operand);
            for (int rest = meeting.lanes(); rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                long open = undefined(meeting.placeOf(lane), 0, lane);
                operand[lane] = areSet ? operand[lane] | open : operand[lane] & ~open;
            }
        }
        function.apply(values);
        return values;
    }

    /// Undefined bits move from lane to lane as values do.
    private static void move(Meeting meeting, WarpFunction function, UndefinedBits.Origin origin) {
        ExchangedValues moved = new ExchangedValues();
        moved.begin(meeting.lanes());
        for (int i = 0; i < meeting.exchange().sources().size(); i++) {
            if (function.deciding(i) != 0) {
                meeting.values(i, moved.operand(i));
                continue;
            }
            for (int lane = 0; lane < 32; lane++) {
                moved.operand(i)[lane] = undefined(meeting.placeOf(lane), i, lane);
            }
        }
        function.apply(moved);
        define(meeting);
        for (MeetingPlace place : meeting.places()) {
            Register target = place.exchange().targets().getFirst();
            for (int rest = target == null ? 0 : place.lanes(); rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                mark(place, target, lane, moved.result(0)[lane], origin);
            }
        }
    }

    /// Of each lane the bits of those are undefined that may have the same as it, or not.
    private static void sameAsOne(Meeting meeting, UndefinedBits.Origin origin) {
        MatchedKeys keys = new MatchedKeys(meeting);
        for (MeetingPlace place : meeting.places()) {
            for (Register target : place.exchange().effects().writes()) {
                for (int rest = place.lanes(); rest != 0; rest &= rest - 1) {
                    int lane = Integer.numberOfTrailingZeros(rest);
                    mark(place, target, lane, keys.undecided(lane), origin);
                }
            }
        }
    }

    /// Two that surely differ decide it for all.
    private static void allSame(Meeting meeting, UndefinedBits.Origin origin) {
        MatchedKeys keys = new MatchedKeys(meeting);
        if (keys.surelyDiffer()) {
            define(meeting);
        } else {
            spoil(meeting, meeting.lanes(), origin);
        }
    }

    private static void mark(
            MeetingPlace place, Register target, int lane, long open, UndefinedBits.Origin origin) {
        UndefinedBits bits = place.frame().undefinedBits();
        if (open != 0) {
            bits.comesFrom(target, origin);
        }
        bits.set(target, lane, open);
    }

    /// The undefined bits of an operand of a lane.
    static long undefined(MeetingPlace place, int operand, int lane) {
        Frame frame = place.frame();
        Source source = place.source(operand);
        return frame.undefinedBits().of(source, lane);
    }
}
