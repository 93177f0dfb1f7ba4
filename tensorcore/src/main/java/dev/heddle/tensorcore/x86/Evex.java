package dev.heddle.tensorcore.x86;

/// Instructions on vectors, as the manual's opcode column has them: `EVEX.512.66.0F.W0 FE /r`.
///
/// Operands stand in the manual's order. Memory operands may be broadcast where the manual says
/// `m32bcst` or `m64bcst`.
public enum Evex implements VectorInstruction {
    VPADDW(0x66, 1, 0, 0xfd),
    VPADDD(0x66, 1, 0, 0xfe),
    VPADDQ(0x66, 1, 1, 0xd4),
    VPSUBD(0x66, 1, 0, 0xfa),
    VPSUBQ(0x66, 1, 1, 0xfb),
    VPMULLD(0x66, 2, 0, 0x40),
    VPMULLQ(0x66, 2, 1, 0x40),
    VPMULUDQ(0x66, 1, 1, 0xf4),
    VPMULDQ(0x66, 2, 1, 0x28),
    VPANDD(0x66, 1, 0, 0xdb),
    VPANDQ(0x66, 1, 1, 0xdb),
    VPORD(0x66, 1, 0, 0xeb),
    VPORQ(0x66, 1, 1, 0xeb),
    VPXORD(0x66, 1, 0, 0xef),
    VPXORQ(0x66, 1, 1, 0xef),
    VPMADDWD(0x66, 1, 0, 0xf5),
    VPSHUFB(0x66, 2, 0, 0x00),
    VPMADDUBSW(0x66, 2, 0, 0x04),
    VPTERNLOGD(0x66, 3, 0, 0x25),
    VPTERNLOGQ(0x66, 3, 1, 0x25),
    VPMAXSW(0x66, 1, 0, 0xee),
    VPMAXUW(0x66, 2, 0, 0x3e),
    VPMINSD(0x66, 2, 0, 0x39),
    VPMINSQ(0x66, 2, 1, 0x39),
    VPMAXSD(0x66, 2, 0, 0x3d),
    VPMAXSQ(0x66, 2, 1, 0x3d),
    VPMINUD(0x66, 2, 0, 0x3b),
    VPMINUQ(0x66, 2, 1, 0x3b),
    VPMAXUD(0x66, 2, 0, 0x3f),
    VPMAXUQ(0x66, 2, 1, 0x3f),
    VPABSD(0x66, 2, 0, 0x1e),
    VPABSQ(0x66, 2, 1, 0x1f),
    VPOPCNTD(0x66, 2, 0, 0x55),
    VPLZCNTD(0x66, 2, 0, 0x44),
    /// Shifts by a constant: the digit stands where a register would.
    VPSHIFTW_I(0x66, 1, 0, 0x71),
    VPSLLD_I(0x66, 1, 0, 0x72),
    VPSRAD_I(0x66, 1, 0, 0x72),
    VPSLLQ_I(0x66, 1, 1, 0x73),
    VPSRAQ_I(0x66, 1, 1, 0x72),
    VPSLLVD(0x66, 2, 0, 0x47),
    VPSLLVQ(0x66, 2, 1, 0x47),
    VPSRLVD(0x66, 2, 0, 0x45),
    VPSRLVQ(0x66, 2, 1, 0x45),
    VPSRAVD(0x66, 2, 0, 0x46),
    VPSRAVQ(0x66, 2, 1, 0x46),
    /// Two words side by side, shifted; the target is the one of which bits stay. Needs
    /// AVX512_VBMI2.
    VPSHLDVD(0x66, 2, 0, 0x71),
    VPSHRDVD(0x66, 2, 0, 0x73),
    VPCMPEQW(0x66, 1, 0, 0x75),
    VPCMPD(0x66, 3, 0, 0x1f),
    VPCMPQ(0x66, 3, 1, 0x1f),
    VPCMPUD(0x66, 3, 0, 0x1e),
    VPCMPUQ(0x66, 3, 1, 0x1e),
    VPTESTMD(0x66, 2, 0, 0x27),
    VPTESTMQ(0x66, 2, 1, 0x27),
    VPTESTNMD(0xf3, 2, 0, 0x27),
    VPTESTNMQ(0xf3, 2, 1, 0x27),
    VPERMD(0x66, 2, 0, 0x36),
    /// Words of two vectors by the indices that stand where the result will.
    VPERMI2D(0x66, 2, 0, 0x76),
    /// The same for halves of words.
    VPERMI2W(0x66, 2, 1, 0x75),
    VPBLENDMW(0x66, 2, 1, 0x66),
    VPBLENDMD(0x66, 2, 0, 0x64),
    VPBLENDMQ(0x66, 2, 1, 0x64),
    VMOVDQU32(0xf3, 1, 0, 0x6f),
    VMOVDQU64(0xf3, 1, 1, 0x6f),
    /// To memory, which is the operand on the right.
    VMOVDQU32_STORE(0xf3, 1, 0, 0x7f),
    VMOVDQU64_STORE(0xf3, 1, 1, 0x7f),
    VPBROADCASTD(0x66, 2, 0, 0x58, 4),
    VPBROADCASTQ(0x66, 2, 1, 0x59, 8),
    /// From a general register.
    VPBROADCASTD_R(0x66, 2, 0, 0x7c),
    VPBROADCASTQ_R(0x66, 2, 1, 0x7c),
    VPMOVSXDQ(0x66, 2, 0, 0x25, 32),
    VPMOVZXDQ(0x66, 2, 0, 0x35, 32),
    VPMOVZXWD(0x66, 2, 0, 0x33, 32),
    VPMOVSXWD(0x66, 2, 0, 0x23, 32),
    VPMOVZXBD(0x66, 2, 0, 0x31, 16),
    VPMOVSXBD(0x66, 2, 0, 0x21, 16),
    /// The source is the operand in the middle of the manual's encoding: the register on the left
    /// here, the target on the right.
    VPMOVQD(0xf3, 2, 0, 0x35, 32),
    VPMOVDW(0xf3, 2, 0, 0x33, 32),
    VPMOVDB(0xf3, 2, 0, 0x31, 16),
    /// The first two quarters of the result are from one vector, the last two from the other: by
    /// 0x44 their lower halves, by 0xee their upper ones.
    VSHUFI64X2(0x66, 3, 1, 0x43),
    VEXTRACTI64X4(0x66, 3, 1, 0x3b, 32),
    VINSERTI64X4(0x66, 3, 1, 0x3a, 32),
    VADDPS(0, 1, 0, 0x58),
    VADDPD(0x66, 1, 1, 0x58),
    VSUBPS(0, 1, 0, 0x5c),
    VSUBPD(0x66, 1, 1, 0x5c),
    VMULPS(0, 1, 0, 0x59),
    VMULPD(0x66, 1, 1, 0x59),
    VDIVPS(0, 1, 0, 0x5e),
    VDIVPD(0x66, 1, 1, 0x5e),
    VSQRTPS(0, 1, 0, 0x51),
    VSQRTPD(0x66, 1, 1, 0x51),
    VMINPS(0, 1, 0, 0x5d),
    VMAXPS(0, 1, 0, 0x5f),
    VMINPD(0x66, 1, 1, 0x5d),
    VMAXPD(0x66, 1, 1, 0x5f),
    VRANGEPS(0x66, 3, 0, 0x50),
    VRNDSCALEPS(0x66, 3, 0, 0x08),
    VRNDSCALEPD(0x66, 3, 1, 0x09),
    VFMADD213PS(0x66, 2, 0, 0xa8),
    VFMADD213PD(0x66, 2, 1, 0xa8),
    VFMADD231PS(0x66, 2, 0, 0xb8),
    VFMADD231PD(0x66, 2, 1, 0xb8),
    VCMPPS(0, 1, 0, 0xc2),
    VCMPPD(0x66, 1, 1, 0xc2),
    VCVTDQ2PS(0, 1, 0, 0x5b),
    VCVTUDQ2PS(0xf2, 1, 0, 0x7a),
    VCVTTPS2DQ(0xf3, 1, 0, 0x5b),
    VCVTTPS2UDQ(0, 1, 0, 0x78),
    VCVTDQ2PD(0xf3, 1, 0, 0xe6, 32),
    VCVTUDQ2PD(0xf3, 1, 0, 0x7a, 32),
    VCVTTPD2DQ(0x66, 1, 1, 0xe6),
    VCVTTPD2UDQ(0, 1, 1, 0x78),
    VCVTTPD2QQ(0x66, 1, 1, 0x7a),
    VCVTTPD2UQQ(0x66, 1, 1, 0x78),
    VCVTPS2PD(0, 1, 0, 0x5a, 32),
    VCVTPD2PS(0x66, 1, 1, 0x5a),
    VCVTPH2PS(0x66, 2, 0, 0x13, 32),
    /// Source on the left, target on the right.
    VCVTPS2PH(0x66, 3, 0, 0x1d, 32),
    VPGATHERDD(0x66, 2, 0, 0x90, 4),
    VPGATHERDQ(0x66, 2, 1, 0x90, 8),
    /// 32-bit elements at 64-bit indices: half a vector.
    VPGATHERQD(0x66, 2, 0, 0x91, 4),
    VPGATHERQQ(0x66, 2, 1, 0x91, 8),
    VPSCATTERDD(0x66, 2, 0, 0xa0, 4),
    VPSCATTERDQ(0x66, 2, 1, 0xa0, 8),
    VPSCATTERQD(0x66, 2, 0, 0xa1, 4),
    VPSCATTERQQ(0x66, 2, 1, 0xa1, 8),
    VPMOVM2D(0xf3, 2, 0, 0x38);

    private final Opcode code;

    /// Bytes of a memory operand, by which its 8-bit displacement counts.
    final int unit;

    Evex(int prefix, int map, int wide, int opcode) {
        this(prefix, map, wide, opcode, 64);
    }

    Evex(int prefix, int map, int wide, int opcode, int unit) {
        code = new Opcode(prefix, map, wide, opcode);
        this.unit = unit;
    }

    @Override
    public Opcode code() {
        return code;
    }

    /// Whether elements are of 64 bits.
    boolean isLong() {
        return code.wide() == 1;
    }

    /// The bits of prefix in EVEX and VEX.
    static int packed(int prefix) {
        return switch (prefix) {
            case 0x66 -> 1;
            case 0xf3 -> 2;
            case 0xf2 -> 3;
            default -> 0;
        };
    }
}
