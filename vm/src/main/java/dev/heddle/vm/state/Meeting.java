package dev.heddle.vm.state;

import dev.heddle.vm.ir.Collective;

import java.util.List;

/// Lanes of a warp that do one thing together. Mostly all are at one place of the code. They may be
/// at several, where each has operands and results of its own (PTX ISA 9.7.9.6).
///
/// @param places where lanes are; not empty, and at each the same is done
public record Meeting(List<MeetingPlace> places) {
    public Meeting {
        places = List.copyOf(places);
    }

    /// Of lanes at one place.
    public static Meeting of(MeetingPlace place) {
        return new Meeting(List.of(place));
    }

    /// Where some of the lanes are.
    public MeetingPlace first() {
        return places.getFirst();
    }

    /// Where a lane is; the first place for lanes that take no part.
    public MeetingPlace placeOf(int lane) {
        for (MeetingPlace place : places) {
            if ((place.lanes() >>> lane & 1) != 0) {
                return place;
            }
        }
        return first();
    }

    /// All lanes, as a mask.
    public int lanes() {
        int lanes = 0;
        for (MeetingPlace place : places) {
            lanes |= place.lanes();
        }
        return lanes;
    }

    /// What is exchanged, as it stands at the first place.
    public Collective.Exchange exchange() {
        return first().exchange();
    }

    /// The values of an operand, zero-extended. Lanes that take no part have one, too: that of the
    /// register at the first place.
    ///
    /// @param into 32 of them
    public void values(int operand, long[] into) {
        first().frame().values(first().source(operand), into);
        for (int i = 1; i < places.size(); i++) {
            MeetingPlace place = places.get(i);
            for (int rest = place.lanes(); rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                into[lane] = place.frame().value(place.source(operand), lane);
            }
        }
    }

    /// The lanes where an operand that is a predicate is true, as a mask.
    public int condition(int operand) {
        int holding = first().frame().condition(first().source(operand));
        for (int i = 1; i < places.size(); i++) {
            MeetingPlace place = places.get(i);
            int there = place.frame().condition(place.source(operand));
            holding = there & place.lanes() | holding & ~place.lanes();
        }
        return holding;
    }
}
