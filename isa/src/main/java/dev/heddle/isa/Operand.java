package dev.heddle.isa;

import java.util.List;

/// One operand of a form, in the order of the instruction.
public sealed interface Operand {
    /// The manual's name: `d`, `a`, `a-desc`, `scale-a-data`.
    String name();

    /// A vector of registers that holds a fragment.
    ///
    /// @param accepts the register types it takes
    record Matrix(String name, Fragment fragment, RegisterType.Accepts accepts) implements Operand {
        /// The length of the vector.
        public int registers() {
            return fragment.registers();
        }

        /// The registers in words: `4 .b32 registers`.
        public String description() {
            int count = registers();
            return "%d %s register%s".formatted(count, accepts.declared(), count == 1 ? "" : "s");
        }
    }

    /// A 64-bit descriptor of a matrix in shared memory.
    ///
    /// @param role A or B
    record Descriptor(String name, Role role) implements Operand {}

    /// The register with the sparsity metadata.
    record MetadataWord(String name, Metadata metadata) implements Operand {}

    /// The immediate that selects the lanes which supply metadata.
    ///
    /// @param legal    the values with a defined meaning
    /// @param accepted the values that the assembler lets through
    record Selector(String name, List<Integer> legal, List<Integer> accepted) implements Operand {}

    /// The register with scale factors.
    record ScaleData(String name, ScaleFactors factors) implements Operand {}

    /// The pair `{byte-id, thread-id}`, each an immediate or a 16-bit register.
    record ScaleSelector(String name, List<Integer> byteIds, List<Integer> threadIds)
            implements Operand {}

    /// The predicate `scale-d`: false leaves out the accumulator.
    record ScaleD(String name) implements Operand {}

    /// An immediate with few legal values: `imm-scale-a`, `imm-trans-b`.
    record Immediate(String name, List<Integer> legal) implements Operand {}
}
