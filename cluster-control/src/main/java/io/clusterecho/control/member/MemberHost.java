package io.clusterecho.control.member;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;

import io.clusterecho.platform.MachineUse;

/**
 * A machine that members of a cluster run on: this one, or one that is reached over ssh. One thread at a time, but for what
 * reads counters.
 */
public interface MemberHost
{
    /**
     * Name in the inventory.
     *
     * @return the name, empty for this machine.
     */
    String name();

    /**
     * The members that run there.
     *
     * @return in the order of their ids.
     */
    List<ClusterMember> members();

    /**
     * Make the connection that everything else needs, unless it is there. Any thread may call it; nothing fails if it cannot be
     * made, as whatever is asked next says so.
     */
    void connect();

    /**
     * Get everything ready that a start of members needs, such as the classes of members; to be called when none runs.
     * Nothing fails if that cannot be done.
     *
     * @param progress told what happens.
     */
    void prepare(Consumer<String> progress);

    /**
     * Check that there is room for members that are about to start there, and write down what they are told.
     *
     * @param shared      settings of all members.
     * @param memberCount of them.
     * @return how much all of them take, and how much there is, in words.
     * @throws io.clusterecho.settings.InvalidSettingException if they cannot be used there.
     */
    String configure(SortedMap<String, String> shared, int memberCount);

    /**
     * Delete what {@link #configure(SortedMap, int)} wrote, and the folder if that leaves it empty.
     */
    void forget();

    /**
     * Check that there is room for members that are about to start there.
     *
     * @param memberCount of them.
     * @return how much all of them take, and how much there is, in words.
     * @throws io.clusterecho.settings.InvalidSettingException if there is not.
     */
    String checkRoom(int memberCount);

    /**
     * Begin to note the elections of its members.
     *
     * @return to be closed.
     */
    ElectionWatch watchElections();

    /**
     * What the machine has done so far, summed over its cores; see {@link MachineUse}.
     *
     * @return what it has done, with unknown values where it does not answer.
     */
    MachineUse machineUse();

    /**
     * What a result needs to say about the machine.
     *
     * @return groups of facts, such as {@code machine}, by name.
     */
    Map<String, Map<String, String>> environment();
}
