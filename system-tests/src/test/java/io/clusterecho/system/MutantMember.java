package io.clusterecho.system;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberProcess;
import io.clusterecho.node.service.MutantService;
import io.clusterecho.node.service.Mutation;
import io.clusterecho.settings.Settings;

/**
 * A member whose service makes the mistakes that the system properties {@code mutation.*} ask for: started in place of
 * {@code cluster-node.jar}, with the same arguments.
 */
public final class MutantMember
{
    /**
     * Followed by the id of a member: each {@link Mutation} that this member makes in turn, parted by commas.
     */
    static final String KIND = "mutation.";

    /**
     * One message of so many.
     */
    static final String INTERVAL = "mutation.interval";

    /**
     * Seed of the places at which mistakes are made.
     */
    static final String SEED = "mutation.seed";

    private MutantMember()
    {
    }

    /**
     * Run until asked to stop.
     *
     * @param args {@code --member-id N FILE.properties}.
     */
    public static void main(final String[] args)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(Path.of(args[2])))
            .put(NodeSettings.MEMBER_ID.key(), args[1], args[0]);
        System.exit(new MemberProcess(settings, MutantMember::service, System.out, System.err).run().code());
    }

    private static MutantService service(final NodeConfig config)
    {
        return new MutantService(
            MemberProcess.echoService(config),
            Stream.of(System.getProperty(KIND + config.memberId(), "").split(","))
                .filter((name) -> !name.isEmpty()).map(Mutation::valueOf).toList(),
            Integer.getInteger(INTERVAL),
            Long.getLong(SEED) + config.memberId(),
            System.out);
    }
}
