package dev.heddle.ptx;

/// Characters of one line, and what takes their place.
///
/// @param position where they are
/// @param old the characters; empty where something is put in before the position
/// @param text what is there then; empty where they are left out
public record Edit(SourcePosition position, String old, String text) {

    /// What to do, in words: `write mov`, `add ;`, `leave out .sync`.
    public String words() {
        return text.isEmpty() ? "leave out " + old : (old.isEmpty() ? "add " : "write ") + text;
    }
}
