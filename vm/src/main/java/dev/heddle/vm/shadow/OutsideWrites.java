package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.function.LongPredicate;

/// What other CTAs of the cluster wrote to a CTA's shared memory through the generic proxy, for
/// those who touch it through the async proxy.
///
/// @param latest the clocks up to which they did
/// @param owner the order of the CTA that has the memory
public record OutsideWrites(OutsideWords words, LatestOfCtas latest, HappensBefore owner) {
    /// A write through the generic proxy to some of the bytes of an access that comes before it
    /// with no proxy fence between, or null.
    ///
    /// @param wanted whether a write is asked for
    /// @param by the order of the CTA of the thread that makes the access
    /// @param fences those that come before it
    public ClusterAccesses.@Nullable Entry unfenced(
            SharedElement element,
            LongPredicate wanted,
            HappensBefore by,
            int thread,
            FencesBefore fences) {
        if (latest.areUpTo(fences::limit)) {
            return null;
        }
        // The last weak write that was asked about: others of its thread then are as it is.
        long known = Stamp.NOBODY;
        int whose = by.cta();
        for (int word = element.firstWord(); word <= element.lastWord(); word++) {
            for (int i = 0; i < words.count(word); i++) {
                long stamp = words.stamp(word, i);
                long place = words.place(word, i);
                int cta = OutsideWords.cta(place);
                boolean isAsked =
                        OutsideWords.isWrite(place)
                                && Stamp.clock(stamp) > fences.limit(cta)
                                && (stamp != known || cta != whose)
                                && element.touches(place)
                                && wanted.test(stamp)
                                && !words.isStale(word, i);
                if (isAsked
                        && isUnfenced(ClusterAccesses.Entry.of(stamp, place), by, thread, fences)) {
                    return ClusterAccesses.Entry.of(stamp, place);
                }
                if (isAsked && Stamp.kind(stamp) == Stamp.WEAK) {
                    known = stamp;
                    whose = cta;
                }
            }
        }
        return null;
    }

    private boolean isUnfenced(
            ClusterAccesses.Entry entry, HappensBefore by, int thread, FencesBefore fences) {
        SharedElement what = entry.what();
        boolean isStrong = what.kind() != Stamp.WEAK;
        return new GenericWrite(
                        by.strong(),
                        owner.strong().shared(),
                        entry.cta(),
                        entry.thread(),
                        entry.clock(),
                        what.at(),
                        what.bytes(),
                        isStrong,
                        isStrong ? what.scope() : null)
                .isUnfenced(by, thread, fences);
    }
}
