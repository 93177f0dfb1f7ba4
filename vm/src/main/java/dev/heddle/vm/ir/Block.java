package dev.heddle.vm.ir;

import java.util.List;

/// Steps taken one after the other, then an exit.
///
/// @param number its index in the code
/// @param steps in order
/// @param exit how it ends
public record Block(int number, List<Step> steps, Exit exit) {
    public Block {
        steps = List.copyOf(steps);
    }
}
