package dev.heddle.vm.ir;

import java.util.Arrays;
import java.util.function.Consumer;

/// The registers of a code, numbered for data flow analysis.
///
/// First come those that cross from one block into another: some block reads them before it writes
/// them. Only they need a place in the sets that an analysis keeps for each block, so that those
/// stay small where a function has very many registers.
public final class RegisterNumbers {
    private final int[] numbers;
    private final int words;
    private final int longs;
    private int crossing;

    /// Numbers the registers of a code.
    public RegisterNumbers(Code code) {
        words = code.words();
        longs = code.longs();
        numbers = new int[words + longs + code.predicates()];
        Arrays.fill(numbers, -1);
        code.results().forEach(this::cross);
        code.parameters().forEach(this::cross);
        int[] writtenIn = new int[numbers.length];
        for (Block block : code.blocks()) {
            int stamp = block.number() + 1;
            Consumer<Register> read =
                    register -> {
                        if (writtenIn[place(register)] != stamp) {
                            cross(register);
                        }
                    };
            for (Step step : block.steps()) {
                step.reads().forEach(read);
                if (step.guard() == null) {
                    for (Register target : step.writes()) {
                        writtenIn[place(target)] = stamp;
                    }
                }
            }
            block.exit().reads().forEach(read);
            block.exit().readsOfSuppliers().forEach(read);
        }
        int next = crossing;
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0) {
                numbers[i] = next++;
            }
        }
    }

    private void cross(Code.Parameter parameter) {
        parameter.registers().forEach(this::cross);
    }

    private void cross(Register register) {
        int place = place(register);
        if (numbers[place] < 0) {
            numbers[place] = crossing++;
        }
    }

    private int place(Register register) {
        return register.index()
                + switch (register.width()) {
                    case WORD -> 0;
                    case LONG -> words;
                    case PREDICATE -> words + longs;
                };
    }

    /// A register's number.
    public int of(Register register) {
        return numbers[place(register)];
    }

    /// How many registers cross from block to block: their numbers are smaller than this.
    public int crossing() {
        return crossing;
    }

    /// How many registers there are.
    public int all() {
        return numbers.length;
    }

    /// The indices, in their file, of those of these numbers that are of one width.
    public int[] indices(Width width, java.util.BitSet of) {
        int first =
                switch (width) {
                    case WORD -> 0;
                    case LONG -> words;
                    case PREDICATE -> words + longs;
                };
        int end =
                switch (width) {
                    case WORD -> words;
                    case LONG -> words + longs;
                    case PREDICATE -> numbers.length;
                };
        return java.util.stream.IntStream.range(first, end)
                .filter(place -> of.get(numbers[place]))
                .map(place -> place - first)
                .toArray();
    }
}
