package dev.heddle.tensorcore.x86;

/// Instructions of AVX2 and what came with it (FMA, F16C, BMI2), as the manual's opcode column has
/// them: `VEX.256.66.0F.WIG FE /r`. Those that AVX-512 has, too, under the same opcode are in
/// [Evex] alone.
enum Vex implements VectorInstruction {
    VMOVD(0x66, 1, 0, 0x6e),
    VMOVQ(0x66, 1, 1, 0x6e),
    /// To memory or a general register, which is the operand on the right.
    VMOVD_STORE(0x66, 1, 0, 0x7e),
    VMOVQ_STORE(0x66, 1, 1, 0x7e),
    /// The second operand where the first is clear.
    VPANDN(0x66, 1, 0, 0xdf),
    VPADDB(0x66, 1, 0, 0xfc),
    VPSUBUSW(0x66, 1, 0, 0xd9),
    VPACKSSWB(0x66, 1, 0, 0x63),
    VPMADDUBSW(0x66, 2, 0, 0x04),
    VPCMPEQD(0x66, 1, 0, 0x76),
    VPCMPEQQ(0x66, 2, 0, 0x29),
    VPCMPGTD(0x66, 1, 0, 0x66),
    VPCMPGTQ(0x66, 2, 0, 0x37),
    /// Shifts by a constant: the digit is where a register would be, the target in the middle.
    VPSHIFTD_I(0x66, 1, 0, 0x72),
    VPSHIFTQ_I(0x66, 1, 0, 0x73),
    VSHUFPS(0, 1, 0, 0xc6),
    /// A byte or a word of memory, in the place that the constant says.
    VPINSRB(0x66, 3, 0, 0x20),
    VPINSRW(0x66, 1, 0, 0xc4),
    VPTEST(0x66, 2, 0, 0x17),
    VPERMQ(0x66, 3, 1, 0x00),
    VPACKUSDW(0x66, 2, 0, 0x2b),
    VPACKUSWB(0x66, 1, 0, 0x67),
    VEXTRACTI128(0x66, 3, 0, 0x39),
    VINSERTI128(0x66, 3, 0, 0x38),
    /// The last operand where the sign of a fourth is set, which is in the constant's upper half.
    VBLENDVPS(0x66, 3, 0, 0x4a),
    VBLENDVPD(0x66, 3, 0, 0x4b),
    VPBLENDVB(0x66, 3, 0, 0x4c),
    /// The signs of the elements to a general register.
    VMOVMSKPS(0, 1, 0, 0x50),
    VMOVMSKPD(0x66, 1, 0, 0x50),
    VPMOVMSKB(0x66, 1, 0, 0xd7),
    /// Loads where the sign of the operand in the middle is set, else zero.
    VPMASKMOVD(0x66, 2, 0, 0x8c),
    VPMASKMOVQ(0x66, 2, 1, 0x8c),
    VPMASKMOVD_STORE(0x66, 2, 0, 0x8e),
    VPMASKMOVQ_STORE(0x66, 2, 1, 0x8e),
    VROUNDPD(0x66, 3, 0, 0x09),
    /// The product less what the target holds.
    VFMSUB231PS(0x66, 2, 0, 0xba);

    private final Opcode code;

    Vex(int prefix, int map, int wide, int opcode) {
        code = new Opcode(prefix, map, wide, opcode);
    }

    @Override
    public Opcode code() {
        return code;
    }
}
