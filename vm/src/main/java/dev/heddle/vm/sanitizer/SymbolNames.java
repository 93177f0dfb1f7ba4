package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.util.Map;

/// Says what a kernel's author calls the memory at an address.
public final class SymbolNames {
    private final Warp warp;

    public SymbolNames(Warp warp) {
        this.warp = warp;
    }

    /// ` (tile + 4)`, or nothing where no name fits.
    ///
    /// @param address in its own space
    public String inVariable(Space space, long address) {
        return switch (space) {
            case GLOBAL -> global(address);
            case CONST -> global(address + warp.cta().grid().program().base());
            case SHARED -> shared(address);
            case LOCAL -> local(address);
            case CLUSTER, PARAM, GENERIC -> "";
        };
    }

    private static String plus(String name, long offset) {
        return " (%s + %d)".formatted(name, offset);
    }

    private String global(long address) {
        Buffer buffer = warp.cta().grid().global().at(address);
        if (buffer == null) {
            return "";
        }
        if (buffer.address() != warp.cta().grid().program().base()) {
            return plus(buffer.name(), address - buffer.address());
        }
        String name = "";
        long start = -1;
        for (Map.Entry<String, Program.Symbol> symbol :
                warp.cta().grid().program().symbols().entrySet()) {
            long first = symbol.getValue().address();
            if (first <= address && first > start) {
                name = symbol.getKey();
                start = first;
            }
        }
        return start < 0 ? "" : plus(name, address - start);
    }

    private String shared(long address) {
        for (Code code : warp.cta().grid().program().codes()) {
            if (code.kernel() && !code.equals(warp.cta().grid().kernel())) {
                continue;
            }
            for (Code.Placed variable : code.variables()) {
                long offset = address - variable.offset();
                if (variable.space() == Space.SHARED
                        && offset >= 0
                        && (offset < variable.bytes() || variable.bytes() == 0)) {
                    return plus(variable.name(), offset);
                }
            }
        }
        return "";
    }

    private String local(long address) {
        for (Frame frame : warp.frames()) {
            for (Code.Placed variable : frame.code.variables()) {
                long offset = address - frame.base - variable.offset();
                if (variable.space() == Space.LOCAL && offset >= 0 && offset < variable.bytes()) {
                    return plus(variable.name(), offset);
                }
            }
        }
        return "";
    }
}
