package dev.heddle.junit;

import dev.heddle.vm.MachineKind;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

/// Runs a [KernelTest] once on each machine it names.
final class KernelExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getTestMethod(), KernelTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
            ExtensionContext context) {
        KernelTest test =
                AnnotationSupport.findAnnotation(context.getTestMethod(), KernelTest.class)
                        .orElseThrow();
        return Stream.of(test.value()).map(Invocation::new);
    }

    /// A test on one machine.
    private record Invocation(MachineKind on)
            implements TestTemplateInvocationContext, BeforeEachCallback, ParameterResolver {
        @Override
        public String getDisplayName(int number) {
            return on.word();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        /// A test that is to be skipped must be so before its parameters are resolved.
        @Override
        public void beforeEach(ExtensionContext context) {
            Opened.of(context).get(on);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == KernelRunner.class
                    && parameter.getDeclaringExecutable() instanceof Method;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new KernelRunner(Opened.of(context).get(on));
        }
    }
}
