package dev.heddle.cli;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Gives tests the one open page of a test run; they skip where there is no browser.
final class PageResolver implements ParameterResolver {
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
