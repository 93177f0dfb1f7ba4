package dev.heddle.tensorcore.x86;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Bytes of code and the constants behind it, with the places in them that are not known yet.
abstract sealed class CodeBuffer permits GeneralCode {
    private record Use(int at, Assembler.Label label) {}

    private record ConstantUse(int at, int end, int place) {}

    private byte[] code = new byte[4096];
    private int size;
    private final List<Use> uses = new ArrayList<>();
    private final List<ConstantUse> constantUses = new ArrayList<>();
    private final Map<Long, Integer> words = new HashMap<>();
    private final Map<Long, Integer> longs = new HashMap<>();
    private final Map<String, Integer> vectors = new HashMap<>();
    private ByteBuffer constants = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    final void put(int value) {
        if (size == code.length) {
            code = Arrays.copyOf(code, 2 * size);
        }
        code[size++] = (byte) value;
    }

    final void putInt(int value) {
        for (int shift = 0; shift < 32; shift += 8) {
            put(value >>> shift);
        }
    }

    // Constants, which stand behind the code.

    /// A 32-bit constant for all lanes.
    public Operand word(int value) {
        int place = words.computeIfAbsent((long) value, key -> constant(4, key));
        return new Operand.Pooled(place, true);
    }

    /// A 64-bit constant for all lanes.
    public Operand longword(long value) {
        int place = longs.computeIfAbsent(value, key -> constant(8, key));
        return new Operand.Pooled(place, true);
    }

    private int constant(int bytes, long value) {
        int all = Math.max(bytes, constantBytes());
        room(Math.max(8, all), all);
        int place = constants.position();
        for (int i = 0; i < all; i += bytes) {
            if (bytes == 4) {
                constants.putInt((int) value);
            } else {
                constants.putLong(value);
            }
        }
        return place;
    }

    /// Bytes that a constant for all lanes takes at least: it is repeated where instructions cannot
    /// broadcast one element of memory.
    int constantBytes() {
        return 0;
    }

    /// A 32-bit constant for each of 16 lanes, or any list of such.
    public Operand steps(int[] lanes) {
        int place =
                vectors.computeIfAbsent(
                        Arrays.toString(lanes),
                        _ -> {
                            room(64, Integer.BYTES * lanes.length);
                            int at = constants.position();
                            for (int lane : lanes) {
                                constants.putInt(lane);
                            }
                            return at;
                        });
        return new Operand.Pooled(place, false);
    }

    /// A 64-bit constant for each of eight lanes.
    public Operand steps(long[] lanes) {
        return steps(
                IntStream.range(0, 16).map(i -> (int) (lanes[i / 2] >>> 32 * (i % 2))).toArray());
    }

    private void room(int alignment, int bytes) {
        int at = (constants.position() + alignment - 1) & -alignment;
        if (at + bytes > constants.capacity()) {
            ByteBuffer larger =
                    ByteBuffer.allocate(2 * constants.capacity() + bytes)
                            .order(ByteOrder.LITTLE_ENDIAN);
            larger.put(constants.flip());
            constants = larger;
        }
        constants.position(at);
    }

    /// The label stands here.
    public final void bind(Assembler.Label label) {
        settle();
        forget();
        label.position = size;
    }

    /// Before code parts or comes together: all is where it is on every way.
    void settle() {}

    /// After [#settle], what is in registers besides counts no more.
    void forget() {}

    final void reference(Assembler.Label label) {
        uses.add(new Use(size, label));
        putInt(0);
    }

    /// The bytes, constants included, to be run at any address.
    public byte[] finish() {
        int start = (size + 63) & -64;
        byte[] all = Arrays.copyOf(code, start + constants.position());
        constants.get(0, all, start, constants.position());
        for (Use use : uses) {
            patch(all, use.at, use.label.position() - use.at - 4);
        }
        for (ConstantUse use : constantUses) {
            patch(all, use.at, start + use.place - use.end);
        }
        return all;
    }

    private static void patch(byte[] all, int at, int value) {
        ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    }

    // What instructions are made of.

    final void rex(boolean wide, int reg, int rm) {
        int rex = 0x40 | (wide ? 8 : 0) | (reg >>> 3 & 1) << 2 | rm >>> 3 & 1;
        if (rex != 0x40) {
            put(rex);
        }
    }

    static int number(Operand operand) {
        return switch (operand) {
            case Operand.Register(int number) -> number;
            case Operand.Memory memory -> memory.base();
            case Operand.Pooled _ -> 0;
        };
    }

    /// @param unit by which an 8-bit displacement counts; 1 outside of EVEX
    /// @param behind bytes of the instruction behind the displacement
    final void modrm(int reg, Operand rm, int unit, int behind) {
        int middle = (reg & 7) << 3;
        switch (rm) {
            case Operand.Register(int number) -> put(0xc0 | middle | number & 7);
            case Operand.Pooled(int place, _) -> {
                put(middle | 5);
                constantUses.add(new ConstantUse(size, size + 4 + behind, place));
                putInt(0);
            }
            case Operand.Memory(int base, int index, int displacement, _) -> {
                boolean small =
                        displacement % unit == 0
                                && (byte) (displacement / unit) * unit == displacement;
                boolean none = displacement == 0 && (base & 7) != Assembler.RBP;
                int mode = none ? 0 : small ? 0x40 : 0x80;
                if (index >= 0 || (base & 7) == Assembler.RSP) {
                    put(mode | middle | 4);
                    put((index >= 0 ? index & 7 : 4) << 3 | base & 7);
                } else {
                    put(mode | middle | base & 7);
                }
                if (mode == 0x40) {
                    put(displacement / unit);
                } else if (mode == 0x80) {
                    putInt(displacement);
                }
            }
        }
    }
}
