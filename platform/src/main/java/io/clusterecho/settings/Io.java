package io.clusterecho.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Input and output whose failure is an unchecked exception that says what was tried, or has a value in place of a result. */
public final class Io
{
    /** Input or output with a result. */
    @FunctionalInterface
    public interface Call<T>
    {
        /** The result, or a failure. */
        T get() throws IOException;
    }

    /** Input or output without a result. */
    @FunctionalInterface
    public interface Action
    {
        /** Do it, or fail. */
        void run() throws IOException;
    }

    /** The result of a call; an exception made of the failure if it fails. */
    public static <T> T call(final Function<IOException, ? extends RuntimeException> failure, final Call<T> call)
    {
        try
        {
            return call.get();
        }
        catch (final IOException ex)
        {
            throw failure.apply(ex);
        }
    }

    /** The result of a call; an {@link UncheckedIOException} with a message, such as {@code cannot read FILE}, if it fails. */
    public static <T> T call(final String message, final Call<T> call)
    {
        return call((ex) -> new UncheckedIOException(message, ex), call);
    }

    /** As {@link #call(Function, Call)}, without a result. */
    public static void run(final Function<IOException, ? extends RuntimeException> failure, final Action action)
    {
        call(failure, () ->
        {
            action.run();
            return null;
        });
    }

    /** As {@link #call(String, Call)}, without a result. */
    public static void run(final String message, final Action action)
    {
        run((ex) -> new UncheckedIOException(message, ex), action);
    }

    /** The result of a call, or a fallback if it fails. */
    public static <T> T orElse(final T fallback, final Call<T> call)
    {
        try
        {
            return call.get();
        }
        catch (final IOException ex)
        {
            return fallback;
        }
    }

    /** Files and folders in a folder, by name. */
    public static List<Path> list(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.sorted().toList();
        }
    }

    /** Write a file in UTF-8, in place of one that has the name: a reader finds the one or the other, and never a part. */
    public static void replace(final Path file, final String text) throws IOException
    {
        final Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(written, text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
