package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.SoftAssertions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A formula of the manual, compared with the fragments of all forms that it covers.
///
/// Tests write down what a section says (which forms, how many registers, where element `i` of a
/// lane stands) and nothing that the model computes.
final class Transcript {
    /// A row or column in the manual's words.
    @FunctionalInterface
    interface Formula {
        int at(int groupId, int threadIdInGroup, int i);
    }

    /// A position in the manual's words, where they start from `%laneid` itself.
    @FunctionalInterface
    interface LaneFormula {
        Position at(int laneid, int i);
    }

    private static final List<Form> ALL = Forms.all();

    private final Role role;
    private final List<Form> forms;

    private Transcript(Role role, List<Form> forms) {
        this.role = role;
        this.forms = forms;
    }

    /// The fragments of `mma` that a section covers.
    ///
    /// @param types the element types of that matrix
    static Transcript mma(String shape, Role role, String... types) {
        return of(List.of(Family.MMA), shape, role, types);
    }

    /// The fragments of `mma.sp` and `mma.sp::ordered_metadata` that a section covers.
    static Transcript sparse(String shape, Role role, String... types) {
        return of(List.of(Family.MMA_SP, Family.MMA_SP_ORDERED), shape, role, types);
    }

    /// The fragments of `mma.sp::ordered_metadata` alone that a section covers.
    static Transcript ordered(String shape, Role role, String... types) {
        return of(List.of(Family.MMA_SP_ORDERED), shape, role, types);
    }

    /// The fragments of `wgmma.mma_async` that a section covers, for every N.
    static Transcript wgmma(int k, Role role, String... types) {
        return of(List.of(Family.WGMMA), "m64n\\d+k" + k, role, types);
    }

    /// The fragments of `wgmma.mma_async.sp` that a section covers, for every N.
    static Transcript sparseWgmma(int k, Role role, String... types) {
        return of(List.of(Family.WGMMA_SP), "m64n\\d+k" + k, role, types);
    }

    private static Transcript of(List<Family> families, String shape, Role role, String... types) {
        List<Form> forms = new ArrayList<>();
        for (Family family : families) {
            List<Form> covered =
                    ALL.stream()
                            .filter(form -> form.family() == family)
                            .filter(form -> form.word(Qualifier.SHAPE).matches(shape))
                            .filter(form -> List.of(types).contains(form.type(role).ptxName()))
                            .toList();
            assertThat(covered).as("forms of %s %s", family, shape).isNotEmpty();
            forms.addAll(covered);
        }
        for (String type : types) {
            assertThat(forms)
                    .as("forms of %s with %s", shape, type)
                    .anyMatch(form -> form.type(role).ptxName().equals(type));
        }
        return new Transcript(role, forms);
    }

    /// Only the forms whose A has one of these types: sections are divided so.
    Transcript whereAIs(String... types) {
        return where(Qualifier.ATYPE, types);
    }

    /// Only the forms with that layout of the matrix.
    Transcript where(Qualifier place, String... words) {
        List<Form> kept =
                forms.stream().filter(form -> List.of(words).contains(form.word(place))).toList();
        assertThat(kept).isNotEmpty();
        return new Transcript(role, kept);
    }

    /// Checks the length of the vector and the elements in each of its registers.
    Transcript isVectorOf(int registers, int elementsPerRegister) {
        for (Form form : forms) {
            Fragment fragment = form.fragment(role);
            assertThat(fragment.registers()).as(form.toString()).isEqualTo(registers);
            assertThat(fragment.elementsPerRegister())
                    .as(form.toString())
                    .isEqualTo(elementsPerRegister);
        }
        return this;
    }

    /// Checks that the vector of a wgmma accumulator has `N / divisor` registers.
    Transcript isVectorOfNOver(int divisor) {
        for (Form form : forms) {
            assertThat(form.fragment(role).registers())
                    .as(form.toString())
                    .isEqualTo(form.shape().n() / divisor);
        }
        return this;
    }

    /// Checks where every element of every lane stands. In a warpgroup the formula is that of one
    /// warp, and each further warp holds the next 16 rows.
    void stands(Formula row, Formula col) {
        compare(
                (lane, i) -> {
                    int groupId = lane % 32 >> 2;
                    int threadIdInGroup = lane % 4;
                    return new Position(
                            row.at(groupId, threadIdInGroup, i) + 16 * (lane / 32),
                            col.at(groupId, threadIdInGroup, i));
                });
    }

    /// Checks where every element of every lane stands.
    void stands(LaneFormula formula) {
        compare(formula);
    }

    private void compare(LaneFormula formula) {
        SoftAssertions softly = new SoftAssertions();
        for (Fragment fragment : distinct()) {
            for (int lane = 0; lane < fragment.lanes(); lane++) {
                for (int i = 0; i < fragment.elements(); i++) {
                    Position found = fragment.position(lane, i);
                    Position said = formula.at(lane, i);
                    if (!found.equals(said)) {
                        softly.fail(
                                "%s lane %s element %s stands at %s, the manual says %s",
                                fragment.role(), lane, i, found, said);
                    }
                }
            }
        }
        softly.assertAll();
    }

    /// Checks a sparse A. The manual bounds the columns that a stored element may come from: it is
    /// one of the stored half of columns `firstcol` to `lastcol`, and the stored elements of these
    /// columns stand in order.
    void isStoredFrom(Formula row, Formula firstcol, Formula lastcol) {
        SoftAssertions softly = new SoftAssertions();
        for (Fragment fragment : distinct()) {
            for (int lane = 0; lane < fragment.lanes(); lane++) {
                int groupId = lane % 32 >> 2;
                int thread = lane % 4;
                for (int i = 0; i < fragment.elements(); i++) {
                    Position found = fragment.position(lane, i);
                    int first = firstcol.at(groupId, thread, i);
                    int span = lastcol.at(groupId, thread, i) - first + 1;
                    int storedOfSpan = span / 2;
                    int source = found.column() / storedOfSpan * span;
                    boolean inOrder = found.column() % storedOfSpan == i % storedOfSpan;
                    if (found.row() != row.at(groupId, thread, i) + 16 * (lane / 32)
                            || source != first
                            || !inOrder) {
                        softly.fail(
                                "lane %s element %s is stored element %s, of columns %s up; the"
                                        + " manual says %s up",
                                lane, i, found, source, first);
                    }
                }
            }
        }
        softly.assertAll();
    }

    /// The fragments of the forms; those with one layout and packing once.
    private List<Fragment> distinct() {
        Map<Object, Fragment> fragments = new LinkedHashMap<>();
        for (Form form : forms) {
            Fragment fragment = form.fragment(role);
            fragments.putIfAbsent(identity(fragment), fragment);
        }
        return List.copyOf(fragments.values());
    }

    /// What tells two fragments apart where their formats do not.
    static Object identity(Fragment fragment) {
        return List.of(
                fragment.layout().toString(),
                fragment.rows(),
                fragment.columns(),
                fragment.packing());
    }
}
