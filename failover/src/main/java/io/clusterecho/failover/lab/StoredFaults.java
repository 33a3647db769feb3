package io.clusterecho.failover.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

import com.fasterxml.jackson.databind.JsonNode;

/** The faults of a test, as its result has them. */
public final class StoredFaults
{
    private StoredFaults()
    {
    }

    /** @throws InvalidSettingException if the folder has no result with faults, or one with a fault that is unknown. */
    public static List<PlannedFault> read(final Path folder)
    {
        final Path file = folder.resolve(DocumentKind.FAILOVER.fileName());
        try
        {
            final JsonNode root = Documents.checked(
                Documents.parse(Files.readString(file)), DocumentKind.FAILOVER.format(), List.of("/cycles"));
            final List<PlannedFault> faults = new ArrayList<>();
            for (final Cycle cycle : Documents.bind(root, FailoverDocument.class).cycles())
            {
                if (null == cycle.hit().choice() || null == cycle.hit().pick() || cycle.hit().pick() < 0)
                {
                    throw new IllegalArgumentException("cycle " + cycle.number() + " has no choice and pick");
                }
                final PlannedFault first = PlannedFault.of(cycle.hit());
                faults.add(null == cycle.second() ? first : first.with(
                    new PlannedFault.Second(PlannedFault.of(cycle.second().hit()), cycle.second().afterNs())));
            }
            if (faults.isEmpty())
            {
                throw new IllegalArgumentException("it has no cycles");
            }
            return faults;
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                "--replay", folder, "a folder with the " + file.getFileName() + " of a test with faults; " + ex.getMessage());
        }
    }
}
