package dev.heddle.explorer;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.isa.SwizzleMode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// How a warp loads a fragment of A or B from shared memory: the address of each lane, and how many
/// passes over the banks the loads take.
///
/// The tile is there with K running along memory: rows of A, columns of B, one every `pitch`
/// bytes. A bank is 4 bytes wide and gives one word a pass; lanes that read the same word share it.
/// `ldmatrix` reads eight rows of 16 bytes at a time (PTX ISA 9.7.14.5.15), `ld.shared` one
/// register of all lanes.
///
/// @param form  the form
/// @param role  A or B
/// @param pitch bytes from one row to the next, a multiple of 16
/// @param mode  how 16-byte units are swizzled
public record LoadPath(Form form, Role role, int pitch, SwizzleMode mode) {
    private static final int BANKS = 32;
    private static final int WORD = 4;
    private static final int UNIT = 16;
    private static final int LONGEST_PITCH = 4_096;
    private static final int USUAL_PITCH = 128;

    /// @throws InputException if the warp does not load the matrix so
    public LoadPath {
        if (form.family().warpgroup() || role == Role.C || role == Role.D || form.quadPairs()) {
            throw new InputException(
                    "the load path is that of A and B of mma, but not of m8n8k4 with f16");
        }
        if (pitch < rowBytes(form, role) || pitch > LONGEST_PITCH || pitch % UNIT != 0) {
            throw new InputException(
                    "pitch %d: expected a multiple of 16 bytes from %d to %d"
                            .formatted(pitch, roundedUp(rowBytes(form, role)), LONGEST_PITCH));
        }
    }

    /// With rows of 128 bytes, or as long as the tile needs.
    public static LoadPath usual(Form form, Role role, SwizzleMode mode) {
        int pitch =
                form.family().warpgroup()
                        ? USUAL_PITCH
                        : Math.max(USUAL_PITCH, roundedUp(rowBytes(form, role)));
        return new LoadPath(form, role, pitch, mode);
    }

    private static int roundedUp(int bytes) {
        return (bytes + UNIT - 1) / UNIT * UNIT;
    }

    /// Bytes of a row of the tile.
    static int rowBytes(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        int along = role == Role.A ? fragment.columns() : fragment.rows();
        return along * fragment.packing().containerBits() / Byte.SIZE;
    }

    /// One load instruction.
    ///
    /// @param text      as PTX writes it
    /// @param addresses the byte address that each lane gives, in the order of lanes
    /// @param places    row and byte in the row of each address
    /// @param phases    the words that are read together
    public record Load(
            String text,
            List<Integer> addresses,
            List<Position> places,
            List<Set<Integer>> phases) {

        /// Passes over the banks: one for each phase if nothing conflicts.
        public int passes() {
            return phases.stream().mapToInt(Load::ways).sum();
        }

        /// The most words of one bank.
        private static int ways(Set<Integer> words) {
            Map<Integer, Integer> uses = new HashMap<>();
            words.forEach(word -> uses.merge(word % BANKS, 1, Integer::sum));
            return uses.values().stream().mapToInt(count -> count).max().orElse(0);
        }
    }

    private int address(int row, int bytes) {
        return mode.swizzle().apply(row * pitch + bytes);
    }

    /// Row of A or column of B, and the byte along K, of the first element of a register.
    private Position place(int lane, int register) {
        Fragment fragment = form.fragment(role);
        Position at = fragment.position(lane, register * fragment.elementsPerRegister());
        int bits = fragment.packing().containerBits();
        return role == Role.A
                ? new Position(at.row(), at.column() * bits / Byte.SIZE, 0)
                : new Position(at.column(), at.row() * bits / Byte.SIZE, 0);
    }

    /// The fragment by one `ldmatrix`; empty if its matrices are not the fragment's registers.
    public Optional<Load> matrices() {
        int count = form.fragment(role).registers();
        if (count > 4 || form.fragment(role).registerBits() != 32) {
            return Optional.empty();
        }
        for (int register = 0; register < count; register++) {
            Position first = place(0, register);
            for (int lane = 0; lane < 32; lane++) {
                Position at = place(lane, register);
                if (at.row() != first.row() + lane / 4
                        || at.column() != first.column() + WORD * (lane % 4)) {
                    return Optional.empty();
                }
            }
        }
        List<Integer> addresses = new ArrayList<>();
        List<Position> places = new ArrayList<>();
        List<Set<Integer>> phases = new ArrayList<>();
        for (int register = 0; register < count; register++) {
            Position first = place(0, register);
            Set<Integer> words = new HashSet<>();
            for (int row = 0; row < 8; row++) {
                int address = address(first.row() + row, first.column());
                addresses.add(address);
                places.add(new Position(first.row() + row, first.column(), 0));
                for (int word = 0; word < UNIT / WORD; word++) {
                    words.add(address / WORD + word);
                }
            }
            phases.add(words);
        }
        String text =
                "ldmatrix.sync.aligned.m8n8.x%d.shared.b16 {%s}, [address];"
                        .formatted(count, registers(0, count));
        return Optional.of(new Load(text, addresses, places, phases));
    }

    /// The fragment by an `ld.shared` for each register.
    public List<Load> words() {
        Fragment fragment = form.fragment(role);
        int bytes = fragment.registerBits() / Byte.SIZE;
        List<Load> loads = new ArrayList<>();
        for (int register = 0; register < fragment.registers(); register++) {
            List<Integer> addresses = new ArrayList<>();
            List<Position> places = new ArrayList<>();
            List<Set<Integer>> phases = new ArrayList<>();
            for (int lane = 0; lane < 32; lane++) {
                // 8 bytes a lane are read by half a warp at a time
                if (lane % (128 / bytes) == 0) {
                    phases.add(new HashSet<>());
                }
                Position at = place(lane, register);
                int address = address(at.row(), at.column());
                addresses.add(address);
                places.add(at);
                for (int word = 0; word < bytes / WORD; word++) {
                    phases.getLast().add(address / WORD + word);
                }
            }
            loads.add(
                    new Load(
                            "ld.shared.b%d %s, [address];"
                                    .formatted(8 * bytes, registers(register, register + 1)),
                            addresses,
                            places,
                            phases));
        }
        return loads;
    }

    private String registers(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int register = from; register < to; register++) {
            names.add("%" + role.letter() + register);
        }
        return String.join(", ", names);
    }

    /// What the page shows.
    ///
    /// @param words whether by `ld.shared` even where `ldmatrix` would do
    Map<String, Object> document(boolean words) {
        Optional<Load> matrices = matrices();
        List<Load> loads = words || matrices.isEmpty() ? words() : List.of(matrices.get());
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("matrices", matrices.isPresent());
        document.put("pitch", pitch);
        document.put("mode", mode.ordinal());
        document.put("least", roundedUp(rowBytes(form, role)));
        document.put("loads", loads.stream().map(LoadPath::load).toList());
        document.put("summary", summary(loads));
        boolean byWords = words || matrices.isEmpty();
        document.put("choices", choices(byWords).stream().map(Choice::cells).toList());
        document.put("code", code(byWords));
        return document;
    }

    private static Map<String, Object> load(Load load) {
        List<Object> lanes = new ArrayList<>();
        for (int lane = 0; lane < load.addresses.size(); lane++) {
            Position at = load.places.get(lane);
            lanes.add(List.of(load.addresses.get(lane), at.row(), at.column()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("text", load.text);
        document.put("passes", load.passes());
        document.put("ideal", load.phases.size());
        document.put("lanes", lanes);
        return document;
    }

    private static int passes(List<Load> loads) {
        return loads.stream().mapToInt(Load::passes).sum();
    }

    private static int ideal(List<Load> loads) {
        return loads.stream().mapToInt(load -> load.phases.size()).sum();
    }

    /// Whether lanes meet on banks, in a sentence.
    public String summary(List<Load> loads) {
        int passes = passes(loads);
        int ideal = ideal(loads);
        return passes == ideal
                ? "No bank conflicts: %d passes over the banks, the least there can be."
                        .formatted(passes)
                : "Bank conflicts: %d passes over the banks instead of %d, %d at a time on one bank."
                        .formatted(
                                passes,
                                ideal,
                                loads.stream()
                                        .flatMap(load -> load.phases.stream())
                                        .mapToInt(Load::ways)
                                        .max()
                                        .orElse(0));
    }

    /// What another way to place the rows would cost.
    ///
    /// @param passes over the banks
    /// @param least  the fewest that the loads can take
    public record Choice(String name, int pitch, SwizzleMode mode, int passes, int least) {
        private List<Object> cells() {
            return List.of(name, pitch, mode.ordinal(), passes, least);
        }
    }

    /// The passes of each swizzle, and of a row that is 16 bytes longer.
    ///
    /// @param words whether by `ld.shared`
    public List<Choice> choices(boolean words) {
        List<Choice> choices = new ArrayList<>();
        for (SwizzleMode each : SwizzleMode.values()) {
            choices.add(choice(new LoadPath(form, role, pitch, each), each.toString(), words));
        }
        if (pitch + UNIT <= LONGEST_PITCH) {
            choices.add(
                    choice(
                            new LoadPath(form, role, pitch + UNIT, SwizzleMode.NONE),
                            "no swizzle, rows of %d bytes".formatted(pitch + UNIT),
                            words));
        }
        return choices;
    }

    private static Choice choice(LoadPath path, String name, boolean words) {
        List<Load> loads = words ? path.words() : List.of(path.matrices().orElseThrow());
        return new Choice(name, path.pitch, path.mode, passes(loads), ideal(loads));
    }

    /// The address of a lane in C++.
    ///
    /// @param words whether for `ld.shared`
    public String code(boolean words) {
        return words ? codeOfWords() : codeOfMatrices();
    }

    private String swizzle(String offset) {
        return mode == SwizzleMode.NONE
                ? offset
                : "%s ^ (%s >> 7 & %d) << 4".formatted(offset, offset, (mode.rowBytes() >> 4) - 1);
    }

    /// The address of a lane in C++, from rows and bytes that are sums of what its bits add.
    private String codeOfMatrices() {
        int count = form.fragment(role).registers();
        StringBuilder row = new StringBuilder("(lane & 7)");
        StringBuilder bytes = new StringBuilder();
        for (int bit = 0; 1 << bit < count; bit++) {
            Position step = place(0, 1 << bit);
            add(row, "(lane >> %d & 1)".formatted(bit + 3), step.row());
            add(bytes, "(lane >> %d & 1)".formatted(bit + 3), step.column());
        }
        return code(row.toString(), bytes.isEmpty() ? "0" : bytes.toString(), "lane");
    }

    private String codeOfWords() {
        Fragment fragment = form.fragment(role);
        StringBuilder row = new StringBuilder();
        StringBuilder bytes = new StringBuilder();
        for (int bit = 0; bit < 5; bit++) {
            Position step = place(1 << bit, 0);
            add(row, "(lane >> %d & 1)".formatted(bit), step.row());
            add(bytes, "(lane >> %d & 1)".formatted(bit), step.column());
        }
        for (int bit = 0; 1 << bit < fragment.registers(); bit++) {
            Position step = place(0, 1 << bit);
            add(row, "(r >> %d & 1)".formatted(bit), step.row());
            add(bytes, "(r >> %d & 1)".formatted(bit), step.column());
        }
        return code(
                row.isEmpty() ? "0" : row.toString(),
                bytes.isEmpty() ? "0" : bytes.toString(),
                "lane, int r");
    }

    private static void add(StringBuilder sum, String term, int factor) {
        if (factor != 0) {
            sum.append(sum.isEmpty() ? "" : " + ")
                    .append(term)
                    .append(factor == 1 ? "" : " * " + factor);
        }
    }

    private String code(String row, String bytes, String parameters) {
        return """
        // byte of shared memory that a lane reads from, behind the start of the tile
        __device__ inline unsigned %s_offset(int %s) {
            unsigned row = %s;    // %s
            unsigned byte = %s;
            unsigned offset = row * %d + byte;
            return %s;
        }
        """
                .formatted(
                        role.letter(),
                        parameters,
                        row,
                        role == Role.A ? "row of A" : "column of B",
                        bytes,
                        pitch,
                        swizzle("offset"));
    }
}
