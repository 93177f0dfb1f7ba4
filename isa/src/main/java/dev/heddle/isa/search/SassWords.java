package dev.heddle.isa.search;

import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a disassembler's name such as `QGMMA.SP.64x128x64.F32.E4M3.E5M2` asks for.
final class SassWords {
    private static final List<String> RESULTS = List.of("f16", "f32");

    private final SassName name;
    private final List<String> types = new ArrayList<>();
    private final List<Criterion> criteria = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    private SassWords(SassName name) {
        this.name = name;
    }

    /// Reads a name; empty if it does not begin with a mnemonic of [SassName].
    static Optional<SassWords> of(String text) {
        String[] parts = text.split("\\.", -1);
        return SassName.of(parts[0])
                .map(
                        name -> {
                            SassWords words = new SassWords(name);
                            words.read(parts);
                            return words;
                        });
    }

    List<Criterion> criteria() {
        return criteria;
    }

    /// Parts that were not understood.
    List<String> unknown() {
        return unknown;
    }

    private void read(String[] parts) {
        boolean half = name.types().contains("tf32");
        List<String> operands = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].toLowerCase(Locale.ROOT);
            List<Criterion> known = Vocabulary.of(part.equals("and") ? "andpopc" : part);
            if (known.isEmpty()) {
                if (!part.isEmpty() && !Vocabulary.idle(part) && !part.startsWith("step")) {
                    unknown.add(parts[i]);
                }
            } else if (known.getFirst().types().isEmpty()) {
                criteria.addAll(known);
            } else if (half ? !RESULTS.contains(part) : name.types().contains(part)) {
                operands.add(part);
            } else {
                types.add(known.getFirst().types().getFirst());
            }
        }
        String first = operands.isEmpty() ? "" : operands.getFirst();
        String second = operands.size() > 1 ? operands.get(1) : first;
        criteria.addFirst(
                new Criterion(
                        name.mnemonic().toLowerCase(Locale.ROOT),
                        name.mnemonic() + ": " + name.meaning(),
                        form -> family(form) && multiplies(form, half, first, second)));
        if (!types.isEmpty()) {
            criteria.add(
                    new Criterion(
                            types.getFirst(), "D of type ." + types.getFirst(), this::results));
        }
        if (!sparse(parts)) {
            criteria.add(new Criterion("no .SP", "A dense", form -> !form.sparse()));
        }
    }

    private static boolean sparse(String[] parts) {
        return List.of(parts).stream().anyMatch(part -> part.equalsIgnoreCase("SP"));
    }

    /// 4-bit floats are `OMMA`'s where they are packed, and `QMMA`'s in a byte each.
    private boolean family(Form form) {
        boolean packed = form.word(Qualifier.ATYPE).equals("e2m1") && !form.padded();
        return form.family().warpgroup() == name.warpgroup()
                && packed == name.mnemonic().equals("OMMA");
    }

    private boolean multiplies(Form form, boolean half, String first, String second) {
        String a = form.word(Qualifier.ATYPE);
        String b = form.word(Qualifier.BTYPE);
        if (first.isEmpty()) {
            return half ? a.equals("f16") : name.types().contains(a);
        }
        return a.equals(first) && b.equals(second);
    }

    /// The first type is D's; the accumulator's may follow it.
    private boolean results(Form form) {
        String accumulator = form.word(Qualifier.CTYPE);
        return Vocabulary.types(form).containsAll(types)
                && form.word(Qualifier.DTYPE).equals(types.getFirst())
                && (types.size() < 2
                        || accumulator.isEmpty()
                        || accumulator.equals(types.get(1))
                        || form.blockScaled());
    }
}
