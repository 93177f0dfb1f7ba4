package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import java.util.Objects;

/// One element of an access to a CTA's shared memory, as threads of other CTAs meet it.
///
/// @param at its first byte
/// @param kind weak, or strong with the bytes and the scope, as in a stamp
public record SharedElement(int at, int bytes, boolean write, int kind) {
    /// One whose stamp and place are known.
    static SharedElement of(long stamp, long place) {
        return new SharedElement(
                OutsideWords.at(place),
                OutsideWords.bytes(place),
                OutsideWords.isWrite(place),
                Stamp.kind(stamp));
    }

    /// The scope of a strong one.
    Scope scope() {
        return Objects.requireNonNull(Stamp.scope(kind), "no scope");
    }

    /// Whether it is strong, and morally strong with those like it of the whole cluster.
    public boolean isOfCluster() {
        return kind != Stamp.WEAK && scope() != Scope.CTA;
    }

    /// The one behind it.
    SharedElement next() {
        return new SharedElement(end(), bytes, write, kind);
    }

    int firstWord() {
        return at / Integer.BYTES;
    }

    int lastWord() {
        return (end() - 1) / Integer.BYTES;
    }

    /// The byte behind it.
    public int end() {
        return at + bytes;
    }

    /// Whether an access at some place has bytes of this one.
    boolean touches(long place) {
        int from = OutsideWords.at(place);
        return at < from + OutsideWords.bytes(place) && from < end();
    }

    boolean covers(long place) {
        int from = OutsideWords.at(place);
        return at <= from && from + OutsideWords.bytes(place) <= end();
    }
}
