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
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes out `equals` and `hashCode` of a record's class file.
///
/// The compiler leaves both to be linked at run time, which takes some milliseconds for each record
/// that is compared, and JDK 25 keeps none of that in its cache. Methods that compare one component
/// after the other give the same answers and are there when the class is.
final class RecordMethods {
    private static final ClassDesc BOOTSTRAPS = ClassDesc.of("java.lang.runtime.ObjectMethods");
    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    private static final MethodTypeDesc EQUALS_OF_TWO =
            MethodTypeDesc.of(
                    ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object);
    private static final MethodTypeDesc HASH_OF_ONE =
            MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object);
    private static final int FLAGS =
            ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;

    private final ClassDesc owner;
    private final Map<String, InvokeDynamicInstruction> calls = new LinkedHashMap<>();

    private RecordMethods(ClassDesc owner) {
        this.owner = owner;
    }

    /// Whether a class has methods that are linked so.
    static boolean in(ClassModel model) {
        return JarUpgrade.isLinkedBy(BOOTSTRAPS, model);
    }

    /// What writes out the methods of one class.
    static ClassTransform of(ClassModel model) {
        RecordMethods methods = new RecordMethods(model.thisClass().asSymbol());
        return ClassTransform.transformingMethodBodies(methods::code)
                .andThen(ClassTransform.endHandler(methods::addMethods));
    }

    private void code(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeDynamicInstruction call
                && call.bootstrapMethod().owner().equals(BOOTSTRAPS)
                && !call.name().equalsString("toString")) {
            String name = call.name().stringValue() + "$components";
            calls.put(name, call);
            code.invokestatic(owner, name, call.typeSymbol());
        } else {
            code.with(element);
        }
    }

    private void addMethods(ClassBuilder builder) {
        calls.forEach(
                (name, call) ->
                        builder.withMethodBody(
                                name, call.typeSymbol(), FLAGS, code -> body(code, call)));
    }

    private void body(CodeBuilder code, InvokeDynamicInstruction call) {
        if (call.name().equalsString("equals")) {
            equalsOf(code, components(call));
        } else {
            hashOf(code, components(call));
        }
    }

    private record Component(String name, ClassDesc type) {
        boolean isFloating() {
            return type.equals(ConstantDescs.CD_float) || type.equals(ConstantDescs.CD_double);
        }
    }

    /// After the record's class and the names of its components comes a getter for each.
    private static List<Component> components(InvokeDynamicInstruction call) {
        List<ConstantDesc> arguments = call.bootstrapArgs();
        return arguments.subList(2, arguments.size()).stream()
                .map(DirectMethodHandleDesc.class::cast)
                .map(getter -> new Component(getter.methodName(), type(getter)))
                .toList();
    }

    private static ClassDesc type(DirectMethodHandleDesc getter) {
        return getter.invocationType().returnType();
    }

    private void equalsOf(CodeBuilder code, List<Component> components) {
        Label different = code.newLabel();
        Label same = code.newLabel();
        code.aload(0).aload(1).if_acmpeq(same);
        code.aload(1).instanceOf(owner).ifeq(different);
        for (Component component : components) {
            for (int of = 0; of < 2; of++) {
                code.aload(of).checkcast(owner).getfield(owner, component.name(), component.type());
            }
            if (!component.type().isPrimitive()) {
                code.invokestatic(OBJECTS, "equals", EQUALS_OF_TWO).ifeq(different);
            } else if (component.isFloating()) {
                // NaN equals NaN, and 0.0 differs from -0.0.
                ClassDesc type = component.type();
                code.invokestatic(
                                box(type),
                                "compare",
                                MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
                        .ifne(different);
            } else if (component.type().equals(ConstantDescs.CD_long)) {
                code.lcmp().ifne(different);
            } else {
                code.if_icmpne(different);
            }
        }
        code.labelBinding(same).iconst_1().return_(TypeKind.INT);
        code.labelBinding(different).iconst_0().return_(TypeKind.INT);
    }

    /// 31 times the hash of those before it, and that of the component.
    private void hashOf(CodeBuilder code, List<Component> components) {
        code.iconst_0();
        for (Component component : components) {
            ClassDesc type = component.type();
            code.bipush(31).imul().aload(0).getfield(owner, component.name(), type);
            if (type.isPrimitive()) {
                code.invokestatic(
                        box(type), "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, type));
            } else {
                code.invokestatic(OBJECTS, "hashCode", HASH_OF_ONE);
            }
            code.iadd();
        }
        code.return_(TypeKind.INT);
    }

    /// The class whose static methods compare a primitive type.
    private static ClassDesc box(ClassDesc type) {
        return switch (TypeKind.from(type)) {
            case BOOLEAN -> ConstantDescs.CD_Boolean;
            case BYTE -> ConstantDescs.CD_Byte;
            case CHAR -> ConstantDescs.CD_Character;
            case SHORT -> ConstantDescs.CD_Short;
            case LONG -> ConstantDescs.CD_Long;
            case FLOAT -> ConstantDescs.CD_Float;
            case DOUBLE -> ConstantDescs.CD_Double;
            default -> ConstantDescs.CD_Integer;
        };
    }
}
