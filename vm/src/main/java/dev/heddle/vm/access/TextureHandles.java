package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.state.Warp;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.Texture;
import dev.heddle.vm.texture.TextureTable;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What lanes name textures and surfaces by: a handle, or the address of a variable that holds one.
record TextureHandles(Warp warp) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private TextureTable table() {
        return warp.cta().grid().global().textures();
    }

    /// The handle that a value is, or that stands at the address that it is.
    private long handle(long value) {
        long offset = value - Addresses.GLOBAL;
        MemorySegment memory = warp.cta().grid().global().segment();
        return TextureTable.isHandle(value) || offset < 0 || offset + Long.BYTES > memory.byteSize()
                ? value
                : memory.get(LONG, offset);
    }

    /// What a lane calls a texture, or null where it is none.
    @Nullable Texture find(long value) {
        return table().texture(handle(value));
    }

    /// What a lane calls a surface, or null where it is none.
    @Nullable TexelArray findSurface(long value) {
        return table().surface(handle(value));
    }

    /// The texture that a lane reads.
    Texture texture(Site site, int lane, long value) {
        Texture texture = find(value);
        if (texture == null) {
            throw unknown(site, lane, value, "texture");
        }
        return texture;
    }

    /// The surface that a lane accesses.
    TexelArray surface(Site site, int lane, long value) {
        TexelArray surface = findSurface(value);
        if (surface == null) {
            throw unknown(site, lane, value, "surface");
        }
        return surface;
    }

    private RuntimeException unknown(Site site, int lane, long value, String what) {
        return warp.faults()
                .undefined(
                        Rule.UNKNOWN_TEXTURE,
                        site,
                        1 << lane,
                        "%s of 0x%x, which is no %s".formatted(site.mnemonic(), value, what));
    }
}
