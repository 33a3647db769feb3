package io.clusterecho.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.clusterecho.settings.InvalidSettingException;

class UserClassesTest
{
    private static final String KEY = "echo.service.class";
    private static final String SOURCE =
        """
        package user;

        public class Classes
        {
            public static class Good implements java.util.function.Supplier<Object>
            {
                private final ClassLoader ofThread = Thread.currentThread().getContextClassLoader();

                public Object get()
                {
                    return ofThread;
                }
            }

            public static class Other
            {
            }

            public static class Hidden extends Good
            {
                Hidden()
                {
                }
            }

            public static class Failing extends Good
            {
                public Failing()
                {
                    throw new IllegalStateException("no licence");
                }
            }

            public static class Unready extends Good
            {
                static final int COUNT = Integer.parseInt("no number");

                public Unready()
                {
                }
            }

            public abstract static class Unfinished extends Good
            {
                public Unfinished()
                {
                }
            }
        }
        """;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder;

    @BeforeEach
    void compile() throws IOException
    {
        final Path source = folder.resolve("Classes.java");
        Files.writeString(source, SOURCE);
        assertThat(ToolProvider.getSystemJavaCompiler().run(
            null, null, null, "-d", folder.toString(), source.toString())).isZero();
    }

    @AfterEach
    void restoreContextClassLoader()
    {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void shouldMakeAnObjectWhoseThreadFindsItsClasses() throws IOException
    {
        try (UserClasses classes = new UserClasses("echo.class.path", List.of(folder)))
        {
            final Supplier<?> made = classes.make(KEY, "user.Classes$Good", Supplier.class);
            assertThat(made.getClass().getClassLoader()).isSameAs(classes);
            assertThat(made.get()).isSameAs(classes);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "user.Missing, ClassNotFoundException", "user.Classes$Other, ClassCastException",
        "user.Classes$Hidden, NoSuchMethodException", "user.Classes$Failing, no licence",
        "user.Classes$Unfinished, InstantiationException", "user.Classes$Unready, no number" })
    void shouldNameAClassOfWhichNoneCanBeMade(final String name, final String why) throws IOException
    {
        try (UserClasses classes = new UserClasses("echo.class.path", List.of(folder)))
        {
            assertThatThrownBy(() -> classes.make(KEY, name, Supplier.class))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("echo.service.class=" + name + " is not allowed: a public class")
                .hasMessageContaining("java.util.function.Supplier").hasMessageContaining(why);
        }
    }

    @Test
    void shouldNameAJarThatDoesNotExist()
    {
        final Path missing = folder.resolve("missing.jar");
        assertThatThrownBy(() -> new UserClasses("echo.class.path", List.of(folder, missing)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.class.path=" + missing + " is not allowed");
    }
}
