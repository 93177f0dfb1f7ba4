package dev.heddle.tensorcore.numerics;

/// Where a statement about the arithmetic of a GPU comes from.
public sealed interface Evidence {

    /// The manual says so.
    ///
    /// @param section a section of PTX ISA 9.1
    record Manual(String section) implements Evidence {
        @Override
        public String toString() {
            return "MANUAL PTX ISA " + section;
        }
    }

    /// Golden vectors recorded on a device are met to the last bit.
    ///
    /// @param device the GPU
    /// @param golden the family of golden files
    record Measured(String device, String golden) implements Evidence {
        @Override
        public String toString() {
            return "MEASURED " + device + ", golden " + golden;
        }
    }

    /// Results of a device were compared with the model, bit by bit, and all were equal.
    ///
    /// @param devices the GPUs, with driver and date
    /// @param inputs  which inputs were compared
    record Compared(String devices, String inputs) implements Evidence {
        @Override
        public String toString() {
            return "MEASURED " + devices + ": equal on " + inputs;
        }
    }

    /// Others measured and published it.
    ///
    /// @param source the publication
    record Published(String source) implements Evidence {
        @Override
        public String toString() {
            return "PUBLISHED " + source;
        }
    }

    /// Nobody is known to have checked it.
    ///
    /// @param what what is taken for granted
    record Assumed(String what) implements Evidence {
        @Override
        public String toString() {
            return "ASSUMED " + what;
        }
    }
}
