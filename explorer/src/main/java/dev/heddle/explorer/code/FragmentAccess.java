package dev.heddle.explorer.code;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Operand;
import dev.heddle.isa.Role;
import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout.Wire;

/// Loads and stores of one fragment in CUDA C++: a loop over the registers of a lane.
///
/// The elements of a register are neighbours in the tile, so that a register is one word of memory
/// where the tile lies along that direction.
///
/// @param operand the fragment and its registers
/// @param index   the letter of the functions that say where elements are: `c` serves D too
record FragmentAccess(Operand.Matrix operand, String index) {

    private Fragment fragment() {
        return operand.fragment();
    }

    ElementType element() {
        return ElementType.of(fragment().format(), fragment().packing());
    }

    /// Whether rows run along memory, not columns.
    boolean byRows() {
        for (Wire wire : fragment().layout().wires()) {
            if (fragment().elementsPerRegister() > 1
                    && wire.from() == Axis.ELEMENT
                    && wire.fromBit() == 0) {
                return wire.to() == Axis.COLUMN;
            }
        }
        return fragment().role() != Role.B;
    }

    /// The elements of one row, or of one column where these run along memory.
    int leading() {
        return byRows() ? fragment().columns() : fragment().rows();
    }

    private String register() {
        return InlineAssembly.Variable.of(operand.accepts().declared()).type().strip();
    }

    /// Its registers in the kernel.
    String declaration() {
        return "    %s %s[%d];\n".formatted(register(), operand.name(), operand.registers());
    }

    /// `load_a`
    String load() {
        String name = fragment().role().letter();
        return """
        __device__ void load_%s(%s (&%s)[%d], const %s* %s, int ld) {
            int lane = threadIdx.x %% %d;
            #pragma unroll
            for (int r = 0; r < %d; r++) {
        %s        %s[r] = %s;
            }
        }
        """
                .formatted(
                        name,
                        register(),
                        name,
                        operand.registers(),
                        element().name(),
                        fragment().role(),
                        fragment().lanes(),
                        operand.registers(),
                        first(),
                        name,
                        place("const "));
    }

    /// `store_d`
    String store() {
        return """
        __device__ void store_d(%s* D, const %s (&d)[%d], int ld) {
            int lane = threadIdx.x %% %d;
            #pragma unroll
            for (int r = 0; r < %d; r++) {
        %s        %s = d[r];
            }
        }
        """
                .formatted(
                        element().name(),
                        register(),
                        operand.registers(),
                        fragment().lanes(),
                        operand.registers(),
                        first(),
                        place(""));
    }

    /// What the loop says first: which element begins the register, and where it is.
    private String first() {
        int per = fragment().elementsPerRegister();
        String first =
                per == 1
                        ? ""
                        : "        int i = %d * r; // %d neighbours in a register\n"
                                .formatted(per, per);
        return first + "        int at = %s;\n".formatted(offset());
    }

    /// The index of the first element of register r.
    private String offset() {
        String i = fragment().elementsPerRegister() == 1 ? "r" : "i";
        String row = "%s_row(lane, %s)".formatted(index, i);
        String column = "%s_column(lane, %s)".formatted(index, i);
        String line = byRows() ? row : column;
        if (fragment().computations() > 1) {
            int lines = byRows() ? fragment().rows() : fragment().columns();
            line = "(%s_computation(lane, %s) * %d + %s)".formatted(index, i, lines, line);
        }
        return "%s * ld + %s".formatted(line, byRows() ? column : row);
    }

    /// The word of memory that is register r.
    private String place(String qualifier) {
        ElementType element = element();
        String at = element.perUnit() > 1 ? "at / " + element.perUnit() : "at";
        String place = "%s[%s]".formatted(fragment().role(), at);
        boolean whole =
                element.name().equals(register()) && fragment().format() != FloatFormat.TF32;
        return whole
                ? place
                : "*reinterpret_cast<%s%s*>(&%s)".formatted(qualifier, register(), place);
    }

    /// What is in memory, in words: `A: 16 x 16 f16 by rows`.
    ///
    /// @param which what more there is to say of it, as `, the stored half`
    String memory(String which) {
        boolean several = fragment().computations() > 1;
        return "%s: %s%d x %d %s%s by %s%s%s"
                .formatted(
                        fragment().role(),
                        several ? "four of " : "",
                        fragment().rows(),
                        fragment().columns(),
                        fragment().format().ptxName(),
                        several ? ", each" : "",
                        byRows() ? "rows" : "columns",
                        which,
                        element().remark().isEmpty() ? "" : "; " + element().remark());
    }
}
