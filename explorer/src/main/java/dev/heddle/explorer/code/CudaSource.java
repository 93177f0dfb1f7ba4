package dev.heddle.explorer.code;

import dev.heddle.isa.Form;
import dev.heddle.isa.Operand;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.Target;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A whole file of CUDA C++ for a form: the loads of its fragments, the instruction, the store of
/// the result, and of sparse forms the function of the host that compresses A.
///
/// ```
/// CudaSource.of(form).text();   // nvcc -arch=sm_80 -c tile.cu
/// ```
public final class CudaSource {
    /// The least target of the compilers of CUDA 13; older forms are compiled for it.
    private static final int OLDEST = 75;

    /// What A of a sparse form is in memory.
    static final String STORED = ", the stored half";

    private final Form form;

    /// The operands in registers, by their letter.
    private final Map<String, FragmentAccess> fragments = new TreeMap<>();

    private final List<SharedTile> shared;

    private CudaSource(Form form) {
        this.form = form;
        this.shared = SharedTile.of(form);
        for (Operand operand : form.operands()) {
            if (operand instanceof Operand.Matrix matrix) {
                fragments.put(matrix.name(), new FragmentAccess(matrix, index(matrix)));
            }
        }
    }

    /// The file of a form.
    public static CudaSource of(Form form) {
        return new CudaSource(form);
    }

    /// C is where D does, but for those of `mma.m8n8k4` that differ in type.
    private String index(Operand.Matrix matrix) {
        boolean likeC =
                matrix.name().equals("d")
                        && !form.family().warpgroup()
                        && form.fragment(Role.C).layout().equals(form.fragment(Role.D).layout());
        return likeC ? "c" : matrix.name();
    }

    /// All of it.
    public String text() {
        return heading() + "\n" + device() + (form.sparse() ? "\n" + host() : "");
    }

    /// The least target that it can be compiled for: `sm_80`.
    public String target() {
        return form.requirement().supported().stream()
                .filter(target -> target.number() >= OLDEST)
                .map(Target::toString)
                .findFirst()
                .orElseThrow();
    }

    /// What it is, and the headers it needs.
    String heading() {
        StringBuilder text = new StringBuilder("// %s\n//\n".formatted(form));
        text.append(
                """
                // D = A x B + C of one tile by one instruction. Compile with nvcc -arch=%s, \
                call it as
                // tile<<<1, %d>>>(...). In memory stand, without gaps and aligned to 16 bytes:
                //
                """
                        .formatted(target(), form.lanes()));
        memory().forEach(line -> text.append("//   ").append(line).append('\n'));
        Set<String> headers = new TreeSet<>();
        for (Role role : Role.values()) {
            element(role).header().ifPresent(headers::add);
        }
        if (form.blockScaled() || form.sparse()) {
            headers.add("cstdint");
        }
        headers.forEach(header -> text.append("#include <%s>\n".formatted(header)));
        return text.toString();
    }

    private List<String> memory() {
        List<String> lines = new ArrayList<>();
        shared.stream()
                .filter(tile -> tile.role() == Role.A)
                .forEach(tile -> lines.add(tile.memory()));
        for (String name : List.of("a", "b", "c", "d")) {
            String which = name.equals("a") && form.sparse() ? STORED : "";
            Optional.ofNullable(fragments.get(name)).ifPresent(f -> lines.add(f.memory(which)));
            if (name.equals("b")) {
                shared.stream()
                        .filter(tile -> tile.role() == Role.B)
                        .forEach(tile -> lines.add(tile.memory()));
            }
        }
        if (accumulates()) {
            lines.add("C, " + lines.removeLast());
        }
        if (form.sparse()) {
            lines.add("E: %d metadata words, one a lane".formatted(form.lanes()));
        }
        for (Role role : List.of(Role.A, Role.B)) {
            String line = role == Role.A ? "row of A" : "column of B";
            form.scaleFactors(role)
                    .map(
                            f ->
                                    "SF%s: %d %s for each %s, each scales %d along K"
                                            .formatted(
                                                    role,
                                                    f.vectors(),
                                                    f.format().ptxName(),
                                                    line,
                                                    f.span()))
                    .ifPresent(lines::add);
        }
        if (form.fragment(Role.D).computations() > 1) {
            lines.add("The four of a matrix stand one behind the other.");
        }
        return lines;
    }

    private ElementType element(Role role) {
        FragmentAccess fragment = fragments.get(role.letter());
        return fragment != null
                ? fragment.element()
                : role == Role.C ? element(Role.D) : new SharedTile(form, role).element();
    }

    /// The functions of the GPU.
    private String device() {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, FragmentAccess> each : fragments.entrySet()) {
            String name = each.getKey();
            FragmentAccess fragment = each.getValue();
            String coordinates =
                    fragment.index().equals(name)
                            ? IndexArithmetic.coordinates(
                                    form, OperandName.parse(name), "__device__ constexpr")
                            : "";
            parts.add(coordinates + (name.equals("d") && !accumulates() ? "" : fragment.load()));
        }
        form.scaleFactors(Role.A).ifPresent(factors -> parts.add(scales(factors)));
        form.scaleFactors(Role.B).ifPresent(factors -> parts.add(scales(factors)));
        if (!shared.isEmpty()) {
            parts.add(SharedTile.functions(form.lanes()));
        }
        parts.add(InlineAssembly.of(form));
        parts.add(result().store());
        parts.add(kernel());
        return String.join("\n", parts.stream().filter(part -> !part.isEmpty()).toList());
    }

    /// Whether C comes in the registers of D.
    private boolean accumulates() {
        return !fragments.containsKey("c");
    }

    private FragmentAccess result() {
        return Objects.requireNonNull(fragments.get("d"));
    }

    private String scales(ScaleFactors factors) {
        String name = "sf" + factors.role().letter();
        return IndexArithmetic.coordinates(form, OperandName.parse(name), "__device__ constexpr")
                + """
                __device__ unsigned load_%s(const uint8_t* SF%s) {
                    const uint8_t* from = SF%s + %s_row(threadIdx.x %% 32) * %d;
                    unsigned word = 0;
                    for (int i = 0; i < %d; i++) {
                        word |= from[i] << 8 * i;
                    }
                    return word;
                }
                """
                        .formatted(
                                name,
                                factors.role(),
                                factors.role(),
                                name,
                                factors.vectors(),
                                factors.vectors());
    }

    private String kernel() {
        StringBuilder text =
                new StringBuilder(
                        "// One tile. A kernel of your own calls the functions above in its loop"
                                + " over K.\n");
        text.append("extern \"C\" __global__ void tile(");
        text.append(String.join("\n        ", Wrapped.lines(parameters(), 70))).append(") {\n");
        shared.forEach(tile -> text.append(tile.declaration()));
        fragments.values().forEach(fragment -> text.append(fragment.declaration()));
        shared.forEach(tile -> text.append(tile.fill()));
        if (!shared.isEmpty()) {
            text.append(
                    """
                        // wgmma reads shared memory through the asynchronous proxy.
                        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
                        __syncthreads();
                    """);
        }
        for (Map.Entry<String, FragmentAccess> each : fragments.entrySet()) {
            String name = each.getKey();
            if (!name.equals("d") || accumulates()) {
                text.append(
                        "    load_%s(%s, %s, %d);\n"
                                .formatted(
                                        name,
                                        name,
                                        name.equals("d") ? "C" : name.toUpperCase(Locale.ROOT),
                                        each.getValue().leading()));
            }
        }
        text.append("    multiply(%s);\n".formatted(String.join(", ", arguments())));
        text.append("    store_d(D, d, %d);\n}\n".formatted(result().leading()));
        return text.toString();
    }

    private List<String> parameters() {
        List<String> parameters = new ArrayList<>();
        parameters.add(element(Role.D).name() + "* D");
        for (Role role : List.of(Role.A, Role.B, Role.C)) {
            parameters.add("const %s* %s".formatted(element(role).name(), role));
        }
        if (form.sparse()) {
            parameters.add("const unsigned* E");
        }
        if (form.blockScaled()) {
            parameters.add("const uint8_t* SFA");
            parameters.add("const uint8_t* SFB");
        }
        return parameters;
    }

    /// What `multiply` is given, in the order of the instruction.
    private List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        for (Operand operand : form.operands()) {
            switch (operand) {
                case Operand.Matrix(String name, _, _) -> arguments.add(name);
                case Operand.Descriptor(_, Role role) ->
                        arguments.add(new SharedTile(form, role).descriptor());
                case Operand.MetadataWord _ -> arguments.add("E[threadIdx.x]");
                case Operand.ScaleData(_, ScaleFactors factors) ->
                        arguments.add("load_sf%s(SF%1$S)".formatted(factors.role().letter()));
                case Operand.ScaleD _ -> arguments.add("1");
                case Operand.Selector _, Operand.ScaleSelector _, Operand.Immediate _ -> {}
            }
        }
        return arguments;
    }

    /// The function of the host.
    ///
    /// @throws java.util.NoSuchElementException if A is dense
    String host() {
        return SparsePacking.of(form).text();
    }
}
