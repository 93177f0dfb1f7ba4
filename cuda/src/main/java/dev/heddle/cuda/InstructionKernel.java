package dev.heddle.cuda;

import dev.heddle.cuda.MatrixInstruction.Immediates;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The PTX of kernels that run one tensor-core instruction on given registers: a CTA is a case,
/// its 32 or 128 threads the lanes.
///
/// Every thread loads its registers from the case's [CaseImage], runs the instruction and stores
/// its registers of D. For `wgmma` the CTA first copies the case's image into shared memory, at a
/// multiple of 1024 bytes, and adds that address to the descriptors. Immediate operands cannot
/// come from memory, so each combination of them is an entry of its own.
///
/// @param image where inputs are
/// @param target the `.version` and `.target` of the module
record InstructionKernel(CaseImage image, PtxTarget target) {
    private static final int SHARED_ALIGNMENT = 1024;

    /// The name of the entry for the `index`-th of the immediates given to [#ptx].
    static String entry(int index) {
        return "run" + index;
    }

    /// Bytes of dynamic shared memory a launch needs: the image and what aligning its start
    /// costs.
    int sharedBytes() {
        return image.sharedWords() == 0
                ? 0
                : image.sharedWords() * Integer.BYTES + SHARED_ALIGNMENT;
    }

    /// The module: one entry for each combination of immediates.
    String ptx(List<Immediates> variants) {
        String shared =
                instruction().warpgroup() ? ".extern .shared .align 1024 .b8 %image[];\n" : "";
        return ".version "
                + target.version()
                + "\n.target "
                + target.name()
                + "\n.address_size 64\n"
                + shared
                + IntStream.range(0, variants.size())
                        .mapToObj(i -> entryText(entry(i), variants.get(i)))
                        .collect(Collectors.joining());
    }

    private MatrixInstruction instruction() {
        return image.instruction();
    }

    private String entryText(String name, Immediates immediates) {
        MatrixInstruction.Words words = instruction().words();
        return ("\n.visible .entry " + name + "(.param .u64 input, .param .u64 output)\n{\n")
                + declarations()
                + addresses()
                + (instruction().warpgroup() ? fillShared() : "")
                + loads("a", words.a(), image.a())
                + loads("b", words.b(), image.b())
                + loads(instruction().warpgroup() ? "d" : "c", words.c(), image.c())
                + (instruction().sparse() ? loads("e", 1, image.e()) : "")
                + (instruction().warpgroup() ? asynchronous(immediates) : synchronous(immediates))
                + stores()
                + "    ret;\n}\n";
    }

    private String declarations() {
        MatrixInstruction.Words words = instruction().words();
        int largest = Math.max(Math.max(words.a(), words.b()), Math.max(words.c(), words.d())) + 1;
        return """
            .reg .pred %scaled, %done;
            .reg .b32 %lane, %cta, %word, %base, %slot, %value, %e0;
            .reg .b64 %in, %out, %at, %offset, %descA, %descB, %start;
            .reg .b%1$d %%a<%2$d>, %%b<%2$d>, %%c<%2$d>, %%d<%2$d>;
        """
                .replace("%1$d", Integer.toString(instruction().registerBits()))
                .replace("%2$d", Integer.toString(largest))
                .replace("%%", "%");
    }

    private String addresses() {
        return """
            mov.u32 %lane, %tid.x;
            mov.u32 %cta, %ctaid.x;
            ld.param.u64 %in, [input];
            ld.param.u64 %out, [output];
            cvta.to.global.u64 %in, %in;
            cvta.to.global.u64 %out, %out;
            mul.wide.u32 %offset, %cta, INPUT_BYTES;
            add.u64 %in, %in, %offset;
            mul.wide.u32 %offset, %cta, OUTPUT_BYTES;
            add.u64 %out, %out, %offset;
        """
                .replace("INPUT_BYTES", Integer.toString(image.words() * Integer.BYTES))
                .replace("OUTPUT_BYTES", Integer.toString(image.outputWords() * Integer.BYTES));
    }

    /// Copies the image a word a thread at a time, then makes it visible to the tensor cores,
    /// which read shared memory through the asynchronous proxy (PTX ISA 9.7.15.5.2).
    private String fillShared() {
        return """
            mov.u32 %base, %image;
            add.u32 %base, %base, 1023;
            and.b32 %base, %base, -1024;
            mov.u32 %word, %lane;
        $copy:
            setp.ge.u32 %done, %word, SHARED_WORDS;
            @%done bra $copied;
            mul.wide.u32 %at, %word, 4;
            add.u64 %at, %in, %at;
            ld.global.b32 %value, [%at+SHARED_AT];
            shl.b32 %slot, %word, 2;
            add.u32 %slot, %base, %slot;
            st.shared.b32 [%slot], %value;
            add.u32 %word, %word, LANES;
            bra $copy;
        $copied:
            fence.proxy.async.shared::cta;
            bar.sync 0;
            shr.u32 %value, %base, 4;
            cvt.u64.u32 %start, %value;
            ld.global.b64 %descA, [%in+DESCRIPTOR_A];
            ld.global.b64 %descB, [%in+DESCRIPTOR_B];
            add.u64 %descA, %descA, %start;
            add.u64 %descB, %descB, %start;
            ld.global.b32 %value, [%in+SCALE_D];
            setp.ne.b32 %scaled, %value, 0;
        """
                .replace("SHARED_WORDS", Integer.toString(image.sharedWords()))
                .replace("SHARED_AT", bytes(image.shared()))
                .replace("LANES", Integer.toString(instruction().lanes()))
                .replace("DESCRIPTOR_A", bytes(image.descriptorA()))
                .replace("DESCRIPTOR_B", bytes(image.descriptorB()))
                .replace("SCALE_D", bytes(image.scaleD()));
    }

    private static String bytes(int words) {
        return Integer.toString(words * Integer.BYTES);
    }

    private String loads(String operand, int words, int offset) {
        if (words == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(
                "    mul.wide.u32 %%offset, %%lane, %d;%n    add.u64 %%at, %%in, %%offset;%n"
                        .formatted(words * Integer.BYTES));
        boolean metadata = operand.equals("e");
        int width = metadata ? Integer.SIZE : instruction().registerBits();
        for (int i = 0; i < words * Integer.SIZE / width; i++) {
            text.append(
                    "    ld.global.b%d %%%s%d, [%%at+%d];%n"
                            .formatted(
                                    width,
                                    operand,
                                    i,
                                    offset * Integer.BYTES + i * width / Byte.SIZE));
        }
        return text.toString();
    }

    private String stores() {
        int width = instruction().registerBits();
        int words = instruction().words().d();
        StringBuilder text = new StringBuilder();
        text.append(
                "    mul.wide.u32 %%offset, %%lane, %d;%n    add.u64 %%at, %%out, %%offset;%n"
                        .formatted(words * Integer.BYTES));
        for (int i = 0; i < words * Integer.SIZE / width; i++) {
            text.append(
                    "    st.global.b%d [%%at+%d], %%d%d;%n"
                            .formatted(width, i * width / Byte.SIZE, i));
        }
        return text.toString();
    }

    private String synchronous(Immediates immediates) {
        MatrixInstruction.Words words = instruction().words();
        String sparse = instruction().sparse() ? ", %e0, 0x" + hex(immediates.selector()) : "";
        return "    "
                + instruction().opcode()
                + " "
                + vector("d", words.d())
                + ", "
                + vector("a", words.a())
                + ", "
                + vector("b", words.b())
                + ", "
                + vector("c", words.c())
                + sparse
                + ";\n";
    }

    private String asynchronous(Immediates immediates) {
        MatrixInstruction.Words words = instruction().words();
        StringBuilder operands = new StringBuilder(vector("d", words.d()));
        operands.append(", ")
                .append(instruction().aInShared() ? "%descA" : vector("a", words.a()))
                .append(", %descB");
        if (instruction().sparse()) {
            operands.append(", %e0, 0x").append(hex(immediates.selector()));
        }
        operands.append(", %scaled");
        if (instruction().scales()) {
            operands.append(", ")
                    .append(immediates.scaleA())
                    .append(", ")
                    .append(immediates.scaleB());
        }
        if (instruction().transposes()) {
            if (instruction().aInShared()) {
                operands.append(immediates.transposeA() ? ", 1" : ", 0");
            }
            operands.append(immediates.transposeB() ? ", 1" : ", 0");
        }
        return """
            wgmma.fence.sync.aligned;
            INSTRUCTION;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
        """
                .replace("INSTRUCTION", instruction().opcode() + " " + operands);
    }

    private static String hex(int value) {
        return Integer.toHexString(value).toLowerCase(Locale.ROOT);
    }

    private String vector(String operand, int words) {
        return IntStream.range(0, words * Integer.SIZE / instruction().registerBits())
                .mapToObj(i -> "%" + operand + i)
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
