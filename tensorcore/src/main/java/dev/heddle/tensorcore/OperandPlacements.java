package dev.heddle.tensorcore;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.tensorcore.kernel.Placement;
import dev.heddle.tensorcore.kernel.Places;

import java.util.ArrayList;
import java.util.List;

/// Where the operands of a form are, derived once from its fragments.
record OperandPlacements(Form form, RegisterOrder order) {
    /// The places of an instruction's registers, and of what is in shared memory as
    /// [TensorCore#load] copies it.
    ///
    /// @param computation which of the products, where a form computes several
    Places registers(
            int computation,
            Operands.Majors majors,
            Operands.ScaleSelector selectA,
            Operands.ScaleSelector selectB) {
        return new Places(
                form.aSource() == ASource.SHARED_MEMORY
                        ? shared(form.shape().m(), form.storedColumns(), Role.A, majors.a())
                        : fragment(Role.A, computation),
                form.family().warpgroup()
                        ? shared(form.shape().n(), form.shape().k(), Role.B, majors.b())
                        : fragment(Role.B, computation),
                fragment(Role.C, computation),
                fragment(Role.D, computation),
                form.metadata().map(this::metadata).orElse(List.of()),
                form.scaleFactors(Role.A).map(factors -> scales(factors, selectA)),
                form.scaleFactors(Role.B).map(factors -> scales(factors, selectB)));
    }

    private Placement shared(int lines, int k, Role role, Major major) {
        int bits = form.type(role).bits();
        return switch (major) {
            case K -> Placement.packed(lines, k, bits);
            case MN -> transposed(Placement.packed(k, lines, bits));
        };
    }

    private static Placement transposed(Placement placement) {
        int majors = placement.minors();
        int minors = placement.majors();
        int[] word = new int[majors * minors];
        int[] bit = new int[majors * minors];
        for (int at = 0; at < word.length; at++) {
            int from = at % minors * majors + at / minors;
            word[at] = placement.word()[from];
            bit[at] = placement.bit()[from];
        }
        return new Placement(majors, minors, word, bit);
    }

    private Placement fragment(Role role, int computation) {
        Fragment fragment = form.fragment(role);
        boolean columnsFirst = role == Role.B;
        int majors = columnsFirst ? fragment.columns() : fragment.rows();
        int minors = columnsFirst ? fragment.rows() : fragment.columns();
        int[] word = new int[majors * minors];
        int[] bit = new int[majors * minors];
        for (int lane = 0; lane < fragment.lanes(); lane++) {
            for (int element = 0; element < fragment.elements(); element++) {
                Position position = fragment.position(lane, element);
                if (position.computation() == computation) {
                    int at =
                            columnsFirst
                                    ? position.column() * minors + position.row()
                                    : position.row() * minors + position.column();
                    word[at] =
                            order.word(
                                    lane,
                                    fragment.register(element),
                                    fragment.lanes(),
                                    fragment.registers(),
                                    fragment.registerBits() / Integer.SIZE);
                    bit[at] = fragment.bitLow(element);
                }
            }
        }
        return new Placement(majors, minors, word, bit);
    }

    private List<Placement> metadata(Metadata metadata) {
        List<Placement> places = new ArrayList<>();
        for (int selector : metadata.selectorValues()) {
            int[] word = new int[metadata.rows() * metadata.chunks()];
            int[] bit = new int[word.length];
            for (int at = 0; at < word.length; at++) {
                Metadata.Nibble nibble =
                        metadata.nibble(
                                new Metadata.Chunk(at / metadata.chunks(), at % metadata.chunks()),
                                selector);
                word[at] = nibble.lane();
                bit[at] = nibble.bitLow();
            }
            places.add(new Placement(metadata.rows(), metadata.chunks(), word, bit));
        }
        return places;
    }

    private static Placement scales(ScaleFactors factors, Operands.ScaleSelector select) {
        int[] word = new int[factors.lines() * factors.vectors()];
        int[] bit = new int[word.length];
        for (int at = 0; at < word.length; at++) {
            ScaleFactors.Supplier supplier =
                    factors.supplier(
                            new ScaleFactors.Factor(at / factors.vectors(), at % factors.vectors()),
                            select.byteId(),
                            select.threadId());
            word[at] = supplier.lane();
            bit[at] = supplier.bitLow();
        }
        return new Placement(factors.lines(), factors.vectors(), word, bit);
    }
}
