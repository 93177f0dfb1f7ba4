package dev.heddle.conformance.instructions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.Rounding;
import dev.heddle.isa.Notation.Choice;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.vm.access.MemoryFunctions;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.semantics.SemanticMethod;
import dev.heddle.vm.semantics.WarpFunction;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

/// The operations that legal instructions are lowered to, dealt from every line of the table of
/// instructions, and what they are bound to.
@DisplayName("operations and what computes them")
final class OperationBindingsTest {
    private static final Set<Step.Compute> STEPS = LoweredOperations.ofEveryLine().steps();
    private static final Set<Operation> OPERATIONS = LoweredOperations.ofEveryLine().operations();

    @Test
    @DisplayName("every operation has a method, of its signature")
    void everyOperationHasAMethod() {
        List<String> missing = new ArrayList<>();
        for (Operation operation : OPERATIONS) {
            try {
                SemanticMethod.of(operation).handle();
            } catch (IllegalArgumentException e) {
                missing.add(operation + ": " + e.getMessage());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(OPERATIONS).hasSizeGreaterThan(400);
    }

    @Test
    @DisplayName("every method computes an operation")
    void everyMethodIsUsed() {
        Set<String> bound = new HashSet<>();
        Set<Class<?>> owners = new HashSet<>();
        for (Operation operation : OPERATIONS) {
            SemanticMethod method = SemanticMethod.of(operation);
            owners.add(method.owner());
            bound.add(method.name() + method.type());
        }
        Set<String> unused = new TreeSet<>();
        for (Class<?> owner : owners) {
            for (Method method : owner.getDeclaredMethods()) {
                String signature =
                        method.getName()
                                + MethodType.methodType(
                                        method.getReturnType(), method.getParameterTypes());
                if (Modifier.isPublic(method.getModifiers()) && !bound.contains(signature)) {
                    unused.add(owner.getSimpleName() + "." + signature);
                }
            }
        }
        assertThat(unused).isEmpty();
    }

    /// What a line of the kind EXCHANGE needs besides itself.
    @Test
    @DisplayName("every warp-wide instruction has a function, every function an instruction")
    void everyExchangeHasAFunction() {
        for (Collective.Exchange exchange : LoweredOperations.ofEveryLine().exchanges()) {
            assertThat(WarpFunction.names()).contains(exchange.function());
        }
        assertThat(WarpFunction.names()).allMatch(OperationBindingsTest::isInTable);
    }

    /// What a line of these kinds needs besides itself.
    @Test
    @DisplayName("every instruction that accesses memory in its own way has a function, once")
    void everyAccessHasAFunction() {
        Set<String> used = new TreeSet<>();
        for (InstructionForm form : InstructionTable.all()) {
            switch (form.kind()) {
                case WRITE_MEMORY, UPDATE_MEMORY, TENSOR_MAP_FENCE, CLUSTER_LAUNCH_CANCEL -> {
                    for (String line : mnemonics(form)) {
                        List<String> functions =
                                MemoryFunctions.names().stream()
                                        .filter(name -> (line + ".").startsWith(name + "."))
                                        .toList();
                        assertThat(functions).as(line).hasSize(1);
                        used.addAll(functions);
                    }
                }
                default -> {}
            }
        }
        assertThat(used).isEqualTo(MemoryFunctions.names());
    }

    /// Mnemonics of a form: every word of every place stands in one at least.
    private static Set<String> mnemonics(InstructionForm form) {
        Set<String> mnemonics = new TreeSet<>();
        mnemonics.add(FormMatch.of(form, List.of()).example());
        for (InstructionForm.Slot slot : form.slots()) {
            for (Choice choice : slot.choices()) {
                mnemonics.add(FormMatch.of(form, List.of(choice.word())).example());
            }
        }
        return mnemonics;
    }

    private static boolean isInTable(String function) {
        return InstructionTable.all().stream()
                .filter(
                        form ->
                                switch (form.kind()) {
                                    case EXCHANGE, EXCHANGE_WITHOUT_SYNC, ELECT -> true;
                                    default -> false;
                                })
                .anyMatch(
                        form -> {
                            List<String> words = new ArrayList<>(List.of(function.split("[.]")));
                            words.removeAll(List.of(form.head().split("[.]")));
                            words.addAll(List.of("sync", "aligned"));
                            FormMatch match = FormMatch.of(form, words);
                            return function.split("[.]")[0].equals(form.head().split("[.]")[0])
                                    && match.missing().isEmpty()
                                    && List.of("sync", "aligned").containsAll(match.unplaced());
                        });
    }

    @Test
    @DisplayName("every kind is used")
    void everyKindIsUsed() {
        Set<OperationKind> unused = EnumSet.allOf(OperationKind.class);
        OPERATIONS.forEach(operation -> unused.remove(operation.kind()));
        assertThat(unused).isEmpty();
    }

    /// An operation without the direction of its rounding and without the type that it converts
    /// from: which of those the specimens have changes with the table.
    private static String line(Operation operation) {
        if (operation.kind() == OperationKind.INSTRUCTION) {
            return operation.toString();
        }
        StringJoiner words = new StringJoiner(".");
        words.add(operation.kind().word());
        if (operation.rounding() != null) {
            words.add(operation.rounding() == Rounding.NEAREST_EVEN ? "rn" : "directed");
        }
        operation.modifiers().forEach(modifier -> words.add(modifier.word()));
        return words.add(operation.type().keyword()).toString();
    }

    /// A line of the resource is an operation that vectors do not know, whatever its operands: one
    /// more, or one less, is a decision.
    @Test
    @DisplayName("the operations without vectors are those listed")
    void operationsWithoutVectorsAreListed() throws IOException {
        Set<String> without = new TreeSet<>();
        for (Operation operation : OPERATIONS) {
            if (!Compilations.takesToVectors(operation)) {
                without.add(line(operation));
            }
        }
        try (InputStream listed =
                OperationBindingsTest.class.getResourceAsStream("without-vectors.txt")) {
            List<String> lines =
                    new String(listed.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            assertThat(without).containsExactlyElementsOf(lines);
        }
    }

    @Test
    @DisplayName("equal operations are one object, and print as PTX does")
    void operationsAreInterned() {
        Operation sum = Operation.of(OperationKind.ADD, ScalarType.F32, Rounding.TOWARD_ZERO);
        assertThat(sum)
                .isSameAs(Operation.of(OperationKind.ADD, ScalarType.F32, Rounding.TOWARD_ZERO))
                .hasToString("add.rz.f32");
    }

    @Test
    @DisplayName("a step has the operands that its operation takes")
    void stepsFitTheirOperations() {
        for (Step.Compute step : STEPS) {
            assertThat(step.arguments().stream().map(Source::width).toList())
                    .as("%s", step)
                    .isEqualTo(step.operation().parameters().stream().map(Carrier::width).toList());
        }
    }
}
