package io.clusterecho.settings;

import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Causes of failures in words, where an exception has only a class or words of a library. */
public final class Cause
{
    /** Why a file or folder cannot be used. */
    public static String of(final Exception ex)
    {
        if (ex instanceof CharacterCodingException)
        {
            return "it has bytes that are not UTF-8";
        }
        if (ex instanceof FileSystemException failure && null == failure.getReason())
        {
            return ex instanceof NoSuchFileException ? "no such file or folder" :
                ex instanceof AccessDeniedException ? "permission denied" :
                ex instanceof FileAlreadyExistsException ? "a file has that name" : ex.toString();
        }

        return ex instanceof FileSystemException failure ? failure.getReason() :
            null == ex.getMessage() ? ex.toString() : ex.getMessage();
    }

    /**
     * Whether an error is the JVM's for SIGBUS: no page could be allocated for a mapped file, because its file system is full or
     * failed.
     */
    public static boolean isMemoryFault(final Throwable error)
    {
        return error instanceof InternalError && String.valueOf(error.getMessage()).contains("unsafe memory access");
    }

    /** An error as text, with its meaning if it is a memory fault. */
    public static String ofError(final Throwable error)
    {
        return isMemoryFault(error) ? "shared memory or a disk is full: no page could be allocated for a mapped file (" +
            error.getMessage() + ")" : error.toString();
    }

    /** A rejection of the command line's parser, with what is allowed in place of a type of Java, and without a position. */
    public static String ofArgument(final String message)
    {
        return message.replaceFirst("is not an? (int|long)$", "is not allowed: a whole number")
            .replaceFirst("is not an? (float|double)$", "is not allowed: a number")
            .replaceFirst("(Unmatched argument) at index \\d+", "$1");
    }
}
