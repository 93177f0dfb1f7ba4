package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Site;

/// An access of one lane to shared memory.
///
/// @param at its first byte
/// @param now its stamp
record SharedAccess(
        Site site, Access access, AccessKind kind, int lane, int at, int bytes, long now) {
    int end() {
        return at + bytes;
    }
}
