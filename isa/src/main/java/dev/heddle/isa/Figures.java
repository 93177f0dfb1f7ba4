package dev.heddle.isa;

import dev.heddle.formats.FloatFormat;

/// Which section and figure of PTX ISA 9.1 shows a fragment.
///
/// A line is a kind of instruction, a shape, the types of A, the section, and the figure of each
/// operand (C stands for C and D, E for the metadata). `=` points to the line whose figure is the
/// same, as the manual does in words.
final class Figures {
    private static final String TABLE =
            """
            mma m8n8k4 f64           | 9.7.14.5.2 | A 53 | B 54 | C 55
            mma m8n8k16 s8 u8        | 9.7.14.5.3 | A 56 | B 57 | C 58
            mma m8n8k32 s4 u4        | 9.7.14.5.4 | A 59 | B 60 | C 61
            mma m8n8k128 b1          | 9.7.14.5.5 | A 62 | B 63 | C 64
            mma m16n8k4 tf32         | 9.7.14.5.6 | A 65 | B 67 | C 69
            mma m16n8k4 f64          | 9.7.14.5.6 | A 66 | B 68 | C 70
            mma m16n8k8 f16 bf16     | 9.7.14.5.7 | A 71 | B 74 | C 77
            mma m16n8k8 tf32         | 9.7.14.5.7 | A 72 | B 75 | C 77
            mma m16n8k8 f64          | 9.7.14.5.7 | A 73 | B 76 | C 78
            mma m16n8k16 f16 bf16    | 9.7.14.5.8 | A 79 | B 81 | C 83
            mma m16n8k16 f64         | 9.7.14.5.8 | A 80 | B 82 | C 83
            mma m16n8k16 s8 u8 e4m3 e5m2 | 9.7.14.5.9 | A 84 | B 85 | C 86
            mma m16n8k32 s4 u4       | 9.7.14.5.10 | A 87 | B 89 | C 92
            mma m16n8k32 s8 u8 e4m3 e5m2 e3m2 e2m3 e2m1 | 9.7.14.5.10 | A 88 | B 90, 91 | C 92
            mma m16n8k64 s4 u4 e2m1  | 9.7.14.5.11 | A 93 | B 94, 95 | C 96
            mma m16n8k128 b1         | 9.7.14.5.12 | A 97 | B 98 | C 99
            mma m16n8k256 b1         | 9.7.14.5.13 | A 100 | B 101, 102 | C 103
            mma.sp m16n8k16 f16 bf16 | 9.7.14.6.2.1 | A 118 | E 119 | B =mma m16n8k16 f16 | C =mma m16n8k16 f16
            mma.sp m16n8k32 f16 bf16 | 9.7.14.6.2.2 | A 120 | B 121 | E 122 | C =mma m16n8k16 f16
            mma.sp m16n8k16 tf32     | 9.7.14.6.2.3 | A 123 | B 124 | E 125 | C =mma m16n8k16 f16
            mma.sp m16n8k8 tf32      | 9.7.14.6.2.4 | A 126 | E 127 | B =mma m16n8k8 tf32 | C =mma m16n8k8 tf32
            mma.sp m16n8k32 s8 u8    | 9.7.14.6.2.5 | A 128 | E 129 | B =mma m16n8k32 s8 | C =mma m16n8k32 s8
            mma.sp m16n8k64 s8 u8 e4m3 e5m2 e3m2 e2m3 e2m1 | 9.7.14.6.2.6 | A 130, 131 | B 132, 133, 134, 135 | E 136, 137 | C =mma m16n8k16 s8
            mma.sp m16n8k64 s4 u4    | 9.7.14.6.2.7 | A 138 | E 139 | B =mma m16n8k64 s4 | C =mma m16n8k64 s4
            mma.sp m16n8k128 s4 u4 e2m1 | 9.7.14.6.2.8 | A 140, 141 | B 142, 143, 144, 145 | E 146, 147 | C =mma m16n8k64 s4
            wgmma m64k16 f16 bf16    | 9.7.15.5.1.1.1 | A 148 | C 149
            wgmma m64k8 tf32         | 9.7.15.5.1.1.2 | A 150 | C 151
            wgmma m64k32 s8 u8 e4m3 e5m2 | 9.7.15.5.1.1.3 | A 152 | C 153
            wgmma m64k256 b1         | 9.7.15.5.1.1.4 | A 154 | C 155
            wgmma.sp m64k32 f16 bf16 | 9.7.15.6.2.1 | A 175 | E 176 | C =wgmma m64k32 s8
            wgmma.sp m64k16 tf32     | 9.7.15.6.2.2 | A 177 | E 178 | C =wgmma m64k8 tf32
            wgmma.sp m64k64 s8 u8 e4m3 e5m2 | 9.7.15.6.2.3 | A 179 | E 180, 181 | C =wgmma m64k32 s8
            """;

    private Figures() {}

    static Citation of(Form form, Role role) {
        if (form.quadPairs()) {
            return quadPair(form, role);
        }
        if (form.family().warpgroup() && role == Role.B) {
            return new Citation("9.7.15.5.1.2", "");
        }
        return find(key(form), form.type(Role.A).ptxName(), role == Role.D ? "C" : role.name());
    }

    static Citation ofMetadata(Form form) {
        return find(key(form), form.type(Role.A).ptxName(), "E");
    }

    private static String key(Form form) {
        Shape shape = form.shape();
        return switch (form.family()) {
            case MMA -> "mma " + shape;
            case MMA_SP, MMA_SP_ORDERED -> "mma.sp " + shape;
            case WGMMA -> "wgmma m64k" + shape.k();
            case WGMMA_SP -> "wgmma.sp m64k" + shape.k();
        };
    }

    /// Only the line that is looked for is taken apart: taking all apart is a tenth of a look-up.
    private static Citation find(String key, String type, String operand) {
        for (int at = 0; at < TABLE.length(); at = TABLE.indexOf('\n', at) + 1) {
            if (TABLE.startsWith(key + " ", at)) {
                String line = TABLE.substring(at, TABLE.indexOf('\n', at));
                if (line.substring(0, line.indexOf('|')).contains(" " + type + " ")) {
                    return read(line.split("\\|", -1), operand);
                }
            }
        }
        throw new IllegalStateException("no figure for " + key + " " + type);
    }

    private static Citation read(String[] cells, String operand) {
        for (String padded : cells) {
            String cell = padded.strip();
            if (cell.startsWith(operand + " =")) {
                String same = cell.substring(3);
                int type = same.lastIndexOf(' ');
                return find(same.substring(0, type), same.substring(type + 1), operand);
            }
            if (cell.startsWith(operand + " ")) {
                return new Citation(cells[1].strip(), cell.substring(2));
            }
        }
        throw new IllegalStateException("no figure of " + operand + " in " + cells[0]);
    }

    /// `mma.m8n8k4` with `.f16` has a figure for each layout and accumulator type.
    private static Citation quadPair(Form form, Role role) {
        boolean rowMajor =
                form.word(role == Role.A ? Qualifier.ALAYOUT : Qualifier.BLAYOUT).equals("row");
        String figures =
                switch (role) {
                    case A -> rowMajor ? "46" : "47";
                    case B -> rowMajor ? "48" : "49";
                    case C, D -> form.type(role) == FloatFormat.F16 ? "50" : "51, 52";
                };
        return new Citation("9.7.14.5.1", figures);
    }
}
