package dev.heddle.junit;

import dev.heddle.vm.MachineKind;

import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A test that runs once on each of some machines. Its method takes a [KernelRunner].
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(KernelExtension.class)
public @interface KernelTest {
    /// The machines.
    MachineKind[] value() default {MachineKind.INTERPRETER, MachineKind.COMPILER};
}
