package dev.heddle.vm.state;

/// What an arrival at an mbarrier returns (PTX ISA 9.7.13.15.13): 64 bits that only waits and
/// `mbarrier.pending_count` understand.
///
/// Pending arrivals are in bits 0 to 19, the phase in 20 to 22, the place in 32 to 63.
///
/// @param pending arrivals that were missing before it
/// @param phase the phase in which it arrived, as the object numbers it
/// @param place where the object is in shared memory
public record BarrierState(long pending, long phase, long place) {
    public BarrierState {
        pending &= BarrierObject.MOST;
        phase &= BarrierObject.PHASES - 1;
        place &= 0xffff_ffffL;
    }

    /// Before an arrival at an object.
    public static BarrierState of(BarrierObject object, long place) {
        return new BarrierState(object.pending(), object.phase(), place);
    }

    /// The state in these bits.
    public static BarrierState decode(long bits) {
        return new BarrierState(bits, bits >>> 20, bits >>> 32);
    }

    /// Its 64 bits.
    public long encode() {
        return pending | phase << 20 | place << 32;
    }

    /// Whether the phase was an odd one.
    public long parity() {
        return phase & 1;
    }

    /// How many phases ago that was, modulo [BarrierObject#PHASES].
    public long before(BarrierObject object) {
        return object.phase() - phase & BarrierObject.PHASES - 1;
    }
}
