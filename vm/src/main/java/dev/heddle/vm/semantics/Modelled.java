package dev.heddle.vm.semantics;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks an operation whose bits a GPU need not reproduce: the manual gives an error bound only,
/// and
/// the method computes a value well inside it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Modelled {
    /// The bound the manual states, in its words and with its section.
    String value();
}
