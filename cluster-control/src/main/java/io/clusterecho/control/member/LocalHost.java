package io.clusterecho.control.member;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.UserClasses;
import io.clusterecho.node.member.Preflight;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.platform.MachineColumn;

/** This machine, as a host of members. */
public final class LocalHost implements MemberHost
{
    private final NodeConfig config;
    private final ClusterFiles files;
    private final MemberLauncher launcher;
    private final ClassArchive.Trial trial;
    private final Optional<Node> backup;
    private final List<LocalMember> members;

    /** This machine with all members of a cluster, and its backup; the launcher is null if none is started. */
    public LocalHost(
        final NodeConfig config, final ClusterFiles files, final MemberLauncher launcher, final ClassArchive.Trial trial)
    {
        this.config = config;
        this.files = files;
        this.trial = trial;
        this.launcher = null == launcher ? null : launcher.ofConfig(config);
        backup = config.value(NodeSettings.BACKUP) ?
            Optional.of(LocalNode.backup(config, files.settingsFile(), this.launcher)) : Optional.empty();
        members = config.members().stream().map((endpoints) -> new LocalMember(
            Node.Place.of(false, "", config.baseDir(), endpoints),
            files.settingsFile(),
            this.launcher,
            config.value(NodeSettings.LAUNCH_PREFIX),
            config.value(NodeSettings.FAULT_LIBRARY))).toList();
    }

    @Override
    public List<ClusterMember> members()
    {
        return List.copyOf(members);
    }

    @Override
    public Optional<Node> backup()
    {
        return backup;
    }

    @Override
    public void prepare(final Consumer<String> progress)
    {
        // Without space the trial fails too, and less clearly.
        checkRoom(members.size());
        new ClassArchive(launcher.jar(), launcher.flags()).make(config, launcher, trial, progress);
    }

    @Override
    public String configure(final SortedMap<String, String> shared, final int memberCount)
    {
        members.forEach(LocalMember::check);
        // Rejects what is not here; the members load the classes.
        new UserClasses(NodeSettings.CLASS_PATH.key(), config.value(NodeSettings.CLASS_PATH));
        final String room = checkRoom(memberCount);
        files.write(shared, config.members());
        return room;
    }

    @Override
    public void forget()
    {
        files.delete();
    }

    @Override
    public String checkRoom(final int memberCount)
    {
        final String room = Preflight.checkRoom(config, memberCount);
        // Some may have a disk of their own.
        members.stream().filter((member) -> !member.isAlive()).forEach((member) -> Preflight.checkDisk(config, member.dir()));
        return room;
    }

    @Override
    public ElectionWatch watchElections()
    {
        return new CounterWatch(members);
    }

    @Override
    public long[] machineUse()
    {
        return MachineColumn.sample(HostFiles.ofThisMachine());
    }

    @Override
    public Map<String, Map<String, String>> environment()
    {
        final Map<String, Map<String, String>> facts = new LinkedHashMap<>();
        facts.put("machine", MachineFacts.machine(config.baseDir()));
        facts.put("jvm", MachineFacts.jvm());
        facts.put("build", BuildFacts.versions());
        return facts;
    }
}
