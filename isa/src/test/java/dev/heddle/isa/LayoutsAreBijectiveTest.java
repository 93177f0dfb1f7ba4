package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

@DisplayName("Every layout of every form is a bijection onto its tile")
final class LayoutsAreBijectiveTest {
    @Test
    void everyElementOfEveryFragmentHasOnePlace() {
        Set<Object> seenFragments = new HashSet<>();
        for (Form form : Forms.all()) {
            for (Role role : Role.values()) {
                if (form.family().warpgroup() && role == Role.B) {
                    continue;
                }
                Fragment fragment = form.fragment(role);
                if (seenFragments.add(Transcript.identity(fragment))) {
                    check(form, fragment);
                }
            }
        }
        assertThat(seenFragments).hasSizeGreaterThan(90);
    }

    private static void check(Form form, Fragment fragment) {
        Set<Position> tile = new HashSet<>();
        Set<List<Integer>> bits = new HashSet<>();
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                int register = fragment.register(element);
                int width = fragment.bitHigh(element) - fragment.bitLow(element) + 1;
                if (!tile.add(at)
                        || !fragment.holder(at).equals(new Owner(lane, element))
                        || !bits.add(List.of(lane, register, fragment.bitLow(element)))
                        || width != fragment.format().bits()
                        || register >= fragment.registers()) {
                    fail("%s %s lane %s element %s", form, fragment.role(), lane, element);
                }
            }
        }
        assertThat(tile)
                .hasSize(fragment.rows() * fragment.columns() * fragment.computations())
                .allMatch(at -> at.row() < fragment.rows() && at.column() < fragment.columns());
    }

    @Test
    void everyChunkHasOneNibbleUnderEverySelector() {
        Set<String> seen = new HashSet<>();
        for (Form form : Forms.all()) {
            form.metadata()
                    .filter(metadata -> seen.add(metadata.layout() + " " + metadata.granularity()))
                    .ifPresent(metadata -> check(form, metadata));
        }
        assertThat(seen).hasSize(11);
    }

    private static void check(Form form, Metadata metadata) {
        List<Integer> all = new ArrayList<>();
        for (int selector : metadata.selectorValues()) {
            Set<Metadata.Chunk> chunks = new HashSet<>();
            for (int lane : metadata.suppliers(selector)) {
                all.add(lane);
                for (int slot = 0; slot < 8; slot++) {
                    Metadata.Nibble nibble = new Metadata.Nibble(lane, slot);
                    Metadata.Chunk chunk = metadata.chunk(nibble);
                    assertThat(chunks.add(chunk)).as("%s selector %s", form, selector).isTrue();
                    assertThat(metadata.nibble(chunk, selector)).isEqualTo(nibble);
                }
            }
            assertThat(chunks).hasSize(form.shape().m() * metadata.chunks());
        }
        assertThat(all).hasSize(form.lanes()).doesNotHaveDuplicates();
        assertThat(metadata.chunks() * metadata.granularity().width()).isEqualTo(form.shape().k());
    }

    @Test
    void everyScaleFactorHasOneByteUnderEverySelector() {
        for (Form form : Forms.of(Family.MMA)) {
            for (Role role : List.of(Role.A, Role.B)) {
                form.scaleFactors(role).ifPresent(factors -> check(form, factors));
            }
        }
    }

    private static void check(Form form, ScaleFactors factors) {
        int lines = factors.role() == Role.A ? form.shape().m() : form.shape().n();
        assertThat(factors.lines()).isEqualTo(lines);
        Set<ScaleFactors.Supplier> bytes = new HashSet<>();
        for (int byteId : factors.byteIds()) {
            for (int threadId : factors.threadIds()) {
                for (int line = 0; line < lines; line++) {
                    for (int vector = 0; vector < factors.vectors(); vector++) {
                        ScaleFactors.Factor factor = new ScaleFactors.Factor(line, vector);
                        assertThat(bytes.add(factors.supplier(factor, byteId, threadId))).isTrue();
                    }
                }
            }
        }
        assertThat(bytes).hasSize(32 * 4);
        assertThat(factors.span() * factors.vectors()).isEqualTo(form.shape().k());
    }
}
