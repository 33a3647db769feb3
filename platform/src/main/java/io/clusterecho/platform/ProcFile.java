package io.clusterecho.platform;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text and numbers of small files of Linux, which have no length before they are read. What reads them runs a few times a second
 * beside a measurement and is interpreted, so it takes the shortest way through the library.
 */
final class ProcFile
{
    private static final int FIRST_LENGTH = 4096;

    private ProcFile()
    {
    }

    /** All of a file. */
    static String text(final String path) throws IOException
    {
        try (FileInputStream in = new FileInputStream(path))
        {
            byte[] bytes = new byte[FIRST_LENGTH];
            int length = 0;
            for (int count = in.read(bytes); count > 0; count = in.read(bytes, length, bytes.length - length))
            {
                length += count;
                if (bytes.length == length)
                {
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
            }
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
    }

    /** The whole number, 0 or more, after the first occurrence of a key and blanks; {@link ProcessUse#UNKNOWN} without one. */
    static long number(final String text, final String key)
    {
        final int at = text.indexOf(key);
        int begin = at + key.length();
        while (at >= 0 && begin < text.length() && text.charAt(begin) <= ' ')
        {
            begin++;
        }
        int end = begin;
        while (at >= 0 && end < text.length() && Character.isDigit(text.charAt(end)))
        {
            end++;
        }
        return end == begin ? ProcessUse.UNKNOWN : Long.parseLong(text, begin, end, 10);
    }
}
