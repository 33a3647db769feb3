package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.Cluster;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.testing.Fuzz;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Whatever is in the log or in a snapshot: members answer it alike, count it as refused, or refuse to start. */
class DamagedMessagesTest
{
    private static final int COUNT = 20_000;
    private static final List<ServiceCounter> OUTCOMES = Arrays.stream(ServiceCounter.values())
        .filter((counter) -> counter.name().startsWith("REFUSED_")).toList();

    @Test
    void shouldAnswerOrCountEveryMessageAlikeOnAllMembers()
    {
        final Member leader = Member.leader();
        final Member follower = Member.follower();
        final FakeSession session = leader.session(1);
        final PayloadCheck payloadCheck = new PayloadCheck();
        Fuzz.run("ingress", COUNT, requests(leader), List.of(), (input) ->
        {
            final byte[] bytes = Arrays.copyOf(input, Math.min(input.length, 1024));
            final UnsafeBuffer message = new UnsafeBuffer(bytes);
            // Half of them with a valid check, so that what is behind it sees them.
            if (bytes.length >= EchoMessage.MIN_LENGTH && 0 == (bytes[bytes.length - 1] & 1))
            {
                final int templateId = EchoMessage.templateId(message, 0);
                EchoMessage.encode(
                    message, 0, bytes.length, templateId, EchoMessage.clientId(message, 0), EchoMessage.sequence(message, 0),
                    EchoMessage.intendedSendTimeLow(message, 0), payloadCheck);
            }
            final long before = refused(leader) + answered(leader);
            for (final Member member : List.of(leader, follower))
            {
                member.message.putBytes(8, bytes);
                member.deliver(member == leader ? session : null, 8, bytes.length);
            }

            assertThat(refused(leader) + answered(leader)).as("refused or answered").isEqualTo(before + 1);
            assertThat(leader.count(ServiceCounter.STATE_CHECKSUM)).isEqualTo(follower.count(ServiceCounter.STATE_CHECKSUM));
            session.received.clear();
        });

        assertThat(refused(leader)).isPositive();
        assertThat(refused(leader)).isEqualTo(refused(follower));
        assertThat(leader.count(ServiceCounter.APPLIED)).isPositive().isEqualTo(follower.count(ServiceCounter.APPLIED));
    }

    @Test
    void shouldAnswerOrCountEveryMessageToThePlainService()
    {
        final Member member = Member.plain(Cluster.Role.LEADER);
        final FakeSession session = member.session(1);
        Fuzz.run("plain", COUNT, requests(member), List.of(), (input) ->
        {
            final int length = Math.min(input.length, 1024);
            member.message.putBytes(8, input, 0, length);
            member.deliver(session, 8, length);
            session.received.clear();
        });

        assertThat(member.count(ServiceCounter.RECEIVED)).isGreaterThanOrEqualTo(COUNT);
    }

    @Test
    void shouldRestoreOrRefuseEverySnapshot()
    {
        final Member member = Member.leader();
        for (int i = 0; i < 3; i++)
        {
            member.echo(member.session(1), i, 0);
        }
        final List<byte[]> parts = member.snapshot().stream().map(UnsafeBuffer::byteArray).toList();
        for (int damaged = 0; damaged < parts.size(); damaged++)
        {
            final int index = damaged;
            final long refused = Fuzz.run(
                "snapshot-" + index, COUNT / 10, List.of(parts.get(index)), List.of(ClusterException.class), (input) ->
                {
                    final List<byte[]> changed = new ArrayList<>(parts);
                    changed.set(index, input);
                    restore(changed);
                });
            assertThat(refused).isPositive();
        }
    }

    private static void restore(final List<byte[]> parts)
    {
        final SnapshotReader reader = new SnapshotReader(Member.MAX_CLIENTS, new StateTable(0));
        for (final byte[] part : parts)
        {
            reader.onFragment(new UnsafeBuffer(part), 0, part.length, null);
        }
        reader.onEndOfSnapshot();
        reader.check();
        Member.leader().service.restore(reader);
    }

    private static List<byte[]> requests(final Member member)
    {
        final List<byte[]> samples = new ArrayList<>();
        for (int templateId = 1; templateId <= 8; templateId++)
        {
            member.encode(templateId, 77, 0, 64);
            final byte[] sample = new byte[64];
            member.message.getBytes(8, sample);
            samples.add(sample);
        }

        return samples;
    }

    private static long refused(final Member member)
    {
        return OUTCOMES.stream().mapToLong(member::count).sum();
    }

    private static long answered(final Member member)
    {
        return member.count(ServiceCounter.APPLIED) + member.count(ServiceCounter.REPEATED) +
            member.count(ServiceCounter.TOO_EARLY);
    }
}
