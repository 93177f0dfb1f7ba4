package dev.heddle.vm.collective;

import dev.heddle.isa.Form;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.UndefinedInputException;
import dev.heddle.vm.access.MemoryUnit;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.state.ExecutionCounters;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What the lanes of a warp do with matrices once they have met.
final class WarpUnit {
    private enum Operand {
        A,
        B,
        C,
        D,
        METADATA,
        SCALES_A,
        SCALES_B
    }

    private final Warp warp;
    private final MemoryUnit memory;

    // The registers of a product's operands. Products follow one another with operands of the same
    // sizes, and new arrays for each would be most of what a launch allocates.
    private final Map<Operand, int[]> fragments = new EnumMap<>(Operand.class);

    WarpUnit(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    void matrix(Frame frame, Site site, Collective.MatrixInstruction joint, int mask) {
        switch (joint) {
            case Collective.Multiply multiply -> multiply(frame, site, multiply, mask);
            case Collective.AccessMatrix access -> memory.access(frame, site, access);
            case Collective.NameTile tile -> memory.name(frame, site, tile);
        }
    }

    private void multiply(Frame frame, Site site, Collective.Multiply step, int mask) {
        warp.cta().counters().weigh(ExecutionCounters.PRODUCT_WEIGHT);
        int[] d = fragment(Operand.D, words(step.d()));
        try {
            core(warp, step.form(), site, mask).execute(operands(frame, step), d);
        } catch (UndefinedInputException e) {
            if (!warp.cta().grid().checks(RuleGroup.METADATA)) {
                // Nobody knows what a GPU leaves in D: it goes on with what is easily seen.
                Arrays.fill(d, GlobalMemory.POISON_WORD);
                scatter(frame, step.d(), d);
                return;
            }
            throw warp.faults().undefined(e.rule(), site, mask, found(e));
        }
        scatter(frame, step.d(), d);
    }

    private Operands operands(Frame frame, Collective.Multiply step) {
        Operands operands =
                Operands.of(
                        gather(frame, Operand.A, step.a()),
                        gather(frame, Operand.B, step.b()),
                        gather(frame, Operand.C, step.c()));
        Collective.Metadata metadata = step.metadata();
        if (metadata != null) {
            operands =
                    operands.withMetadata(
                            gather(frame, Operand.METADATA, List.of(metadata.word().source())),
                            metadata.selector());
        }
        if (step.scales().isEmpty()) {
            return operands;
        }
        Collective.Scale a = step.scales().get(0);
        Collective.Scale b = step.scales().get(1);
        return operands.withScales(
                gather(frame, Operand.SCALES_A, List.of(a.factors().source())),
                selector(frame, a),
                gather(frame, Operand.SCALES_B, List.of(b.factors().source())),
                selector(frame, b));
    }

    private static Operands.ScaleSelector selector(Frame frame, Collective.Scale scale) {
        return new Operands.ScaleSelector(
                (int) frame.value(scale.byteId(), 0), (int) frame.value(scale.threadId(), 0));
    }

    /// The sentence of the message, without the outcome before it and the rule behind it.
    static String found(UndefinedInputException e) {
        String text = String.valueOf(e.getMessage()).replaceFirst("^undefined behavior: ", "");
        return text.lines().findFirst().orElse(text);
    }

    /// With metadata not looked at, undefined ones are taken by their indices.
    static TensorCore core(Warp warp, Form form, Site site, int mask) {
        try {
            return warp.cta().grid().checks(RuleGroup.METADATA)
                    ? warp.cta().tensorCores().of(form)
                    : warp.cta().tensorCores().unchecked(form);
        } catch (UnsupportedOperationException e) {
            throw warp.faults().unsupported(site, mask, String.valueOf(e.getMessage()));
        }
    }

    private static int words(List<? extends Source> registers) {
        int count = 0;
        for (Source register : registers) {
            count += register.width() == Width.LONG ? 2 : 1;
        }
        return count;
    }

    private int[] fragment(Operand operand, int words) {
        int[] last = fragments.get(operand);
        if (last != null && last.length == 32 * words) {
            return last;
        }
        int[] fragment = new int[32 * words];
        fragments.put(operand, fragment);
        return fragment;
    }

    private int[] gather(Frame frame, Operand operand, List<Source> sources) {
        int[] gathered = fragment(operand, words(sources));
        int at = 0;
        for (Source source : sources) {
            if (source.width() == Width.LONG) {
                for (int lane = 0; lane < 32; lane++) {
                    long value = frame.value(source, lane);
                    gathered[at++] = (int) value;
                    gathered[at++] = (int) (value >>> 32);
                }
            } else if (source instanceof Register register) {
                System.arraycopy(frame.words, 32 * register.index(), gathered, at, 32);
                at += 32;
            } else {
                Arrays.fill(gathered, at, at + 32, (int) frame.value(source, 0));
                at += 32;
            }
        }
        return gathered;
    }

    private static void scatter(Frame frame, List<Register> targets, int[] values) {
        int at = 0;
        for (Register target : targets) {
            if (target.width() == Width.LONG) {
                for (int lane = 0; lane < 32; lane++) {
                    long low = values[at++] & 0xffff_ffffL;
                    frame.longs[32 * target.index() + lane] = low | (long) values[at++] << 32;
                }
            } else {
                System.arraycopy(values, at, frame.words, 32 * target.index(), 32);
                at += 32;
            }
        }
    }
}
