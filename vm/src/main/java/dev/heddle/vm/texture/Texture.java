package dev.heddle.vm.texture;

import dev.heddle.formats.InputException;

import java.util.List;

/// Texels with a way to read them.
///
/// @param levels of detail, the finest first; most textures have one
/// @param sampler how they are read
public record Texture(List<TexelArray> levels, Sampler sampler) {
    public Texture {
        levels = List.copyOf(levels);
        if (levels.isEmpty()) {
            throw new InputException("a texture has at least one level");
        }
    }

    /// The finest level.
    public TexelArray first() {
        return levels.getFirst();
    }
}
