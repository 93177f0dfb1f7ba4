/// The memories of a device.
///
/// [GlobalMemory] is one native segment, as is every other space, so that no access, checked or
/// not, can leave it: the host is out of reach. What a warp does with them is in `access`.
@NullMarked
package dev.heddle.vm.memory;

import org.jspecify.annotations.NullMarked;
