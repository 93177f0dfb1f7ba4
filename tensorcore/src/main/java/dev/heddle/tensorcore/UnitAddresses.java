package dev.heddle.tensorcore;

import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SharedMatrix.Major;

import java.util.HashMap;
import java.util.Map;

/// Where the 16-byte units of a matrix of wgmma are in shared memory, worked out once for each
/// way that descriptors lay it out.
final class UnitAddresses {
    /// Units are together in all layouts of shared memory.
    static final int WORDS = 4;

    /// Bytes after which every swizzle begins anew.
    private static final int PATTERN = 1024;

    private final Form form;
    private final Map<Key, int[]> known = new HashMap<>();

    /// @param descriptor with the start address within a pattern
    private record Key(Role role, Major major, MatrixDescriptor descriptor) {}

    UnitAddresses(Form form) {
        this.form = form;
    }

    /// Copies a matrix, unit after unit: K-major, those of row 0 along k, then those of row 1;
    /// MN-major, those of k = 0 along the rows, then those of k = 1.
    void load(
            Role role, MatrixDescriptor descriptor, Major major, SharedMemory memory, int[] words) {
        int within = descriptor.startAddress() % PATTERN;
        int start = descriptor.startAddress() - within;
        MatrixDescriptor moved =
                new MatrixDescriptor(
                        within,
                        descriptor.leadingByteOffset(),
                        descriptor.strideByteOffset(),
                        descriptor.baseOffset(),
                        descriptor.mode());
        int[] addresses = known.computeIfAbsent(new Key(role, major, moved), this::addresses);
        int to = 0;
        for (int address : addresses) {
            memory.read(start + address, words, to, WORDS);
            to += WORDS;
        }
    }

    private int[] addresses(Key key) {
        int rows = key.role == Role.A ? form.shape().m() : form.shape().n();
        int k = key.role == Role.A ? form.storedColumns() : form.shape().k();
        int bits = form.type(key.role).bits();
        SharedMatrix matrix = new SharedMatrix(key.descriptor, key.major, bits);
        int unit = WORDS * Integer.SIZE / bits;
        boolean alongK = key.major == Major.K;
        int lines = alongK ? rows : k;
        int length = alongK ? k : rows;
        int[] addresses = new int[lines * length / unit];
        int to = 0;
        for (int line = 0; line < lines; line++) {
            for (int at = 0; at < length; at += unit) {
                long bit = alongK ? matrix.bitAddress(line, at) : matrix.bitAddress(at, line);
                addresses[to++] = (int) (bit / Byte.SIZE);
            }
        }
        return addresses;
    }
}
