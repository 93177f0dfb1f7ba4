package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

/// What the `fence.sc` operations so far have brought together: they are in one order, here that of
/// the execution (PTX ISA 8.9.3).
final class Sequential {
    private @Nullable Message message;

    @Nullable Message message() {
        return message;
    }

    void add(Message more) {
        message = Message.both(message, more);
    }

    void clear() {
        message = null;
    }
}
