package dev.heddle.explorer.code;

import dev.heddle.formats.Packing;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SwizzleMode;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// A matrix that wgmma reads from shared memory, with K along memory and a swizzle as wide as its
/// rows, so that one pattern holds eight of them without gaps (PTX ISA 9.7.15.5.1.2).
///
/// @param role A or B
record SharedTile(Form form, Role role) {

    /// Those that a form reads.
    static List<SharedTile> of(Form form) {
        return Stream.of(Role.A, Role.B)
                .filter(role -> form.family().warpgroup())
                .filter(role -> role == Role.B || form.aSource() == ASource.SHARED_MEMORY)
                .map(role -> new SharedTile(form, role))
                .toList();
    }

    /// Along M of A, along N of B.
    int rows() {
        return role == Role.A ? form.shape().m() : form.shape().n();
    }

    /// Along K; of a sparse A the stored ones.
    int columns() {
        return role == Role.A ? form.storedColumns() : form.shape().k();
    }

    ElementType element() {
        return ElementType.of(form.type(role), Packing.dense(form.type(role)));
    }

    int rowBytes() {
        return columns() * form.type(role).bits() / Byte.SIZE;
    }

    private SwizzleMode mode() {
        return Arrays.stream(SwizzleMode.values())
                .filter(mode -> mode.rowBytes() == rowBytes())
                .findFirst()
                .orElseThrow();
    }

    /// `A: 64 x 16 f16 by rows`; of B, whose columns run along K, by columns.
    String memory() {
        boolean ofA = role == Role.A;
        String remark = element().remark();
        return "%s: %d x %d %s by %s%s%s"
                .formatted(
                        role,
                        ofA ? rows() : columns(),
                        ofA ? columns() : rows(),
                        form.type(role).ptxName(),
                        ofA ? "rows" : "columns",
                        ofA && form.sparse() ? CudaSource.STORED : "",
                        remark.isEmpty() ? "" : "; " + remark);
    }

    /// The space of the tile in the kernel.
    String declaration() {
        return "    __shared__ alignas(%d) char %s[%d];\n"
                .formatted(mode().patternBytes(), name(), rows() * rowBytes());
    }

    /// Fills it.
    String fill() {
        return "    to_shared<%d>(%s, %s, %d);\n".formatted(rowBytes(), name(), role, rows());
    }

    /// Its descriptor.
    String descriptor() {
        return "descriptor(%s, %d, %d)".formatted(name(), mode().patternBytes(), mode().code());
    }

    private String name() {
        return "shared_" + role.letter();
    }

    /// The functions that every tile uses.
    static String functions(int lanes) {
        return """
        // Copies rows of 32, 64 or 128 bytes to shared memory, with the swizzle of that width: \
        of every
        // eight rows, those further down have their 16-byte units exchanged, so that a column \
        of units
        // stands on different banks (PTX ISA 9.7.15.5.1.2).
        template <int ROW>
        __device__ void to_shared(char* shared, const void* tile, int rows) {
            for (int at = threadIdx.x * 16; at < rows * ROW; at += %d * 16) {
                int place = at ^ (at >> 7 & (ROW / 16 - 1)) << 4;
                const char* from = static_cast<const char*>(tile) + at;
                *reinterpret_cast<uint4*>(shared + place) = *reinterpret_cast<const uint4*>(from);
            }
        }

        // The descriptor of such a matrix (PTX ISA 9.7.15.5.1.2.2).
        //
        // stride: bytes from eight rows to the next eight; swizzle: 3, 2, 1 for 32, 64, 128 bytes
        __device__ unsigned long long descriptor(const void* shared, int stride, int swizzle) {
            unsigned long long start = __cvta_generic_to_shared(shared) >> 4 & 0x3fff;
            unsigned long long leading = 1; // not used where a row is as wide as the swizzle
            return start | leading << 16 | (unsigned long long) stride >> 4 << 32
                    | (unsigned long long) swizzle << 62;
        }
        """
                .formatted(lanes);
    }
}
