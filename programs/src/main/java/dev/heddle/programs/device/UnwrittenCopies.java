package dev.heddle.programs.device;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.ptx.Demangler;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.Unwritten;
import dev.heddle.vm.report.Finding;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Tells of copies that give the host memory of the device which nobody wrote. That is a warning:
/// padding, and buffers of which a part is used, are copied whole by programs that are right.
final class UnwrittenCopies {
    private final Memory memory;
    private final GlobalMemory global;
    private final ProgramFindings findings;
    private final Set<Long> told = ConcurrentHashMap.newKeySet();

    UnwrittenCopies(Memory memory, GlobalMemory global, ProgramFindings findings) {
        this.memory = memory;
        this.global = global;
        this.findings = findings;
    }

    /// A copy is about to be made. Of one call the first is told: counting the bytes of all would
    /// take longer than the copies.
    ///
    /// @param call where the host asked for it
    /// @param from what it is, in words
    void look(Copies.Copy copy, long call, Supplier<Origin> from) {
        if (copy.block().isEmpty()
                || !memory.isSeenByHost(copy.to().address())
                || told.contains(call)) {
            return;
        }
        Unwritten found = unwritten(copy.from(), copy.block());
        if (found != null && told.add(call)) {
            Origin origin = from.get();
            String message =
                    "%s gives the host %s that nobody wrote, the first at global address 0x%x%s"
                            .formatted(
                                    origin.words(),
                                    Counted.bytes(found.count()),
                                    found.first(),
                                    place(found.first()));
            findings.tell(origin, Finding.ofLaunch(Rule.UNWRITTEN_COPY, message));
        }
    }

    private @Nullable Unwritten unwritten(Place from, Block block) {
        Unwritten all = null;
        for (long z = 0; z < block.depth(); z++) {
            for (long y = 0; y < block.height(); y++) {
                all = Unwritten.of(all, memory.unwritten(from.row(y, z), block.width()));
            }
        }
        return all;
    }

    private String place(long address) {
        Buffer buffer = global.at(address);
        return buffer == null
                ? ""
                : " (%s, byte %d)"
                        .formatted(Demangler.variableOf(buffer.name()), address - buffer.address());
    }
}
