package io.clusterecho.reporting.bundle;

import java.util.Map;

/**
 * {@code bundle.json} in a bundle: how the result was made. All values are those of the result's own documents; a null is not
 * in them.
 *
 * @param format        {@value #FORMAT}.
 * @param kind          of the result, such as {@code run} or {@code max-rate}.
 * @param folder        of the archive that contains the files of the result.
 * @param commandLine   that made the result, without secrets.
 * @param configuration every option with its effective value.
 */
public record BundleDocument(
    String format, String label, String kind, String folder, String commandLine, Map<String, String> configuration,
    Map<String, String> cluster, Map<String, String> versions, Map<String, String> machine)
{
    public static final String FORMAT = "cluster-echo-bundle/1";
    public static final String FILE_NAME = "bundle.json";
}
