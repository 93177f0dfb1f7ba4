/// Textures and surfaces: texels in memory, how they are sampled, and the handles by which kernels
/// name them (PTX ISA 5.3, 9.7.10, 9.7.11; CUDA programming guide, "Texture and surface memory" and
/// "Texture fetching").
///
/// A [dev.heddle.vm.texture.TexelArray] is what CUDA calls an array, or a piece of linear or
/// pitched memory: texels of a [dev.heddle.vm.texture.TexelFormat] in rows, slices and layers. A
/// [dev.heddle.vm.texture.Texture] is one, or a level of detail each, with a
/// [dev.heddle.vm.texture.Sampler]; a surface is an array alone. A
/// [dev.heddle.vm.texture.TextureTable] gives each a handle, which is what `cudaTextureObject_t`
/// and `cudaSurfaceObject_t` hold:
///
/// ```
/// TexelFormat format = new TexelFormat(Channel.F32, 1);
/// TexelArray array = TexelArray.allocate(format, 64, 64, 0, Layering.NONE);
/// array.bytes().copyFrom(texels);
/// Texture texture = new Texture(List.of(array), Sampler.POINT);
/// long handle = session.textures().add(texture);
/// ```
@NullMarked
package dev.heddle.vm.texture;

import org.jspecify.annotations.NullMarked;
