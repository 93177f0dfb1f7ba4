package dev.heddle.cli;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Gives tests the one open page of a test run; they skip where there is no browser.
final class PageResolver implements ExecutionCondition, ParameterResolver {
    /// Asked before a page is: what is thrown while a parameter is resolved counts as an error.
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return Browser.installed().isPresent()
                ? ConditionEvaluationResult.enabled("a browser is here")
                : ConditionEvaluationResult.disabled("no Chromium here: apt-get install chromium");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == OpenPage.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        OpenPage page =
                context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(PageResolver.class))
                        .computeIfAbsent(
                                OpenPage.class,
                                _ -> {
                                    try {
                                        return OpenPage.start();
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                },
                                OpenPage.class);
        page.desktop();
        return page;
    }
}
