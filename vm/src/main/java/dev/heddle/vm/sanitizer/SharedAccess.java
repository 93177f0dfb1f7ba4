package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Site;

/// An access of one lane to shared memory.
///
/// @param verb what it is called
/// @param at its first byte
/// @param now its stamp
record SharedAccess(Site site, Access access, String verb, int lane, int at, int bytes, long now) {
    int end() {
        return at + bytes;
    }
}
