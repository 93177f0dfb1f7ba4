package dev.heddle.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/// The C signature of a record component that holds a function of the driver. Every driver
/// function returns a `CUresult`, an `int`; [DriverBinder] reads the rest from here.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface ForeignFunction {
    /// The parameters.
    Type[] value();

    /// The exported symbol where it differs from the component's name (`cuMemAlloc_v2`).
    String symbol() default "";

    /// A type of C.
    enum Type {
        INT(ValueLayout.JAVA_INT),
        /// Also `size_t` and pointers of the device.
        LONG(ValueLayout.JAVA_LONG),
        BYTE(ValueLayout.JAVA_BYTE),
        /// Any host pointer or opaque handle.
        POINTER(ValueLayout.ADDRESS);

        final MemoryLayout layout;

        Type(MemoryLayout layout) {
            this.layout = layout;
        }
    }
}
