package dev.heddle.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The C signature of a record component that holds a function of the driver. Every driver
/// function returns a `CUresult`, an `int`; [DriverBinder] reads the rest from here.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface ForeignFunction {
    /// The parameters: `int.class`, `long.class` (also `size_t` and device pointers),
    /// `byte.class`, `MemorySegment.class` (any host pointer or opaque handle).
    Class<?>[] value();

    /// The exported symbol where it differs from the component's name (`cuMemAlloc_v2`).
    String symbol() default "";
}
