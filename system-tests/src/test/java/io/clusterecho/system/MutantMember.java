package io.clusterecho.system;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.aeron.cluster.service.ClusteredService;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberProcess;
import io.clusterecho.node.service.MutantService;
import io.clusterecho.node.service.Mutation;
import io.clusterecho.node.service.SlowService;
import io.clusterecho.settings.Settings;

/**
 * A member whose service makes the errors configured by the system properties {@code mutation.*}. Started instead of
 * {@code cluster-node.jar} with the same arguments.
 */
public final class MutantMember
{
    /** Prefix before a member id: the {@link Mutation}s of that member, separated by commas, used round-robin. */
    static final String KIND = "mutation.";

    /** Prefix before a member id: time that its service needs more for each message, in ns. */
    static final String DELAY = "mutation.delay.";

    /** Messages for each mutation. */
    static final String INTERVAL = "mutation.interval";

    /** Seed of the choice of mutated messages. */
    static final String SEED = "mutation.seed";

    private MutantMember()
    {
    }

    /**
     * Run until SIGTERM.
     *
     * @param args {@code --member-id N FILE.properties}.
     */
    public static void main(final String[] args)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(Path.of(args[2])))
            .put(NodeSettings.MEMBER_ID.key(), args[1], args[0]);
        final NodeConfig config = new NodeConfig(settings);
        System.exit(new MemberProcess(
            config, settings, (own) -> List.of(service(own)), System.out, System.err).run().code());
    }

    private static ClusteredService service(final NodeConfig config)
    {
        final long delayNs = Long.getLong(DELAY + config.memberId(), 0);
        if (delayNs > 0)
        {
            return new SlowService(MemberProcess.echoService(config), delayNs);
        }

        return new MutantService(
            MemberProcess.echoService(config),
            Stream.of(System.getProperty(KIND + config.memberId(), "").split(","))
                .filter((name) -> !name.isEmpty()).map(Mutation::valueOf).toList(),
            Integer.getInteger(INTERVAL),
            Long.getLong(SEED) + config.memberId(),
            System.out);
    }
}
