package io.clusterecho.platform;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.host.HostFiles;

/**
 * Type, zone and placement group of this machine, if it is an instance of Amazon EC2, from its metadata service, version 2. On
 * other machines nothing is requested. Does not wait for a service that does not answer at once.
 */
final class CloudFacts
{
    /** What the firmware reports; older instance types name the vendor only in its version. */
    private static final List<String> FIRMWARE =
        List.of("sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/bios_vendor", "sys/class/dmi/id/bios_version");
    private static final String VENDOR = "amazon";
    static final URI METADATA = URI.create("http://169.254.169.254/");
    static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int OK = 200;
    /** Name of a fact to its path. */
    private static final List<Map.Entry<String, String>> PATHS = List.of(
        Map.entry("instanceType", "instance-type"), Map.entry("zone", "placement/availability-zone"),
        Map.entry("zoneId", "placement/availability-zone-id"), Map.entry("placementGroup", "placement/group-name"),
        Map.entry("partition", "placement/partition-number"), Map.entry("lifeCycle", "instance-life-cycle"));

    /** Facts of a machine by name, without missing ones; none on other machines. */
    static Map<String, String> facts(final HostFiles files, final URI metadata, final Duration timeout)
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        if (FIRMWARE.stream().noneMatch((name) -> isOfVendor(files, name)))
        {
            return facts;
        }

        final HttpClient client = HttpClient.newBuilder()
            // The service is on the local link; a proxy must not see the token.
            .proxy(HttpClient.Builder.NO_PROXY).connectTimeout(timeout).build();
        final Optional<String> token = answer(client, HttpRequest.newBuilder(metadata.resolve("latest/api/token"))
            .header("X-aws-ec2-metadata-token-ttl-seconds", "60").timeout(timeout)
            .PUT(HttpRequest.BodyPublishers.noBody()));
        if (token.isEmpty())
        {
            facts.put("zone", "the metadata service did not answer");
            return facts;
        }

        PATHS.forEach((path) -> answer(client, HttpRequest.newBuilder(metadata.resolve("latest/meta-data/" + path.getValue()))
            .header("X-aws-ec2-metadata-token", token.get()).timeout(timeout))
            .ifPresent((value) -> facts.put(path.getKey(), value)));
        return facts;
    }

    private static boolean isOfVendor(final HostFiles files, final String name)
    {
        return files.text(name).map((text) -> text.toLowerCase(Locale.ROOT).contains(VENDOR)).orElse(false);
    }

    /** Empty if there is no successful answer in time: an instance without a placement group has no such path. */
    private static Optional<String> answer(final HttpClient client, final HttpRequest.Builder request)
    {
        try
        {
            final HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return OK == response.statusCode() ? Optional.of(response.body().trim()) : Optional.empty();
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
