package dev.heddle.ptx.instruction;

/// Textures and surfaces (PTX ISA 9.7.10 and 9.7.11). Instructions with a sampler of their own have
/// it between texture and coordinates, within the brackets.
final class TextureForms {

    static final String TEXT =
            """
            9.7.10.3 TEXTURE
            tex.geom.v4.dtype.ctype  d*4:.dtype|p?, [a:texture], e:any?, f:any?;
            tex.geom.v2.f16x2.ctype  d*2:f16x2|p?, [a:texture], e:any?, f:any?;  [4.2 sm_53]
            tex.base.geom.v4.dtype.ctype  d*4:.dtype|p?, [a:texture], e:any?, f:any?;  [3.1 sm_20]
            tex.base.geom.v2.f16x2.ctype  d*2:f16x2|p?, [a:texture], e:any?, f:any?;  [4.2 sm_53]
            tex.level.lgeom.v4.dtype.ctype  d*4:.dtype|p?, [a:texture], l:.ctype, e:any?, f:any?;  [3.1 sm_20]
            tex.level.lgeom.v2.f16x2.ctype  d*2:f16x2|p?, [a:texture], l:.ctype, e:any?, f:any?;  [4.2 sm_53]
            tex.grad.lgeom.v4.dtype.ctype  d*4:.dtype|p?, [a:texture], x:any, y:any, e:any?, f:any?;  [3.1 sm_20]
            tex.grad.lgeom.v2.f16x2.ctype  d*2:f16x2|p?, [a:texture], x:any, y:any, e:any?, f:any?;  [4.2 sm_53]
            .geom = {.1d, .2d, .3d, .a1d [2.3], .a2d [2.3], .cube [3.0 sm_20], .acube [3.0 sm_20], .2dms [3.2 sm_30], .a2dms [3.2 sm_30]};
            .lgeom = {.1d, .2d, .3d, .a1d, .a2d, .cube, .acube};
            .dtype = {.u32, .s32, .f32, .f16 [4.2 sm_53]};
            .ctype = {.s32, .f32};
            9.7.10.4 TEXTURE_GATHER
            tld4.comp.geom.v4.dtype.f32  d*4:.dtype|p?, [a:texture], e:any?, f:any?;  [2.2 sm_20]
            .comp = {.r, .g, .b, .a};
            .geom = {.2d, .a2d [4.3 sm_30], .cube [4.3 sm_30], .acube [4.3 sm_30]};
            .dtype = {.u32, .s32, .f32};
            9.7.10.5 TEXTURE_QUERY
            txq.tquery.b32  d, [a:texref];  [1.5]
            txq.level.tlquery.b32  d, [a:texref], l:u32;  [4.3 sm_30]
            .tquery = {.width, .height, .depth, .channel_data_type [2.1], .channel_order [2.1], .normalized_coords, .array_size [4.1], .num_mipmap_levels [4.1 sm_20], .num_samples [4.1 sm_30], .force_unnormalized_coords [2.2], .filter_mode, .addr_mode_0, .addr_mode_1, .addr_mode_2};
            .tlquery = {.width, .height, .depth};
            9.7.10.6 IS_OPAQUE
            istypep.opaque  p:pred, a:u64;  [4.0 sm_30]
            .opaque = {.texref, .samplerref, .surfref};
            9.7.11.1 SURFACE_LOAD
            suld.b.geom{.cop [2.0 sm_20]}{.vec}.dtype.bounds  ~d*, [a:texture];  [1.5]
            .geom = {.1d, .2d, .3d [3.0 sm_20], .a1d [3.0 sm_20], .a2d [3.0 sm_20]};
            .cop = {.ca, .cg, .cs, .cv};
            .vec = {.v2, .v4};
            .dtype = {.b8, .b16, .b32, .b64};
            .bounds = {.trap, .clamp, .zero};
            9.7.11.2 SURFACE_STORE
            sust.b.geom{.cop [2.0 sm_20]}{.vec}.ctype.bounds  [a:texture], ~b*;  [1.5]
            sust.p.geom{.vec}.b32.bounds  [a:texture], b*;  [2.0 sm_20]
            .geom = {.1d, .2d, .3d [3.0 sm_20], .a1d [3.0 sm_20], .a2d [3.0 sm_20]};
            .cop = {.wb, .cg, .cs, .wt};
            .vec = {.v2, .v4};
            .ctype = {.b8, .b16, .b32, .b64};
            .bounds = {.trap, .clamp, .zero};
            9.7.11.3 SURFACE_REDUCE
            sured.b.add.geom.atype.bounds  [a:texture], c;  [2.0 sm_20]
            sured.b.extreme.geom.mtype.bounds  [a:texture], c;  [2.0 sm_20]
            sured.b.logic.geom.b32.bounds  [a:texture], c;  [2.0 sm_20]
            sured.p.op.geom.b32.bounds  [a:texture], c;  [2.0 sm_20]
            sured.p.extreme.geom.b64.bounds  [a:texture], c;  [8.1 sm_50]
            .op = {.add, .min, .max, .and, .or};
            .extreme = {.min, .max};
            .logic = {.and, .or};
            .geom = {.1d, .2d, .3d};
            .atype = {.u32, .u64, .s32};
            .mtype = {.u32, .s32, .u64 [8.1 sm_50], .s64 [8.1 sm_50]};
            .bounds = {.trap, .clamp, .zero};
            9.7.11.4 SURFACE_QUERY
            suq.query.b32  d, [a:surfref];  [1.5]
            .query = {.width, .height, .depth, .channel_data_type [2.1], .channel_order [2.1], .array_size [4.1], .memory_layout [4.2]};
            """;

    private TextureForms() {}
}
