package dev.heddle.files;

import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// A tensor as it is named on a command line: `a.npy`, `model.safetensors:layer.0.weight`, or
/// `a.safetensors` where the file holds only one.
///
/// @param name the tensor's name in a `.safetensors` file
public record TensorReference(Path file, Optional<String> name) {
    private static final String SAFETENSORS = ".safetensors";
    private static final String NPY = ".npy";
    private static final String DEFAULT_NAME = "tensor";

    /// The tensor that a text names.
    ///
    /// @throws InputException if the file's name ends neither in `.npy` nor in
    ///     `.safetensors`
    public static TensorReference parse(String text) {
        int named = text.indexOf(SAFETENSORS + ":");
        String file = named < 0 ? text : text.substring(0, named + SAFETENSORS.length());
        if (!file.endsWith(NPY) && !file.endsWith(SAFETENSORS)) {
            throw new InputException(
                    "%s: expected FILE.npy, FILE.safetensors or FILE.safetensors:NAME"
                            .formatted(text));
        }
        try {
            return new TensorReference(
                    Path.of(file),
                    named < 0 ? Optional.empty() : Optional.of(text.substring(file.length() + 1)));
        } catch (InvalidPathException e) {
            throw new InputException(TensorFileException.quoted(text) + ": " + e.getReason(), e);
        }
    }

    /// The same, its file looked for in a folder unless it says another.
    public TensorReference in(Path folder) {
        return new TensorReference(folder.resolve(file), name);
    }

    /// The tensor, in the format that the file names.
    ///
    /// @throws TensorFileException if it cannot be read
    public Tensor read() throws TensorFileException {
        if (isNpy()) {
            return Npy.read(file);
        }
        Safetensors tensors = Safetensors.open(file);
        return tensors.read(nameIn(tensors));
    }

    /// The tensor as codes of a format.
    ///
    /// @throws TensorFileException if it cannot be read, or its elements are not of that format
    public Tensor read(Format format) throws TensorFileException {
        if (isNpy()) {
            return Npy.read(file, format);
        }
        Safetensors tensors = Safetensors.open(file);
        return tensors.read(nameIn(tensors), format);
    }

    /// The tensor as a kernel is to read it: integers of a format's width stand for its bits, as
    /// `u2` for bf16 or `i4` for u32; all else as [#read(Format)].
    ///
    /// @param format what the elements are, where anybody says it
    /// @throws TensorFileException if it cannot be read, or its elements are not of that format
    public Tensor readBits(Optional<Format> format) throws TensorFileException {
        if (format.isEmpty()) {
            return read();
        }
        Tensor tensor = read();
        return tensor.format() instanceof IntegerFormat
                        && tensor.format().bits() == format.get().bits()
                ? tensor.reinterpret(format.get())
                : read(format.get());
    }

    /// Writes a file that holds this tensor alone; without a name it is called `tensor`.
    ///
    /// @throws TensorFileException if it cannot be written; what was there stays
    public void write(Tensor tensor) throws TensorFileException {
        if (isNpy()) {
            Npy.write(file, tensor);
        } else {
            Safetensors.write(file, Map.of(name.orElse(DEFAULT_NAME), tensor));
        }
    }

    private boolean isNpy() {
        return file.toString().endsWith(NPY);
    }

    private String nameIn(Safetensors tensors) throws TensorFileException {
        if (name.isPresent()) {
            return name.get();
        }
        if (tensors.names().size() != 1) {
            throw new TensorFileException(
                    file,
                    "holds %d tensors: say which, FILE.safetensors:NAME, with NAME one of %s"
                            .formatted(tensors.names().size(), tensors.nameList()));
        }
        return tensors.names().iterator().next();
    }

    /// As on the command line.
    @Override
    public String toString() {
        return file + name.map(n -> ":" + n).orElse("");
    }
}
