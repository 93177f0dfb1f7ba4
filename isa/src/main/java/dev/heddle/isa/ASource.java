package dev.heddle.isa;

/// Where an instruction takes A from.
public enum ASource {
    /// From the registers of its warp or warpgroup.
    REGISTERS("reg"),
    /// From shared memory, through a descriptor (wgmma).
    SHARED_MEMORY("smem");

    private final String word;

    ASource(String word) {
        this.word = word;
    }

    /// `reg` or `smem`, as golden vectors name it.
    public String word() {
        return word;
    }
}
