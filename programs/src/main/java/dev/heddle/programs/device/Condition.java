package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.util.List;
import java.util.function.Supplier;

/// What decides which graphs in a node run: a word of the device, which kernels set by
/// `cudaGraphSetConditional`. Its address is its handle, and its own as long as the process lives.
///
/// @param address of the word
/// @param initial its value when a graph is launched
/// @param assigned whether it gets that value; else it keeps what it has, which CUDA leaves open
/// @param device that it is on, and that ends its loops
/// @param origin of the loops
public record Condition(
        long address, int initial, boolean assigned, Device device, Supplier<Origin> origin) {
    /// What a node does by its condition, by the numbers of `cudaGraphConditionalNodeType`.
    public enum Use {
        /// Runs the first graph where it is not 0, else the second where there is one.
        IF {
            @Override
            void run(Condition condition, List<Graph> bodies) {
                int body = condition.value() != 0 ? 0 : 1;
                if (body < bodies.size()) {
                    bodies.get(body).run();
                }
            }
        },
        /// Runs a graph as long as it is not 0.
        WHILE {
            @Override
            void run(Condition condition, List<Graph> bodies) {
                long start = System.nanoTime();
                while (condition.value() != 0
                        && !condition.device.endsLoop(condition.origin, start)) {
                    bodies.getFirst().run();
                }
            }
        },
        /// Runs the graph of its number, where there is one.
        SWITCH {
            @Override
            void run(Condition condition, List<Graph> bodies) {
                int body = condition.value();
                if (Integer.compareUnsigned(body, bodies.size()) < 0) {
                    bodies.get(body).run();
                }
            }
        };

        abstract void run(Condition condition, List<Graph> bodies);

        /// The use of a number, for so many graphs.
        ///
        /// @throws CudaException where there is none, or it has not so many
        public static Use of(int number, int graphs) {
            refuseIf(number < 0 || number >= values().length, ErrorCode.INVALID_VALUE);
            Use use = values()[number];
            int most =
                    switch (use) {
                        case IF -> 2;
                        case WHILE -> 1;
                        case SWITCH -> Integer.MAX_VALUE;
                    };
            refuseIf(graphs < 1 || graphs > most, ErrorCode.INVALID_VALUE);
            return use;
        }
    }

    /// A graph is launched.
    void begin() {
        if (assigned) {
            Host.putInt(address, initial);
        }
    }

    /// Its value; 0 where the device has failed, so that nothing runs for ever.
    private int value() {
        return device.failure() == ErrorCode.SUCCESS ? Host.getInt(address) : 0;
    }
}
