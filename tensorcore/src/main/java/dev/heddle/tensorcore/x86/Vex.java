package dev.heddle.tensorcore.x86;

/// Instructions of AVX2 and what came with it (FMA, F16C, BMI2), as the manual's opcode column has
/// them: `VEX.256.66.0F.WIG FE /r`. Those that AVX-512 has, too, under the same opcode are in
/// [Evex] alone.
enum Vex {
    VMOVD(0x66, 1, 0, 0x6e),
    VMOVQ(0x66, 1, 1, 0x6e),
    /// To memory or a general register, which is the operand on the right.
    VMOVD_STORE(0x66, 1, 0, 0x7e),
    VMOVQ_STORE(0x66, 1, 1, 0x7e),
    VMOVDQU(0xf3, 1, 0, 0x6f),
    VMOVDQU_STORE(0xf3, 1, 0, 0x7f),
    VPBROADCASTD(0x66, 2, 0, 0x58),
    VPBROADCASTQ(0x66, 2, 0, 0x59),
    VPAND(0x66, 1, 0, 0xdb),
    /// The second operand where the first is clear.
    VPANDN(0x66, 1, 0, 0xdf),
    VPOR(0x66, 1, 0, 0xeb),
    VPXOR(0x66, 1, 0, 0xef),
    VPADDB(0x66, 1, 0, 0xfc),
    VPADDQ(0x66, 1, 0, 0xd4),
    VPSUBQ(0x66, 1, 0, 0xfb),
    VPSUBUSW(0x66, 1, 0, 0xd9),
    VPMULUDQ(0x66, 1, 0, 0xf4),
    VPACKSSWB(0x66, 1, 0, 0x63),
    VPCMPEQW(0x66, 1, 0, 0x75),
    VPMADDUBSW(0x66, 2, 0, 0x04),
    VPMADDWD(0x66, 1, 0, 0xf5),
    VPMINUD(0x66, 2, 0, 0x3b),
    VPCMPEQD(0x66, 1, 0, 0x76),
    VPCMPEQQ(0x66, 2, 0, 0x29),
    VPCMPGTD(0x66, 1, 0, 0x66),
    VPCMPGTQ(0x66, 2, 0, 0x37),
    /// Shifts by a constant: the digit is where a register would be, the target in the middle.
    VPSHIFTD_I(0x66, 1, 0, 0x72),
    VPSHIFTQ_I(0x66, 1, 0, 0x73),
    VPSLLVD(0x66, 2, 0, 0x47),
    VPSLLVQ(0x66, 2, 1, 0x47),
    VPSRLVD(0x66, 2, 0, 0x45),
    VPSRLVQ(0x66, 2, 1, 0x45),
    VPSHUFB(0x66, 2, 0, 0x00),
    VSHUFPS(0, 1, 0, 0xc6),
    /// A byte or a word of memory, in the place that the constant says.
    VPINSRB(0x66, 3, 0, 0x20),
    VPINSRW(0x66, 1, 0, 0xc4),
    VPTEST(0x66, 2, 0, 0x17),
    VPERMQ(0x66, 3, 1, 0x00),
    VPERMD(0x66, 2, 0, 0x36),
    VPACKUSDW(0x66, 2, 0, 0x2b),
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
    VADDPS(0, 1, 0, 0x58),
    VADDPD(0x66, 1, 0, 0x58),
    VSUBPS(0, 1, 0, 0x5c),
    VSUBPD(0x66, 1, 0, 0x5c),
    VMULPS(0, 1, 0, 0x59),
    VMINPS(0, 1, 0, 0x5d),
    VMAXPS(0, 1, 0, 0x5f),
    VCMPPS(0, 1, 0, 0xc2),
    VCVTDQ2PS(0, 1, 0, 0x5b),
    VCVTTPS2DQ(0xf3, 1, 0, 0x5b),
    VCVTTPD2DQ(0x66, 1, 0, 0xe6),
    VCVTPS2PH(0x66, 3, 0, 0x1d),
    VPMOVZXDQ(0x66, 2, 0, 0x35);

    final int prefix;
    final int map;
    final int wide;
    final int opcode;

    /// @param prefix 0, 0x66, 0xf3 or 0xf2
    /// @param map 1 for 0F, 2 for 0F38, 3 for 0F3A
    /// @param wide the bit W
    /// @param opcode the byte
    Vex(int prefix, int map, int wide, int opcode) {
        this.prefix = prefix;
        this.map = map;
        this.wide = wide;
        this.opcode = opcode;
    }
}
