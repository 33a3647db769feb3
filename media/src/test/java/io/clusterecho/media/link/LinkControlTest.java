package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.clusterecho.media.link.LinkFile.Side;

class LinkControlTest
{
    @TempDir
    private Path memberDir;

    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldHandAnyDirectionToTheMember(final Direction direction) throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkControl control = LinkControl.open(memberDir);

        control.cut(direction);
        assertThat(LinkRequest.direction(member.request())).contains(direction);
        assertThat(control.direction()).contains(direction);

        control.heal();
        assertThat(LinkRequest.direction(member.request())).isEmpty();
        assertThat(control.direction()).isEmpty();
    }

    @Test
    void shouldBeTakenWhenBothAgentsOfTheDriverTookIt() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkControl control = LinkControl.open(memberDir);
        final long beginNs = System.nanoTime();

        control.cut(Direction.BOTH);
        assertThat(control.awaitTaken(0)).isFalse();
        member.take(Side.SENDER, member.request());
        assertThat(control.awaitTaken(0)).isFalse();
        member.take(Side.RECEIVER, member.request());
        assertThat(control.awaitTaken(0)).isTrue();
        assertThat(control.takenNs()).isBetween(beginNs, System.nanoTime()).isEqualTo(member.takenNs(Side.RECEIVER));
    }

    @Test
    void shouldTellARequestFromAnEarlierOneForTheSame() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkControl control = LinkControl.open(memberDir);
        control.cut(Direction.SEND);
        take(member);

        control.heal();
        control.cut(Direction.SEND);

        assertThat(control.isTaken()).isFalse();
        take(member);
        assertThat(control.isTaken()).isTrue();
    }

    @Test
    void shouldNotWaitForWhatAnotherControlOverruled() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkControl control = LinkControl.open(memberDir);
        control.cut(Direction.BOTH);

        LinkControl.open(memberDir).heal();
        take(member);

        assertThat(control.awaitTaken(Long.MAX_VALUE)).isFalse();
        assertThat(control.direction()).isEmpty();
    }

    @Test
    void shouldControlAMemberThatStartedAnewAndIsNotCutOff() throws IOException
    {
        final LinkFile first = LinkFile.create(memberDir);
        final LinkControl control = LinkControl.open(memberDir);
        control.cut(Direction.BOTH);
        take(first);
        first.countUnsent(Side.SENDER);
        first.countUnheard(Side.RECEIVER);
        assertThat(control.unsentCount()).isOne();
        assertThat(control.unheardCount()).isOne();

        final LinkFile second = LinkFile.create(memberDir);
        assertThat(control.direction()).isEmpty();
        assertThat(control.awaitTaken(Long.MAX_VALUE)).isFalse();
        assertThat(control.unsentCount()).isZero();
        assertThat(control.unheardCount()).isZero();

        control.cut(Direction.RECEIVE);
        take(second);
        assertThat(control.awaitTaken(0)).isTrue();
    }

    @Test
    void shouldCountFramesOfBothAgents() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        member.countUnsent(Side.SENDER);
        member.countUnsent(Side.RECEIVER);
        member.countUnheard(Side.SENDER);
        member.countUnheard(Side.RECEIVER);
        member.countUnheard(Side.RECEIVER);

        final LinkControl control = LinkControl.open(memberDir);
        assertThat(control.unsentCount()).isEqualTo(2);
        assertThat(control.unheardCount()).isEqualTo(3);
        assertThat(control.pid()).isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void shouldRefuseAMemberWithoutAFilterAndLeaveNoFile()
    {
        assertThatThrownBy(() -> LinkControl.open(memberDir)).isInstanceOf(NoSuchFileException.class);
        assertThat(memberDir).isEmptyDirectory();
    }

    @Test
    void shouldRefuseAFileThatIsNotComplete() throws IOException
    {
        final Path file = Files.write(memberDir.resolve(LinkFile.NAME), new byte[4095]);
        assertThatThrownBy(() -> LinkControl.open(memberDir)).isInstanceOf(IOException.class).hasMessageContaining("complete");

        Files.write(file, new byte[4096]);
        assertThatThrownBy(() -> LinkControl.open(memberDir)).isInstanceOf(IOException.class).hasMessageContaining("complete");

        LinkFile.create(memberDir);
        assertThat(LinkControl.open(memberDir).direction()).isEmpty();
    }

    @Test
    void shouldLetOnlyItsOwnerCutAMemberOff() throws IOException
    {
        LinkFile.create(memberDir);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(memberDir.resolve(LinkFile.NAME))))
            .isEqualTo("rw-------");
    }

    private static void take(final LinkFile member)
    {
        for (final Side side : Side.values())
        {
            member.take(side, member.request());
        }
    }
}
