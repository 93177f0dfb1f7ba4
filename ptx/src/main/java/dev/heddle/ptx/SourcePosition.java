package dev.heddle.ptx;

/// A place in a PTX file.
///
/// @param file the name the text was parsed under
/// @param line counted from 1
/// @param column counted from 1, a tab counting as one
public record SourcePosition(String file, int line, int column) {

    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
