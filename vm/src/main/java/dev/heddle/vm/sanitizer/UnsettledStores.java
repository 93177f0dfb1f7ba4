package dev.heddle.vm.sanitizer;

import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.StoresUnderWay;
import dev.heddle.vm.state.Cta;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Places that a warp stores to and another worker's CTA has stored to, in no order with it, where
/// memory holds something else: what the other stores may not have arrived yet. It is looked at
/// once more when no page is locked, and what the warp itself stores is announced, as the other may
/// wait for that.
final class UnsettledStores {
    private final GlobalShadow shadow;
    private final StoresUnderWay stores;
    private final Cta cta;
    private final List<Place> places = new ArrayList<>();

    /// Of a warp of a CTA, which becomes another one of the launch when it has ended.
    UnsettledStores(GlobalShadow shadow, Cta cta) {
        this.shadow = shadow;
        stores = shadow.stores();
        this.cta = cta;
    }

    /// A place.
    ///
    /// @param theirs the CTA that stored there
    /// @param bytes what this one stores
    /// @param isSame told where the other stores the same
    /// @param isOther told where it does not
    private record Place(
            long theirs, long at, MemorySegment bytes, Runnable isSame, Runnable isOther) {
        byte value(int index) {
            return bytes.get(ValueLayout.JAVA_BYTE, index);
        }
    }

    /// Whether what another one stores may not have arrived yet.
    ///
    /// @param other the stamp of its store
    boolean mayArrive(long other) {
        return shadow.stamps().cta(other) != cta.index() && !shadow.isAlone() && !stores.isVain();
    }

    /// A store begins. Where one before ended with a fault, nobody asks any more.
    void begin() {
        places.clear();
    }

    void add(long other, long at, byte[] bytes, Runnable isSame, Runnable isOther) {
        places.add(
                new Place(
                        shadow.stamps().cta(other),
                        at,
                        MemorySegment.ofArray(bytes),
                        isSame,
                        isOther));
    }

    /// Decides about all.
    void settle() {
        if (places.isEmpty()) {
            return;
        }
        List<Place> all = List.copyOf(places);
        places.clear();
        try {
            for (Place place : all) {
                for (int i = 0; i < place.bytes.byteSize(); i++) {
                    stores.announce(cta.index(), place.at + i, place.value(i));
                }
            }
            for (Place place : all) {
                (holds(place) ? place.isSame : place.isOther).run();
            }
        } finally {
            for (Place place : all) {
                for (int i = 0; i < place.bytes.byteSize(); i++) {
                    stores.withdraw(cta.index(), place.at + i);
                }
            }
        }
    }

    private boolean holds(Place place) {
        for (int i = 0; i < place.bytes.byteSize(); i++) {
            if (!stores.holds(
                    place.theirs, place.at + i, place.value(i), cta.grid().global().segment())) {
                return false;
            }
        }
        return true;
    }
}
