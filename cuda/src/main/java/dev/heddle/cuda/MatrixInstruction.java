package dev.heddle.cuda;

import dev.heddle.formats.InputException;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Operand;
import dev.heddle.isa.Role;

/// What a kernel around one tensor-core instruction has to know of it.
///
/// Counts of words are 32-bit words a lane, whatever the width of a register; an f64 register is
/// two.
///
/// @param opcode the instruction up to its operands
/// @param warpgroup `wgmma`: 128 lanes, B in shared memory, C and D the same registers
/// @param sparse has metadata and a selector
/// @param words how many words each operand takes
/// @param registerBits width of the registers of A, B, C and D: 32 or 64
/// @param scales `wgmma` with imm-scale-a and imm-scale-b
/// @param transposes `wgmma` with imm-trans-b, and imm-trans-a where A is in shared memory
public record MatrixInstruction(
        String opcode,
        boolean warpgroup,
        boolean sparse,
        Words words,
        int registerBits,
        boolean scales,
        boolean transposes) {
    /// 32-bit words a lane holds of each operand; 0 for one in shared memory.
    public record Words(int a, int b, int c, int d) {}

    /// The operands that are written into the instruction as numbers.
    ///
    /// @param selector sparsity selector; 0 where there is none
    /// @param scaleA 1 or -1
    /// @param scaleB 1 or -1
    /// @param transposeA whether A is in shared memory with M innermost
    /// @param transposeB whether B is in shared memory with N innermost
    public record Immediates(
            int selector, int scaleA, int scaleB, boolean transposeA, boolean transposeB) {
        /// No selector, nothing negated, nothing transposed.
        public static final Immediates PLAIN = new Immediates(0, 1, 1, false, false);
    }

    /// Checks the combination.
    public MatrixInstruction {
        if (registerBits != 32 && registerBits != 64) {
            throw new IllegalArgumentException("registers of " + registerBits + " bits: 32 or 64");
        }
        if (!warpgroup && (scales || transposes)) {
            throw new IllegalArgumentException(
                    opcode + ": only wgmma takes imm-scale and imm-trans operands");
        }
    }

    /// The instruction of a form.
    ///
    /// @throws IllegalArgumentException for a block-scaled form, which no kernel here runs yet
    public static MatrixInstruction of(Form form) {
        if (form.blockScaled()) {
            throw new InputException(
                    form
                            + ": block-scaled forms are not run on a GPU yet; this is a gap of"
                            + " Heddle");
        }
        boolean warpgroup = form.family().warpgroup();
        boolean aInShared = form.aSource() == ASource.SHARED_MEMORY;
        return new MatrixInstruction(
                form.opcode(),
                warpgroup,
                form.sparse(),
                new Words(
                        aInShared ? 0 : words(form, Role.A),
                        warpgroup ? 0 : words(form, Role.B),
                        words(form, Role.C),
                        words(form, Role.D)),
                form.fragment(Role.D).registerBits(),
                takes(form, "imm-scale-a"),
                takes(form, "imm-trans-b"));
    }

    private static int words(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        return fragment.registers() * fragment.registerBits() / Integer.SIZE;
    }

    private static boolean takes(Form form, String operand) {
        return form.operands().stream().map(Operand::name).anyMatch(operand::equals);
    }

    /// Threads that run one instruction together: 32 or 128.
    public int lanes() {
        return warpgroup ? 128 : 32;
    }

    /// Words a lane holds of the metadata.
    public int metadataWords() {
        return sparse ? 1 : 0;
    }

    /// Whether A is read through a descriptor.
    public boolean aInShared() {
        return warpgroup && words.a() == 0;
    }
}
