package dev.heddle.cli;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Turns the pattern switches of a class file into methods of that class.
///
/// A switch over types is linked at run time, a few milliseconds for each, and JDK 25 keeps none of
/// that in its cache. A method that asks for one type after the other computes the same and is
/// there when the class is. Switches over anything but types stay as they are.
final class PatternSwitches {
    private static final ClassDesc BOOTSTRAPS = ClassDesc.of("java.lang.runtime.SwitchBootstraps");
    private static final MethodTypeDesc INDEX_OF =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object, ConstantDescs.CD_int);
    private static final int FLAGS =
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassDesc owner;
    private final boolean isInterface;
    private final Map<List<ConstantDesc>, String> names = new LinkedHashMap<>();

    private PatternSwitches(ClassDesc owner, boolean isInterface) {
        this.owner = owner;
        this.isInterface = isInterface;
    }

    /// Whether a class has pattern switches.
    static boolean in(ClassModel model) {
        return JarUpgrade.isLinkedBy(BOOTSTRAPS, model);
    }

    /// What turns the switches of one class into methods.
    static ClassTransform of(ClassModel model) {
        PatternSwitches switches =
                new PatternSwitches(
                        model.thisClass().asSymbol(), model.flags().has(AccessFlag.INTERFACE));
        return ClassTransform.transformingMethodBodies(switches::code)
                .andThen(ClassTransform.endHandler(switches::addMethods));
    }

    private void code(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeDynamicInstruction call && isOverTypes(call)) {
            String name =
                    names.computeIfAbsent(call.bootstrapArgs(), _ -> "typeSwitch$" + names.size());
            code.invokestatic(owner, name, INDEX_OF, isInterface);
        } else {
            code.with(element);
        }
    }

    private static boolean isOverTypes(InvokeDynamicInstruction call) {
        return call.bootstrapMethod().owner().equals(BOOTSTRAPS)
                && call.bootstrapMethod().methodName().equals("typeSwitch")
                && !call.typeSymbol().parameterType(0).isPrimitive()
                && call.bootstrapArgs().stream().allMatch(ClassDesc.class::isInstance);
    }

    private void addMethods(ClassBuilder builder) {
        names.forEach(
                (types, name) ->
                        builder.withMethodBody(
                                name, INDEX_OF, FLAGS, code -> indexOf(code, types)));
    }

    /// The index of the first type from `restart` on that an object is of; the number of types if
    /// it is of none, -1 for null.
    private static void indexOf(CodeBuilder code, List<ConstantDesc> types) {
        Label present = code.newLabel();
        code.aload(0).ifnonnull(present).iconst_m1().return_(TypeKind.INT).labelBinding(present);
        for (int index = 0; index < types.size(); index++) {
            Label next = code.newLabel();
            code.iload(1)
                    .loadConstant(index)
                    .if_icmpgt(next)
                    .aload(0)
                    .instanceOf((ClassDesc) types.get(index))
                    .ifeq(next)
                    .loadConstant(index)
                    .return_(TypeKind.INT)
                    .labelBinding(next);
        }
        code.loadConstant(types.size()).return_(TypeKind.INT);
    }
}
