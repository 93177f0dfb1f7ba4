package dev.heddle.vm.ir;

import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What lanes do with textures and surfaces (PTX ISA 9.7.10 and 9.7.11).
public sealed interface TextureStep extends Step {
    /// `tex` and `tld4` (PTX ISA 9.7.10.3 and 9.7.10.4).
    ///
    /// @param targets null where nobody wants a value
    /// @param resident whether there was data, or null
    /// @param texture its handle, or the address of a variable that holds one
    /// @param coordinates the layer first, where there is one
    /// @param detail a level, or the derivatives along x and then along y; else empty
    /// @param offsets in texels; empty or one for each axis
    record Sample(
            Site site,
            @Nullable Guard guard,
            Sampling sampling,
            List<@Nullable Register> targets,
            @Nullable Register resident,
            Source texture,
            List<Source> coordinates,
            List<Source> detail,
            List<Source> offsets)
            implements TextureStep {
        public Sample {
            coordinates = List.copyOf(coordinates);
            detail = List.copyOf(detail);
            offsets = List.copyOf(offsets);
        }

        @Override
        public Effects effects() {
            return new Effects()
                    .writing(targets)
                    .writing(resident)
                    .reading(texture)
                    .reading(coordinates)
                    .reading(detail)
                    .reading(offsets);
        }

        /// How a texture is read.
        ///
        /// @param detail how its level is chosen
        /// @param gathered the channel of which four texels are wanted, or -1
        /// @param result the type of a value: `.f32`, `.u32`, `.s32`, `.f16` or `.f16x2`
        /// @param integers whether coordinates are integers
        public record Sampling(
                Geometry geometry,
                Detail detail,
                int gathered,
                ScalarType result,
                boolean integers) {
            /// How a level of detail is chosen.
            public enum Detail {
                BASE,
                LEVEL,
                GRADIENT
            }
        }
    }

    /// `suld`, `sust` and `sured` (PTX ISA 9.7.11).
    ///
    /// @param type of an element, as moved
    /// @param operator of a reduction, or null
    /// @param surface its handle, or the address of a variable that holds one
    /// @param coordinates the layer first, where there is one
    record AccessSurface(
            Site site,
            @Nullable Guard guard,
            Movement movement,
            Geometry geometry,
            Bounds bounds,
            ScalarType type,
            @Nullable AtomicOperator operator,
            List<@Nullable Register> targets,
            Source surface,
            List<Source> coordinates,
            List<Source> values)
            implements TextureStep {
        public AccessSurface {
            coordinates = List.copyOf(coordinates);
            values = List.copyOf(values);
        }

        @Override
        public Effects effects() {
            return new Effects()
                    .writing(targets)
                    .reading(surface)
                    .reading(coordinates)
                    .reading(values);
        }

        /// What is done.
        public enum Movement {
            LOAD,
            STORE,
            /// In the surface's format, the first coordinate a texel.
            STORE_FORMATTED,
            REDUCE,
            /// The first coordinate a texel.
            REDUCE_FORMATTED
        }

        /// What becomes of accesses outside.
        public enum Bounds {
            TRAP,
            CLAMP,
            ZERO
        }
    }

    /// `txq`, `suq` and `istypep`.
    ///
    /// @param query the manual's word: `width`, `texref`
    /// @param surface whether a surface is asked
    /// @param level of detail, or null
    record Query(
            Site site,
            @Nullable Guard guard,
            String query,
            boolean surface,
            Source texture,
            @Nullable Source level,
            Register target)
            implements TextureStep {
        @Override
        public Effects effects() {
            return new Effects().writing(target).reading(texture).reading(level);
        }
    }
}
