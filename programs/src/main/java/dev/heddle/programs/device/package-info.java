/// A device as a process sees it: memory, modules, streams, events and errors.
@NullMarked
package dev.heddle.programs.device;

import org.jspecify.annotations.NullMarked;
