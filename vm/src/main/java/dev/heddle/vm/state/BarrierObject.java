package dev.heddle.vm.state;

import dev.heddle.formats.Counted;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An mbarrier object (PTX ISA 9.7.13.15).
///
/// In the 64 bits that it occupies, pending arrivals are in bits 0 to 19, expected arrivals in 20
/// to 39, the phase in 40 to 42, pending transactions in 43 to 63 (signed). The state that an
/// arrival returns is a [BarrierState] of its own.
///
/// @param pending arrivals that are missing in this phase
/// @param expected arrivals of a phase
/// @param phase its number, modulo [#PHASES]
/// @param transactions bytes that are missing in this phase
public record BarrierObject(long pending, long expected, long phase, long transactions) {
    /// Bytes of an object.
    public static final int BYTES = Long.BYTES;

    /// The most that can be counted.
    public static final int MOST = 0xf_ffff;

    /// How many phases in a row are told apart.
    static final int PHASES = 8;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    public BarrierObject {
        pending &= MOST;
        expected &= MOST;
        phase &= PHASES - 1;
        transactions = transactions << 43 >> 43;
    }

    /// A new object, for so many arrivals.
    public static BarrierObject of(long arrivals) {
        return new BarrierObject(arrivals, arrivals, 0, 0);
    }

    /// The object in these bits.
    public static BarrierObject decode(long bits) {
        return new BarrierObject(bits, bits >>> 20, bits >>> 40, bits >> 43);
    }

    /// The object at an offset of shared memory.
    public static BarrierObject at(MemorySegment shared, long offset) {
        return decode(shared.get(LONG, offset));
    }

    /// Its 64 bits.
    public long encode() {
        return pending | expected << 20 | phase << 40 | transactions << 43;
    }

    /// Writes it.
    public void store(MemorySegment shared, long offset) {
        shared.set(LONG, offset, encode());
    }

    /// Whether the phase that is now is an odd one.
    public long parity() {
        return phase & 1;
    }

    /// With so many bytes more to come, or fewer.
    public BarrierObject expecting(long bytes) {
        return new BarrierObject(pending, expected, phase, transactions + bytes);
    }

    /// With so many arrivals fewer to come.
    ///
    /// @param dropped those of them that later phases do not expect
    public BarrierObject arrived(long count, long dropped) {
        return new BarrierObject(pending - count, expected - dropped, phase, transactions)
                .completed();
    }

    /// With so many bytes fewer to come.
    public BarrierObject received(long bytes) {
        return expecting(-bytes).completed();
    }

    /// The next phase begins once nothing is pending.
    private BarrierObject completed() {
        return pending == 0 && transactions == 0
                ? new BarrierObject(expected, expected, phase + 1, 0)
                : this;
    }

    /// Its state in words.
    public String describe() {
        String arrivals =
                pending == 0
                        ? "no arrival is missing"
                        : "%d of %d arrivals %s missing"
                                .formatted(pending, expected, pending == 1 ? "is" : "are");
        return transactions == 0
                ? arrivals
                : transactions > 0
                        ? arrivals + ", %s have not come".formatted(Counted.bytes(transactions))
                        : arrivals
                                + ", %s came that it does not expect"
                                        .formatted(Counted.bytes(-transactions));
    }
}
