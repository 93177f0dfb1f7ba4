package dev.heddle.vm.lowering;

import static dev.heddle.ptx.ScalarType.B32;
import static dev.heddle.ptx.ScalarType.B64;
import static dev.heddle.ptx.ScalarType.S32;
import static dev.heddle.ptx.ScalarType.S64;
import static dev.heddle.ptx.ScalarType.U32;
import static dev.heddle.vm.ir.OperationKind.ADD;
import static dev.heddle.vm.ir.OperationKind.AND;
import static dev.heddle.vm.ir.OperationKind.MUL;
import static dev.heddle.vm.ir.OperationKind.OR;
import static dev.heddle.vm.ir.OperationKind.SHL;
import static dev.heddle.vm.ir.OperationKind.SHR;
import static dev.heddle.vm.ir.OperationKind.ZEXT;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Modifier;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// `wmma.load` and `wmma.store` (PTX ISA 9.7.14.4.3 and 9.7.14.4.4): lanes agree on a tile, and
/// then each loads or stores what it holds of it, as other loads and stores do.
record TileLowering(CodeBuilder builder, WarpLowering warp) {
    /// An instruction.
    ///
    /// @param near whether addresses are those of shared memory, in words
    private record Named(Tile tile, Space space, Source base, Source stride, boolean near) {}

    /// Where a lane has some of what it holds.
    private record Piece(Source base, long offset) {}

    void access(BoundInstruction form) {
        boolean loads = form.places().getFirst().isDestination();
        Operand address = form.operand(loads ? 1 : 0);
        Operand fragment = form.operand(loads ? 0 : 1);
        List<Register> targets = loads ? warp.results(fragment, B32) : List.of();
        List<Source> values = loads ? List.of() : warp.fragment(fragment, B32);
        int count = targets.size() + values.size();
        Tile tile = WmmaLowering.tile(form, count);
        MemoryOperands.Place place = warp.memory().place(address);
        Space space = warp.memory().space(form, address);
        Source stride =
                form.operands().size() > 2
                        ? builder.read(form.operand(2), B32)
                        : Source.word(tile.defaultStride());
        warp.join(
                new Collective.NameTile(
                        loads ? AccessKind.LOAD : AccessKind.STORE,
                        space,
                        place.base(),
                        place.offset(),
                        stride,
                        tile.elementBits(),
                        tile.alignment(count)));
        boolean near = space == Space.SHARED && place.base().width() == Width.WORD;
        Named named = new Named(tile, space, place.base(), stride, near);
        List<Piece> pieces = pieces(named, place.offset());
        if (loads) {
            load(named, pieces, targets);
        } else {
            store(named, pieces, values);
        }
    }

    // Addresses. The registers of a load may have been those of its address.

    private List<Piece> pieces(Named named, long offset) {
        Tile tile = named.tile();
        Source lane = builder.special(SpecialRegister.LANEID);
        Source start = start(named, lane);
        List<Piece> pieces = new ArrayList<>();
        Source[] rows = new Source[1 + max(tile.outer())];
        for (int unit = 0; unit < tile.units(); unit += tile.together()) {
            int outer = tile.outer()[32 * unit];
            long ahead = tile.bytes(tile.inner()[32 * unit]);
            if (named.stride() instanceof Source.Constant(_, long bits)) {
                ahead += (long) (int) bits * outer * tile.elementBits() / 8;
                outer = 0;
            }
            if (rows[outer] == null) {
                Source behind = outer == 0 ? null : bytes(named, Source.word(outer));
                rows[outer] = behind == null ? start : add(named, start, behind);
            }
            pieces.add(new Piece(rows[outer], offset + ahead));
        }
        return pieces;
    }

    private static int max(int[] of) {
        int max = 0;
        for (int one : of) {
            max = Math.max(max, one);
        }
        return max;
    }

    /// Where a lane's first unit is, less the offset.
    private Source start(Named named, Source lane) {
        Tile tile = named.tile();
        Source rows = bytes(named, ofLane(lane, at -> tile.outer()[at]));
        Source within = ofLane(lane, at -> tile.bytes(tile.inner()[at]));
        Source base = named.base();
        if (!named.near()) {
            within = builder.compute(Operation.from(B32, ZEXT, B64), within);
            base = builder.copy(wide(base));
        }
        return add(named, add(named, base, rows), within);
    }

    private Source wide(Source base) {
        return base.width() == Width.WORD
                ? builder.compute(Operation.from(B32, ZEXT, B64), base)
                : base;
    }

    private Source add(Named named, Source first, Source second) {
        return builder.compute(ADD, named.near() ? B32 : B64, first, second);
    }

    /// The bytes of so many rows.
    private Source bytes(Named named, Source rows) {
        Operation product =
                named.near() ? Operation.of(MUL, B32) : Operation.of(MUL, S32, Modifier.WIDE);
        Source elements = builder.compute(product, named.stride(), rows);
        int shift = Integer.numberOfTrailingZeros(named.tile().elementBits()) - 3;
        ScalarType type = named.near() ? B32 : B64;
        ScalarType signed = named.near() ? S32 : S64;
        return shift == 0
                ? elements
                : shift > 0
                        ? builder.compute(SHL, type, elements, Source.word(shift))
                        : builder.compute(SHR, signed, elements, Source.word(-shift));
    }

    /// What the bits of a lane's number add to a place: those that stand side by side in both go
    /// together.
    private Source ofLane(Source lane, IntUnaryOperator place) {
        Source sum = null;
        for (int from = 0; from < 5; ) {
            int weight = weight(place, from);
            int to = from + 1;
            while (to < 5 && weight(place, to) == weight << to - from) {
                to++;
            }
            if (weight != 0) {
                Source part = builder.compute(SHR, U32, lane, Source.word(from));
                part = builder.compute(AND, B32, part, Source.word((1 << to - from) - 1));
                part = builder.compute(MUL, B32, part, Source.word(weight));
                sum = sum == null ? part : builder.compute(ADD, B32, sum, part);
            }
            from = to;
        }
        return sum == null ? Source.word(0) : sum;
    }

    private static int weight(IntUnaryOperator place, int bit) {
        return place.applyAsInt(1 << bit) - place.applyAsInt(0);
    }

    // Registers. Units are taken as many at once as stand together: some registers, or a part of
    // one.

    private void load(Named named, List<Piece> pieces, List<Register> targets) {
        Tile tile = named.tile();
        int together = tile.together();
        Register sum = null;
        for (int unit = 0; unit < tile.units(); unit += together) {
            Piece piece = pieces.get(unit / together);
            int register = unit / tile.perRegister();
            if (together >= tile.perRegister()) {
                int end = (unit + together) / tile.perRegister();
                load(named, piece, tile.registerBytes(), targets.subList(register, end));
                continue;
            }
            Register part = builder.registers().temporary(Width.WORD);
            load(named, piece, together * tile.unitBytes(), List.of(part));
            int shift = tile.shift(unit);
            if (sum == null || shift == 0) {
                sum = part;
                continue;
            }
            // Under the guard of the load: else the part has not been written.
            builder.assign(part, Operation.of(SHL, B32), part, Source.word(shift));
            boolean isLast = (unit + together) % tile.perRegister() == 0;
            Register whole = isLast ? targets.get(register) : sum;
            builder.assign(whole, Operation.of(OR, B32), sum, part);
        }
        for (int i = tile.registers(); i < targets.size(); i++) {
            builder.move(targets.get(i), targets.get(i - tile.registers()));
        }
    }

    private void load(Named named, Piece piece, int bytes, List<Register> targets) {
        builder.add(
                new Step.Load(
                        builder.site(),
                        builder.guard(),
                        Access.weak(named.space(), bytes),
                        List.copyOf(targets),
                        piece.base(),
                        piece.offset()));
    }

    private void store(Named named, List<Piece> pieces, List<Source> values) {
        Tile tile = named.tile();
        int together = tile.together();
        for (int unit = 0; unit < tile.units(); unit += together) {
            int register = unit / tile.perRegister();
            int bytes = tile.registerBytes();
            List<Source> stored;
            if (together >= tile.perRegister()) {
                stored = values.subList(register, (unit + together) / tile.perRegister());
            } else {
                bytes = together * tile.unitBytes();
                Source shift = Source.word(tile.shift(unit));
                stored = List.of(builder.compute(SHR, U32, values.get(register), shift));
            }
            Piece piece = pieces.get(unit / together);
            builder.add(
                    new Step.Store(
                            builder.site(),
                            builder.guard(),
                            Access.weak(named.space(), bytes),
                            stored,
                            piece.base(),
                            piece.offset()));
        }
    }
}
