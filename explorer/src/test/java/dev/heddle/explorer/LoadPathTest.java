package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.SwizzleMode;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

@DisplayName("Loading fragments from shared memory")
final class LoadPathTest {
    private static final Form HALF = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");

    /// Rows of 128 bytes begin on the same bank: the eight 16-byte rows of each 8x8 matrix meet.
    @Test
    void rowsOf128BytesConflictEightfold() {
        LoadPath plain = new LoadPath(HALF, Role.A, 128, SwizzleMode.NONE);
        assertThat(plain.matrices().orElseThrow().passes()).isEqualTo(32);
        assertThat(plain.words()).allMatch(load -> load.passes() == 8);
    }

    /// What kernels do about it: the 128-byte swizzle, or rows that are 16 bytes longer.
    @Test
    void theSwizzleOrLongerRowsRemoveThem() {
        for (LoadPath path :
                List.of(
                        new LoadPath(HALF, Role.A, 128, SwizzleMode.BYTES_128),
                        new LoadPath(HALF, Role.B, 128, SwizzleMode.BYTES_128),
                        new LoadPath(HALF, Role.A, 144, SwizzleMode.NONE))) {
            LoadPath.Load matrices = path.matrices().orElseThrow();
            assertThat(matrices.passes()).isEqualTo(matrices.phases().size());
            assertThat(path.words()).allMatch(load -> load.passes() == 1);
        }
        LoadPath.Load half =
                new LoadPath(HALF, Role.A, 128, SwizzleMode.BYTES_64).matrices().orElseThrow();
        assertThat(half.passes()).as("four units of eight are told apart").isEqualTo(8);
    }

    /// PTX ISA 9.7.14.5.15: threads 0-7 give the rows of the first matrix, 8-15 of the second; each
    /// lane receives the 32 bits at row lane / 4, elements 2 * (lane % 4) of its matrix.
    @Test
    void matricesArriveWhereTheFragmentWantsThem() {
        int checked = 0;
        for (Form form : Forms.all()) {
            if (form.family() == Family.WGMMA || form.family() == Family.WGMMA_SP) {
                continue;
            }
            for (Role role : List.of(Role.A, Role.B)) {
                if (form.quadPairs()) {
                    continue;
                }
                LoadPath path = LoadPath.usual(form, role, SwizzleMode.NONE);
                if (path.matrices().isPresent()) {
                    arrives(form, role, path.matrices().get());
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(500);
    }

    private static void arrives(Form form, Role role, LoadPath.Load load) {
        Fragment fragment = form.fragment(role);
        int bits = fragment.packing().containerBits();
        for (int lane = 0; lane < 32; lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position row = load.places().get(8 * fragment.register(element) + lane / 4);
                int inUnit = 4 * (lane % 4) * 8 + element % fragment.elementsPerRegister() * bits;
                int along = row.column() * 8 + inUnit;
                Position at = fragment.position(lane, element);
                assertThat(role == Role.A ? at.row() : at.column()).isEqualTo(row.row());
                assertThat((role == Role.A ? at.column() : at.row()) * bits).isEqualTo(along);
            }
        }
    }

    @Test
    void doublesAreLoadedByHalfWarps() {
        Form form = Form.of("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64");
        LoadPath path = LoadPath.usual(form, Role.A, SwizzleMode.NONE);
        assertThat(path.matrices()).isEmpty();
        assertThat(path.words()).hasSize(1).allMatch(load -> load.phases().size() == 2);
        assertThat(path.words().getFirst().passes())
                .as("four rows of 128 bytes, twice")
                .isEqualTo(8);
    }

    @Test
    void whatCannotBeLoadedSoIsRefused() {
        assertThatThrownBy(() -> new LoadPath(HALF, Role.A, 24, SwizzleMode.NONE))
                .hasMessage("pitch 24: expected a multiple of 16 bytes from 32 to 4096");
        assertThatThrownBy(() -> new LoadPath(HALF, Role.C, 128, SwizzleMode.NONE))
                .hasMessageContaining("A and B of mma");
        Form wide = Form.of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
        assertThatThrownBy(() -> LoadPath.usual(wide, Role.A, SwizzleMode.NONE))
                .hasMessageContaining("A and B of mma");
    }

    @Test
    void theAddressesInCAreThoseOfTheModel(@TempDir Path folder)
            throws IOException, InterruptedException {
        CProgram.assumeCompiler();
        StringBuilder units = new StringBuilder("#include <stdio.h>\n#define __device__ static\n");
        StringBuilder main = new StringBuilder("int main(void) {\n");
        List<String> expected = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Form form : Forms.all()) {
            if (form.family().warpgroup() || form.quadPairs()) {
                continue;
            }
            for (Role role : List.of(Role.A, Role.B)) {
                for (SwizzleMode mode : SwizzleMode.values()) {
                    for (boolean words : new boolean[] {false, true}) {
                        LoadPath path = LoadPath.usual(form, role, mode);
                        String code = String.valueOf(path.document(words).get("code"));
                        boolean each = words || path.matrices().isEmpty();
                        if (!seen.add(code)) {
                            continue;
                        }
                        String unit = "u" + seen.size();
                        units.append(code.replace(role.letter() + "_offset", unit));
                        List<LoadPath.Load> loads =
                                each ? path.words() : List.of(path.matrices().orElseThrow());
                        for (int r = 0; r < loads.size(); r++) {
                            List<Integer> addresses = loads.get(r).addresses();
                            main.append("for (int lane = 0; lane < ")
                                    .append(addresses.size())
                                    .append("; lane++) printf(\"%u\\n\", ")
                                    .append(unit)
                                    .append(each ? "(lane, " + r + "));\n" : "(lane));\n");
                            addresses.forEach(address -> expected.add(address.toString()));
                        }
                    }
                }
            }
        }
        assertThat(CProgram.lines(folder, units + main.toString() + "return 0;\n}\n"))
                .isEqualTo(expected);
        assertThat(seen).hasSizeGreaterThan(40);
    }
}
