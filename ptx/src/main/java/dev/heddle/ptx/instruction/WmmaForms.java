package dev.heddle.ptx.instruction;

/// `wmma`: loads, stores and products of fragments whose layout the manual leaves open (PTX ISA
/// 9.7.14.4).
final class WmmaForms {

    static final String TEXT =
            """
            9.7.14.4.3 WMMA_LOAD
            wmma.load.a.sync.aligned.layout.shape{.near}.f16  d*8:f16x2, [a], s:u32?;  [6.0 sm_70]
            wmma.load.a.sync.aligned.layout.m16n16k16{.near}.byte  d*2:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.a.sync.aligned.layout.m8n32k16{.near}.byte  d*1:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.a.sync.aligned.layout.m32n8k16{.near}.byte  d*4:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.a.sync.aligned.layout.m16n16k16{.near}.bf16  d*4:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.a.sync.aligned.layout.m8n32k16{.near}.bf16  d*2:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.a.sync.aligned.layout.m32n8k16{.near}.bf16  d*8:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.a.sync.aligned.layout.m16n16k8{.near}.tf32  d*4:tf32, [a], s:u32?;  [7.0 sm_80]
            wmma.load.a.sync.aligned.layout.m8n8k4{.near}.f64  d*1:f64, [a], s:u32?;  [7.0 sm_80]
            wmma.load.a.sync.aligned.row.m8n8k32{.near}.nibble  d*1:u32, [a], s:u32?;  [6.3 sm_75]
            wmma.load.a.sync.aligned.row.m8n8k128{.near}.b1  d*1:u32, [a], s:u32?;  [6.3 sm_75]
            wmma.load.b.sync.aligned.layout.shape{.near}.f16  d*8:f16x2, [a], s:u32?;  [6.0 sm_70]
            wmma.load.b.sync.aligned.layout.m16n16k16{.near}.byte  d*2:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.b.sync.aligned.layout.m8n32k16{.near}.byte  d*4:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.b.sync.aligned.layout.m32n8k16{.near}.byte  d*1:u32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.b.sync.aligned.layout.m16n16k16{.near}.bf16  d*4:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.b.sync.aligned.layout.m8n32k16{.near}.bf16  d*8:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.b.sync.aligned.layout.m32n8k16{.near}.bf16  d*2:bf16x2, [a], s:u32?;  [7.0 sm_80]
            wmma.load.b.sync.aligned.layout.m16n16k8{.near}.tf32  d*4:tf32, [a], s:u32?;  [7.0 sm_80]
            wmma.load.b.sync.aligned.layout.m8n8k4{.near}.f64  d*1:f64, [a], s:u32?;  [7.0 sm_80]
            wmma.load.b.sync.aligned.col.m8n8k32{.near}.nibble  d*1:u32, [a], s:u32?;  [6.3 sm_75]
            wmma.load.b.sync.aligned.col.m8n8k128{.near}.b1  d*1:u32, [a], s:u32?;  [6.3 sm_75]
            wmma.load.c.sync.aligned.layout.shape{.near}.f16  d*4:f16x2, [a], s:u32?;  [6.0 sm_70]
            wmma.load.c.sync.aligned.layout.shape{.near}.f32  d*8:f32, [a], s:u32?;  [6.0 sm_70]
            wmma.load.c.sync.aligned.layout.shape{.near}.s32  d*8:s32, [a], s:u32?;  [6.3 sm_72]
            wmma.load.c.sync.aligned.layout.m16n16k8{.near}.f32  d*8:f32, [a], s:u32?;  [7.0 sm_80]
            wmma.load.c.sync.aligned.layout.m8n8k4{.near}.f64  =d*2:f64, [a], s:u32?;  [7.0 sm_80]
            wmma.load.c.sync.aligned.layout.small{.near}.s32  d*2:s32, [a], s:u32?;  [6.3 sm_75]
            .layout = {.row, .col};
            .shape = {.m16n16k16, .m8n32k16 [6.1 sm_70], .m32n8k16 [6.1 sm_70]};
            .small = {.m8n8k32, .m8n8k128};
            .near = {.global, .shared, .shared::cta [7.8 sm_70]};
            .byte = {.s8, .u8};
            .nibble = {.s4, .u4};
            9.7.14.4.4 WMMA_STORE
            wmma.store.d.sync.aligned.layout.shape{.near}.f16  [a], r*4:f16x2, s:u32?;  [6.0 sm_70]
            wmma.store.d.sync.aligned.layout.shape{.near}.f32  [a], r*8:f32, s:u32?;  [6.0 sm_70]
            wmma.store.d.sync.aligned.layout.shape{.near}.s32  [a], r*8:s32, s:u32?;  [6.3 sm_72]
            wmma.store.d.sync.aligned.layout.m16n16k8{.near}.f32  [a], r*8:f32, s:u32?;  [7.0 sm_80]
            wmma.store.d.sync.aligned.layout.m8n8k4{.near}.f64  [a], =r*2:f64, s:u32?;  [7.0 sm_80]
            wmma.store.d.sync.aligned.layout.small{.near}.s32  [a], r*2:s32, s:u32?;  [6.3 sm_75]
            .layout = {.row, .col};
            .shape = {.m16n16k16, .m8n32k16 [6.1 sm_70], .m32n8k16 [6.1 sm_70]};
            .small = {.m8n8k32, .m8n8k128};
            .near = {.global, .shared, .shared::cta [7.8 sm_70]};
            9.7.14.4.5 WMMA_MULTIPLY
            wmma.mma.sync.aligned.alayout.blayout.shape.f16.f16  d*4:f16x2, a*8:f16x2, b*8:f16x2, c*4:f16x2;  [6.0 sm_70]
            wmma.mma.sync.aligned.alayout.blayout.shape.f16.f32  d*4:f16x2, a*8:f16x2, b*8:f16x2, c*8:f32;  [6.0 sm_70]
            wmma.mma.sync.aligned.alayout.blayout.shape.f32.f16  d*8:f32, a*8:f16x2, b*8:f16x2, c*4:f16x2;  [6.0 sm_70]
            wmma.mma.sync.aligned.alayout.blayout.shape.f32.f32  d*8:f32, a*8:f16x2, b*8:f16x2, c*8:f32;  [6.0 sm_70]
            wmma.mma.sync.aligned.alayout.blayout.m16n16k16.s32.s8.s8.s32{.satfinite}  d*8:s32, a*2:u32, b*2:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m16n16k16.s32.u8.u8.s32{.satfinite}  d*8:s32, a*2:u32, b*2:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m16n16k16.f32.bf16.bf16.f32  d*8:f32, a*4:bf16x2, b*4:bf16x2, c*8:f32;  [7.0 sm_80]
            wmma.mma.sync.aligned.alayout.blayout.m8n32k16.s32.s8.s8.s32{.satfinite}  d*8:s32, a*1:u32, b*4:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m8n32k16.s32.u8.u8.s32{.satfinite}  d*8:s32, a*1:u32, b*4:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m8n32k16.f32.bf16.bf16.f32  d*8:f32, a*2:bf16x2, b*8:bf16x2, c*8:f32;  [7.0 sm_80]
            wmma.mma.sync.aligned.alayout.blayout.m32n8k16.s32.s8.s8.s32{.satfinite}  d*8:s32, a*4:u32, b*1:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m32n8k16.s32.u8.u8.s32{.satfinite}  d*8:s32, a*4:u32, b*1:u32, c*8:s32;  [6.3 sm_72]
            wmma.mma.sync.aligned.alayout.blayout.m32n8k16.f32.bf16.bf16.f32  d*8:f32, a*8:bf16x2, b*2:bf16x2, c*8:f32;  [7.0 sm_80]
            wmma.mma.sync.aligned.alayout.blayout.m16n16k8.f32.tf32.tf32.f32  d*8:f32, a*4:tf32, =b*4:tf32, c*8:f32;  [7.0 sm_80]
            wmma.mma.sync.aligned.alayout.blayout.m8n8k4{.rnd}.f64.f64.f64.f64  d*2:f64, a*1:f64, b*1:f64, c*2:f64;  [7.0 sm_80]
            wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32{.satfinite}  d*2:s32, a*1:u32, b*1:u32, c*2:s32;  [6.3 sm_75]
            wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32{.satfinite}  d*2:s32, a*1:u32, b*1:u32, c*2:s32;  [6.3 sm_75]
            wmma.mma.op.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32  d*2:s32, a*1:u32, b*1:u32, c*2:s32;  [6.3 sm_75]
            .alayout = {.row, .col};
            .blayout = {.row, .col};
            .shape = {.m16n16k16, .m8n32k16 [6.1 sm_70], .m32n8k16 [6.1 sm_70]};
            .op = {.xor, .and [7.1 sm_80]};
            """;

    private WmmaForms() {}
}
