package dev.heddle.vm.texture;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The textures and surfaces of a device, by handle.
public final class TextureTable {
    /// Handles are below every address.
    private static final long FIRST = 1;

    private final AtomicLong next = new AtomicLong(FIRST);
    private final Map<Long, Texture> textures = new ConcurrentHashMap<>();
    private final Map<Long, TexelArray> surfaces = new ConcurrentHashMap<>();

    /// A handle for a texture, which no other has had.
    public long add(Texture texture) {
        long handle = reserve();
        set(handle, texture);
        return handle;
    }

    /// A handle for a surface, which no other has had.
    public long add(TexelArray surface) {
        long handle = reserve();
        set(handle, surface);
        return handle;
    }

    /// A handle that nothing has yet.
    public long reserve() {
        return next.getAndIncrement();
    }

    /// Gives a handle a texture, in place of what it had.
    public void set(long handle, Texture texture) {
        textures.put(handle, texture);
    }

    /// Gives a handle a surface, in place of what it had.
    public void set(long handle, TexelArray surface) {
        surfaces.put(handle, surface);
    }

    /// Forgets a texture or surface; returns whether there was one.
    public boolean remove(long handle) {
        boolean texture = textures.remove(handle) != null;
        return surfaces.remove(handle) != null || texture;
    }

    /// The texture of a handle, or null.
    public @Nullable Texture texture(long handle) {
        return textures.get(handle);
    }

    /// The surface of a handle, or null.
    public @Nullable TexelArray surface(long handle) {
        return surfaces.get(handle);
    }

    /// Whether a value is below every address.
    public static boolean isHandle(long value) {
        return value >= FIRST && value < 1L << 32;
    }
}
