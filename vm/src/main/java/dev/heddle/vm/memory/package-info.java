/// The memories of a device. Each is one native segment, so that no access, checked or not, can
/// leave it: the host is
/// out of reach. What the checks need to know about single bytes stands in shadows beside it.
@NullMarked
package dev.heddle.vm.memory;

import org.jspecify.annotations.NullMarked;
