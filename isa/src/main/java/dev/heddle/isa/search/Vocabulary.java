package dev.heddle.isa.search;

import dev.heddle.formats.Format;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Suggestion;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The words that a search understands, in small letters.
final class Vocabulary {
    /// Names of types in other languages and libraries, and what PTX calls them.
    private static final Map<String, List<String>> TYPES = types();

    /// Names of GPUs, and the first target of each with all its matrix instructions.
    private static final Map<String, String> GENERATIONS =
            Map.of(
                    "volta", "sm_70",
                    "turing", "sm_75",
                    "ampere", "sm_80",
                    "ada", "sm_89",
                    "hopper", "sm_90a",
                    "blackwell", "sm_120a");

    private static final Map<String, Criterion> WORDS = words();

    /// Words of opcodes and of prose that choose nothing.
    private static final Set<String> IDLE =
            Set.of(
                    """
                    sync aligned mma_async asm volatile the of a an for with in and to tensor core
                    cores matrix product multiply accumulate accumulator instruction ptx popc
                    """
                            .split("\\s"));

    private Vocabulary() {}

    private static Map<String, List<String>> types() {
        Map<String, List<String>> types = new LinkedHashMap<>();
        for (Format format : Format.all()) {
            types.put(format.ptxName(), List.of(format.ptxName()));
        }
        String others =
                """
                half fp16 float16: f16
                bfloat16 bfloat: bf16
                tensorfloat32 tensorfloat: tf32
                fp32 float32 float single: f32
                fp64 float64 double: f64
                int8 i8: s8 u8
                uint8: u8
                int4 i4: s4 u4
                uint4: u4
                int32 i32 int: s32
                bit bits bit1 1bit binary int1: b1
                fp8 float8 f8: e4m3 e5m2
                e4m3fn: e4m3
                fp6 f6: e3m2 e2m3
                fp4 f4: e2m1
                e8m0 e8: ue8m0
                """;
        for (String line : others.lines().toList()) {
            int colon = line.indexOf(':');
            List<String> meant = List.of(line.substring(colon + 2).split(" ", -1));
            for (String word : line.substring(0, colon).split(" ", -1)) {
                types.put(word, meant);
            }
        }
        return types;
    }

    private static Map<String, Criterion> words() {
        Map<String, Criterion> words = new LinkedHashMap<>();
        put(words, "mma warp", "one warp: mma", form -> !form.family().warpgroup());
        put(
                words,
                "wgmma warpgroup gmma",
                "one warpgroup: wgmma.mma_async",
                form -> form.family().warpgroup());
        put(words, "sparse sp structured 2:4 4:8 1:2", "A structured sparse", Form::sparse);
        put(words, "dense", "A dense", form -> !form.sparse());
        put(
                words,
                "ordered ordered_metadata sp::ordered_metadata",
                "metadata in increasing order",
                form -> form.family() == Family.MMA_SP_ORDERED);
        put(
                words,
                "block_scale scaled blockscaled block-scaled scale sf mx microscaling",
                "scale factors for blocks of A and B",
                Form::blockScaled);
        put(words, "satfinite sat saturate saturating", "a saturated result", Form::satfinite);
        for (String kind : List.of("f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4")) {
            put(words, kind + " kind::" + kind, ".kind::" + kind, form -> kind(form, kind));
        }
        put(words, "mxfp8 mxfp6", ".kind::mxf8f6f4", form -> kind(form, "mxf8f6f4"));
        put(words, "mxfp4", ".kind::mxf4", form -> kind(form, "mxf4"));
        put(
                words,
                "nvfp4 nvf4",
                ".kind::mxf4nvf4 with .ue4m3",
                form -> kind(form, "mxf4nvf4") && form.word(Qualifier.STYPE).equals("ue4m3"));
        for (String size : List.of("1x", "2x", "4x")) {
            int vectors = size.charAt(0) - '0';
            put(
                    words,
                    size + " scale_vec::" + size,
                    vectors + " scale factors along K",
                    form -> form.scaleVectors() == vectors);
        }
        // "and" alone is a word of prose
        put(words, "xor", ".xor.popc", form -> form.bitOperation().equals(Optional.of("xor")));
        put(words, "andpopc", ".and.popc", form -> form.bitOperation().equals(Optional.of("and")));
        for (String rounding : List.of("rn", "rz", "rm", "rp")) {
            put(
                    words,
                    rounding,
                    "rounding ." + rounding,
                    form -> form.word(Qualifier.ROUNDING).equals(rounding));
        }
        put(
                words,
                "rs registers register",
                "A in registers",
                form -> form.aSource() == ASource.REGISTERS);
        put(
                words,
                "ss shared smem descriptor desc",
                "A in shared memory",
                form -> form.aSource() == ASource.SHARED_MEMORY);
        return words;
    }

    private static boolean kind(Form form, String kind) {
        return form.kind().equals(Optional.of(kind));
    }

    private static void put(
            Map<String, Criterion> words, String spellings, String meaning, Predicate<Form> fits) {
        for (String word : spellings.split(" ", -1)) {
            words.put(word, new Criterion(word, meaning, fits));
        }
    }

    /// Every word but shapes and targets.
    static List<String> all() {
        List<String> all = new ArrayList<>(TYPES.keySet());
        all.addAll(WORDS.keySet());
        all.addAll(GENERATIONS.keySet());
        return all;
    }

    /// The words that choose nothing.
    static Set<String> idle() {
        return IDLE;
    }

    /// Whether a word chooses nothing.
    static boolean idle(String word) {
        return IDLE.contains(word);
    }

    /// What a word asks for, one criterion or one for each extent of a shape; empty if it is not
    /// understood.
    static List<Criterion> of(String word) {
        Criterion known = WORDS.get(word);
        if (known != null) {
            return List.of(known);
        }
        List<String> types = TYPES.get(word);
        if (types != null) {
            return List.of(
                    new Criterion(
                            word,
                            "a matrix of type ." + String.join(" or .", types),
                            form -> !Collections.disjoint(types(form), types),
                            types));
        }
        return ShapeWord.of(word).map(ShapeWord::criteria).orElseGet(() -> target(word));
    }

    private static List<Criterion> target(String word) {
        String name = GENERATIONS.getOrDefault(word, word.startsWith("sm_") ? word : "");
        return Target.all().stream()
                .filter(target -> target.toString().equals(name))
                .limit(1)
                .map(
                        target ->
                                new Criterion(
                                        word,
                                        "what " + target + " has",
                                        form -> form.requirement().targets().include(target)))
                .toList();
    }

    /// The word that was probably meant.
    static Optional<String> nearest(String word) {
        return Suggestion.nearest(word, all());
    }

    /// The types in an opcode, in its order: of D, A, B, C and the scale factors.
    static List<String> types(Form form) {
        // every form is asked, so this is no stream
        List<String> types = new ArrayList<>(Qualifier.TYPE_PLACES.size());
        for (Qualifier place : Qualifier.TYPE_PLACES) {
            if (!form.word(place).isEmpty()) {
                types.add(form.word(place));
            }
        }
        return types;
    }

    /// The same, with an empty text where it has none.
    static List<String> typePlaces(Form form) {
        return Qualifier.TYPE_PLACES.stream().map(form::word).toList();
    }
}
