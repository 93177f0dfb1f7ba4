package dev.heddle.vm.sanitizer;

import dev.heddle.ptx.Demangler;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Says what a kernel's author calls the memory at an address.
public record SymbolNames(Warp warp) {
    /// ` (tile[31], bytes 124..127)`, or nothing where no name fits.
    ///
    /// @param address in its own space
    /// @param bytes that are accessed there, or 0 where that is not known
    /// @param element bytes of one value of the access
    public String inVariable(Space space, long address, int bytes, int element) {
        Named named =
                switch (space) {
                    case GLOBAL -> global(address);
                    case CONST -> global(address + warp.cta().grid().program().base());
                    case SHARED -> shared(address);
                    case LOCAL -> local(address);
                    case CLUSTER, PARAM, GENERIC -> null;
                };
        return named == null ? "" : " (" + named.part(bytes, element) + ")";
    }

    /// The same for an access of one value.
    public String inVariable(Space space, long address, int bytes) {
        return inVariable(space, address, bytes, bytes);
    }

    /// ` of the CTA of rank 1`, or nothing for shared memory of the own CTA.
    public String ofOther(Cta owner) {
        return owner.equals(warp.cta()) ? "" : " of the CTA of rank " + owner.rank();
    }

    /// A place in something that has a name.
    ///
    /// @param size of the variable, 0 where it is open
    /// @param declared bytes of an element, 1 where the declaration does not tell: nvcc declares
    ///     arrays of any type as bytes
    /// @param dimensions as declared
    private record Named(String name, long size, int declared, List<Long> dimensions, long offset) {
        Named(String name, long size, long offset) {
            this(name, size, 1, List.of(size), offset);
        }

        Named(Code.Placed placed, long offset) {
            this(
                    Demangler.variableOf(placed.name()),
                    placed.bytes(),
                    placed.elementBytes(),
                    placed.dimensions(),
                    offset);
        }

        String part(int bytes, int element) {
            if (offset == 0 && (bytes == size || bytes == 0)) {
                return name;
            }
            if (declared > 1 && bytes == declared && offset % bytes == 0) {
                return name + indices();
            }
            String where =
                    bytes <= 1
                            ? "byte " + offset
                            : "bytes %d..%d".formatted(offset, offset + bytes - 1);
            if (element <= 1 || element > 16 || offset % element != 0) {
                return name + ", " + where;
            }
            long first = offset / element;
            String last = bytes == element ? "" : ".." + (first + bytes / element - 1);
            return "%s[%d%s], %s".formatted(name, first, last, where);
        }

        private String indices() {
            StringBuilder text = new StringBuilder();
            long rest = offset / declared;
            for (int i = dimensions.size() - 1; i >= 0; i--) {
                long extent = dimensions.get(i);
                boolean outermost = i == 0 || extent <= 0;
                text.insert(0, "[" + (outermost ? rest : rest % extent) + "]");
                rest = outermost ? 0 : rest / extent;
            }
            return text.toString();
        }
    }

    private @Nullable Named global(long address) {
        Buffer buffer = warp.cta().grid().global().at(address);
        return buffer == null
                ? null
                : new Named(
                        Demangler.variableOf(buffer.name()),
                        buffer.bytes(),
                        address - buffer.address());
    }

    private @Nullable Named shared(long address) {
        for (Code code : warp.cta().grid().program().codes()) {
            if (code.kernel() && !code.equals(warp.cta().grid().kernel())) {
                continue;
            }
            for (Code.Placed variable : code.variables()) {
                long offset = address - variable.offset();
                if (variable.space() == Space.SHARED
                        && offset >= 0
                        && (offset < variable.bytes() || variable.bytes() == 0)) {
                    return new Named(variable, offset);
                }
            }
        }
        return null;
    }

    private @Nullable Named local(long address) {
        for (Frame frame : warp.frames()) {
            for (Code.Placed variable : frame.code.variables()) {
                long offset = address - frame.base - variable.offset();
                if (variable.space() == Space.LOCAL && offset >= 0 && offset < variable.bytes()) {
                    return new Named(variable, offset);
                }
            }
        }
        return null;
    }
}
