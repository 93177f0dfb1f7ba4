package dev.heddle.vm.launch;

import dev.heddle.formats.InputException;

/// A launch file, or an option in its stead, that says something impossible. The message names the
/// place, the field, what was found and what is allowed.
public final class LaunchFileException extends InputException {
    private static final long serialVersionUID = 1L;

    /// @param place such as `launch.json:3:14`, or the option
    public LaunchFileException(String place, String message) {
        super(place.isEmpty() ? message : place + ": " + message);
    }
}
