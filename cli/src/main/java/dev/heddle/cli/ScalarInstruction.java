package dev.heddle.cli;

import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Presence;
import dev.heddle.ptx.instruction.InstructionForm.Second;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.ptx.instruction.Selector;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A scalar instruction as the table has it, by its opcode alone (`add.rn.f32`) or with operands
/// (`lop3.b32 d, a, b, c, 0x96`), where numbers stand for themselves.
///
/// @param mnemonic the opcode with its qualifiers
/// @param match how they fill a form of the table
/// @param operands in order: the destination first
record ScalarInstruction(String mnemonic, FormMatch match, List<Place> operands) {

    /// One operand.
    ///
    /// @param form its place in the table
    /// @param type of its register
    /// @param constant a number that is there, or null
    /// @param sign in front of the register: `-` or nothing
    /// @param part of the register that is named behind it: `.h1` or nothing
    record Place(
            OperandForm form,
            ScalarType type,
            @Nullable String constant,
            String sign,
            String part) {
        String name() {
            return form.name();
        }

        /// As it is in the kernel.
        private String text() {
            String name = form.isDestination() ? "d" : name();
            return constant != null ? constant : sign + "%v" + name + part;
        }

        /// As a user writes it.
        private String shown() {
            return constant != null ? constant : sign + name() + part;
        }
    }

    private static final Pattern NUMBER = Pattern.compile("[-+]?[.]?[0-9]");

    /// A register as a user names it: `a`, `-b`, `%r1.h0`.
    private static final Pattern REGISTER = Pattern.compile("(-?)[%$_A-Za-z][$\\w]*([.]\\w+)?");

    /// What computes on registers alone, each thread for itself.
    private static final Set<InstructionKind> SCALAR = scalars();

    private static Set<InstructionKind> scalars() {
        Set<InstructionKind> kinds =
                EnumSet.range(InstructionKind.INTEGER_ADD, InstructionKind.CONVERT_PACK);
        kinds.addAll(
                EnumSet.of(
                        InstructionKind.VIDEO,
                        InstructionKind.VIDEO_SHIFT,
                        InstructionKind.VIDEO_MULTIPLY_ADD,
                        InstructionKind.VIDEO_SIMD));
        kinds.removeAll(
                EnumSet.of(
                        InstructionKind.IS_IN_SPACE,
                        InstructionKind.CONVERT_ADDRESS,
                        InstructionKind.MAP_ADDRESS,
                        InstructionKind.CTA_RANK));
        return kinds;
    }

    /// Whether it computes on registers alone, each thread for itself.
    static boolean isScalar(InstructionKind kind) {
        return SCALAR.contains(kind);
    }

    /// The forms of the table that an opcode fits: the first word of a text.
    static List<FormMatch> matches(String text) {
        List<String> words = Arrays.asList(mnemonic(text).split("[.]", -1));
        String longest = head(mnemonic(text));
        if (longest.isEmpty()) {
            return List.of();
        }
        int inHead = longest.split("[.]", -1).length;
        return InstructionTable.of(longest).stream()
                .map(form -> FormMatch.of(form, words.subList(inHead, words.size())))
                .filter(FormMatch::fits)
                .toList();
    }

    static String mnemonic(String text) {
        return text.strip().split("\\s+", 2)[0].replaceFirst(";$", "");
    }

    /// The scalar instruction of a text; empty where it is none.
    ///
    /// @throws UsageError where it is one, but cannot be executed by itself
    static Optional<ScalarInstruction> of(String text) {
        List<String> given = operands(text);
        List<FormMatch> scalar =
                matches(text).stream()
                        .filter(match -> SCALAR.contains(match.form().kind()))
                        .toList();
        for (FormMatch match : scalar) {
            int count = given.isEmpty() ? required(match) : given.size();
            if (match.places(count).size() == count) {
                return Optional.of(bind(mnemonic(text), match, match.places(count), given));
            }
        }
        if (!scalar.isEmpty()) {
            throw new UsageError(
                    "%s has %d operands; expected %s"
                            .formatted(
                                    mnemonic(text), given.size(), scalar.getFirst().form().text()));
        }
        List<InstructionForm> lines = lines(text);
        if (scalar.isEmpty() && lines.stream().anyMatch(form -> isScalar(form.kind()))) {
            throw new UsageError(unfit(text));
        }
        return Optional.empty();
    }

    /// That an opcode fits no syntax line, with those there are.
    static String unfit(String text) {
        return "%s fits no syntax line; there are\n%s"
                .formatted(
                        mnemonic(text),
                        lines(text).stream()
                                .map(form -> "  %s  (%s)".formatted(form.text(), form.section()))
                                .distinct()
                                .collect(Collectors.joining("\n")));
    }

    /// The syntax lines of an opcode's first word, with the head that fits it best.
    static List<InstructionForm> lines(String text) {
        String head = head(mnemonic(text));
        String opcode = mnemonic(text).split("[.]", 2)[0];
        return (head.isEmpty() ? InstructionTable.headsOf(opcode) : List.of(head))
                .stream().flatMap(one -> InstructionTable.of(one).stream()).toList();
    }

    private static String head(String mnemonic) {
        String longest = "";
        for (String head : InstructionTable.headsOf(mnemonic.split("[.]", 2)[0])) {
            if ((mnemonic + ".").startsWith(head + ".") && head.length() > longest.length()) {
                longest = head;
            }
        }
        return longest;
    }

    private static List<String> operands(String text) {
        String[] halves = text.strip().replaceFirst(";$", "").split("\\s+", 2);
        return halves.length == 1
                ? List.of()
                : Arrays.stream(halves[1].split(",", -1)).map(String::strip).toList();
    }

    private static int required(FormMatch match) {
        int all = match.places(Integer.MAX_VALUE).size();
        return (int)
                match.places(all).stream()
                        .filter(place -> place.presence() != Presence.OPTIONAL)
                        .count();
    }

    private static ScalarInstruction bind(
            String mnemonic, FormMatch match, List<OperandForm> places, List<String> given) {
        if (mnemonic.matches("(addc|subc|madc)[.].*")) {
            throw new UsageError(
                    mnemonic + " reads the carry flag, which another instruction sets");
        }
        List<Place> operands = new ArrayList<>();
        for (int i = 0; i < places.size(); i++) {
            OperandForm form = places.get(i);
            String written = given.isEmpty() ? "" : given.get(i);
            boolean number = NUMBER.matcher(written).lookingAt();
            ScalarType type = type(match, form);
            if (type == null || type.bits() > 64 || match.vector() > 1 || form.count() > 0) {
                throw new UsageError(
                        "%s: operand %s is no scalar of up to 64 bits"
                                .formatted(mnemonic, form.name()));
            }
            if (form.kind() == Kind.CONSTANT && !number) {
                throw new UsageError(
                        "%s: operand %s is a constant; write it, as '%s'"
                                .formatted(mnemonic, form.name(), example(mnemonic, places)));
            }
            operands.add(
                    number
                            ? new Place(form, type, written, "", "")
                            : place(mnemonic, form, type, written));
        }
        Second second = operands.getFirst().form().second();
        long results = operands.stream().filter(place -> place.form().isDestination()).count();
        if (results != 1 || second != null && !second.optional()) {
            throw new UsageError(mnemonic + " has two results; exec takes instructions of one");
        }
        return new ScalarInstruction(mnemonic, match, List.copyOf(operands));
    }

    private static Place place(String mnemonic, OperandForm form, ScalarType type, String written) {
        if (written.isEmpty()) {
            return new Place(form, type, null, "", "");
        }
        Matcher register = REGISTER.matcher(written);
        String sign = register.matches() ? register.group(1) : "?";
        String part = register.matches() && register.group(2) != null ? register.group(2) : "";
        boolean signed = sign.isEmpty() || form.negatable() && sign.equals("-");
        Selector selector = form.selector();
        boolean selected =
                part.isEmpty() || selector != null && selector.accepts(part.substring(1));
        if (!signed || !selected) {
            throw new UsageError(
                    "%s: operand %s cannot be %s".formatted(mnemonic, form.name(), written));
        }
        return new Place(form, type, null, sign, part);
    }

    private static @Nullable ScalarType type(FormMatch match, OperandForm form) {
        ScalarType type = match.typeOf(form);
        return type == null && form.type().equals("mov") ? match.lastType() : type;
    }

    private static String example(String mnemonic, List<OperandForm> places) {
        return mnemonic
                + " "
                + places.stream()
                        .map(place -> place.kind() == Kind.CONSTANT ? "0xe8" : place.name())
                        .collect(Collectors.joining(", "));
    }

    Place destination() {
        return operands.getFirst();
    }

    /// The operands that arrays are given for.
    List<Place> sources() {
        return operands.stream().skip(1).filter(place -> place.constant() == null).toList();
    }

    /// A kernel that executes it once for each element: entry `scalar`, with the address of each
    /// source and of the destination, each a parameter, and the number of elements (64 bits).
    ///
    /// @param scalars the sources that have one element for all
    String kernel(String version, String target, Set<String> scalars) {
        List<Place> sources = sources();
        StringBuilder text =
                new StringBuilder(".version %s\n.target %s\n".formatted(version, target));
        text.append(".address_size 64\n.visible .entry scalar(");
        for (int i = 0; i <= sources.size(); i++) {
            text.append(".param .u64 p%d, ".formatted(i));
        }
        text.append(".param .u64 n)\n{\n.reg .b64 %i, %n, %at, %step;\n.reg .b32 %x, %y, %z;\n");
        text.append(".reg .b16 %half;\n.reg .pred %out;\n");
        declare(text, "d", destination().type());
        sources.forEach(source -> declare(text, source.name(), source.type()));
        text.append(
                """
                mov.u32 %x, %ctaid.x;
                mov.u32 %y, %ntid.x;
                mov.u32 %z, %tid.x;
                mul.wide.u32 %i, %x, %y;
                cvt.u64.u32 %step, %z;
                add.u64 %i, %i, %step;
                ld.param.u64 %n, [n];
                setp.ge.u64 %out, %i, %n;
                @%out exit;
                """);
        for (int i = 0; i < sources.size(); i++) {
            Place source = sources.get(i);
            address(text, i, scalars.contains(source.name()) ? 0 : source.type().bytes());
            load(text, source);
        }
        text.append(instruction()).append('\n');
        address(text, sources.size(), destination().type().bytes());
        store(text, destination().type());
        return text.append("exit;\n}\n").toString();
    }

    private String instruction() {
        return operands.stream()
                .map(Place::text)
                .collect(Collectors.joining(", ", mnemonic + " ", ";"));
    }

    /// The mnemonic, with the operands where they are more than names.
    String text() {
        boolean plain = operands.stream().allMatch(place -> place.shown().equals(place.name()));
        return plain
                ? mnemonic
                : operands.stream()
                        .map(Place::shown)
                        .collect(Collectors.joining(", ", mnemonic + " ", ""));
    }

    private static void declare(StringBuilder text, String name, ScalarType type) {
        String register = type == ScalarType.PRED ? "pred" : "b" + Math.max(16, type.bits());
        text.append(".reg .%s %%v%s;\n".formatted(register, name));
    }

    private static void address(StringBuilder text, int parameter, int bytes) {
        text.append("ld.param.u64 %%at, [p%d];\n".formatted(parameter));
        if (bytes > 0) {
            text.append("mad.lo.u64 %%at, %%i, %d, %%at;\n".formatted(bytes));
        }
    }

    private static void load(StringBuilder text, Place source) {
        String register = "%v" + source.name();
        if (source.type() == ScalarType.PRED) {
            text.append("ld.global.u8 %half, [%at];\n");
            text.append("setp.ne.u16 %s, %%half, 0;\n".formatted(register));
            return;
        }
        String type =
                source.type().bits() == 8
                        ? source.type().kind() == ScalarType.Kind.SIGNED ? "s8" : "u8"
                        : "b" + source.type().bits();
        text.append("ld.global.%s %s, [%%at];\n".formatted(type, register));
    }

    private static void store(StringBuilder text, ScalarType type) {
        if (type == ScalarType.PRED) {
            text.append("selp.b16 %half, 1, 0, %vd;\nst.global.u8 [%at], %half;\n");
        } else {
            text.append(
                    "st.global.%s [%%at], %%vd;\n"
                            .formatted(type.bits() == 8 ? "u8" : "b" + type.bits()));
        }
    }
}
