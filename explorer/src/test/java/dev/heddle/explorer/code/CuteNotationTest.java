package dev.heddle.explorer.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

@DisplayName("The notation of CuTe")
final class CuteNotationTest {
    /// Lanes of the first product of `mma.m8n8k4`, in the order of CUTLASS's `ThrID`.
    private static final List<Integer> QUAD_PAIR = List.of(0, 1, 2, 3, 16, 17, 18, 19);

    @Test
    void layoutsOfAllFormsLeadWhereTheFragmentsDo() {
        int compared = 0;
        for (Form form : Forms.all()) {
            for (Role role : Role.values()) {
                if (role == Role.B && form.family().warpgroup()) {
                    continue;
                }
                compared += compare(form, role);
            }
        }
        assertThat(compared).isGreaterThan(1_000_000);
    }

    private static int compare(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        CuteLayout layout = CuteNotation.layout(form, role);
        int threads = form.quadPairs() ? QUAD_PAIR.size() : form.lanes();
        for (int thread = 0; thread < threads; thread++) {
            int lane = form.quadPairs() ? QUAD_PAIR.get(thread) : thread;
            for (int element = 0; element < fragment.elements(); element++) {
                Position at = fragment.position(lane, element);
                int index =
                        role == Role.B
                                ? at.column() + fragment.columns() * at.row()
                                : at.row() + fragment.rows() * at.column();
                if (layout.apply(thread, element) != index) {
                    throw new AssertionError(form + " " + role + " thread " + thread);
                }
            }
        }
        return threads * fragment.elements();
    }

    /// As `cute/atom/mma_traits_*.hpp` of CUTLASS 4.7 writes them, blanks aside.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 | Layout<Shape<Shape<_4,_8>,Shape<_2,_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8,_128>>>
                    mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 | Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_16,_1>,Stride<_8,_64>>>
                    mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 | Layout<Shape<Shape<_4,_8>,_2>,Stride<Stride<_16,_1>,_8>>
                    mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 | Layout<Shape<Shape<_4,_8>,Shape<_2,_2>>,Stride<Stride<_32,_1>,Stride<_16,_8>>>
                    mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 | Layout<Shape<Shape<_4,_8>,Shape<_4,_2,_2>>,Stride<Stride<_64,_1>,Stride<_16,_8,_256>>>
                    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 | Layout<Shape<Shape<_4,_8,_4>,Shape<_2,_2,_2>>,Stride<Stride<_128,_1,_16>,Stride<_64,_8,_512>>>
                    """)
    void layoutOfAIsWrittenAsCutlassWritesIt(String opcode, String published) {
        assertThat(CuteNotation.layout(Form.of(opcode), Role.A).text(0).replaceAll("\\s", ""))
                .isEqualTo(published);
    }

    @Test
    void atomsAreThoseOfTheHeaders() {
        Set<String> published = new HashSet<>(headers());
        Set<String> named = new TreeSet<>();
        Set<String> opcodes = new HashSet<>();
        published.forEach(line -> opcodes.add(line.substring(0, line.indexOf('\t'))));
        for (Form form : Forms.all()) {
            if (opcodes.contains(form.opcode())) {
                CutlassAtom atom = CutlassAtom.of(form).orElseThrow();
                named.add(form.opcode() + "\t" + bare(form, atom) + "\t" + atom.header());
            } else if (form.shape().n() <= 8 && !sameAsExplicit(form)) {
                assertThat(CutlassAtom.of(form)).as(form.toString()).isEmpty();
            }
        }
        assertThat(named).isEqualTo(new TreeSet<>(published)).hasSize(478);
    }

    /// Without `.scale_vec::1X` a form is the one with it.
    private static boolean sameAsExplicit(Form form) {
        return form.blockScaled() && !form.opcode().contains("scale_vec");
    }

    /// The headers leave the width of a scale factor to its template parameter VS.
    private static String bare(Form form, CutlassAtom atom) {
        return form.family().warpgroup()
                ? atom.name().replaceAll("<.*", "")
                : atom.name().replaceAll(", \\d+>", ", VS>");
    }

    private static List<String> headers() {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(
                                Objects.requireNonNull(
                                        CuteNotationTest.class.getResourceAsStream(
                                                "cutlass-atoms.tsv")),
                                StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTileInSharedMemoryIsThereForEveryThread() {
        Form form =
                Form.of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", ASource.SHARED_MEMORY);

        assertThat(CuteNotation.of(form))
                .contains("Atom      = SM90::GMMA::MMA_64x8x16_F32F16F16_SS<")
                .contains("GMMA::Layout_K_SW32_Atom<half_t>")
                .contains(
                        "ALayout   = Layout<Shape<_128, Shape<_64, _16>>, Stride<_0, Stride<_1,"
                                + " _64>>>");
    }
}
