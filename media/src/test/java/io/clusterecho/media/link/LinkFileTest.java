package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.media.link.LinkFile.Side;

class LinkFileTest
{
    private static final int REQUEST_OFFSET = 128;
    private static final Impairment CUT = Impairment.of(Direction.BOTH).cut();

    @TempDir
    private Path memberDir;

    @ParameterizedTest
    @EnumSource(Direction.class)
    void shouldHandAnyDirectionToTheMember(final Direction direction) throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);

        control.impair(Impairment.of(direction).cut());
        assertThat(member.impairment(member.request())).isEqualTo(Impairment.of(direction).cut());
        assertThat(present(control)).isEqualTo(Impairment.of(direction).cut());

        control.impair(Impairment.NONE);
        assertThat(member.impairment(member.request())).isEqualTo(Impairment.NONE);
        assertThat(present(control)).isEqualTo(Impairment.NONE);
    }

    @Test
    void shouldHandEachPartOfAnImpairmentToTheMember() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);
        for (final Impairment impairment : List.of(
            Impairment.ofMember(2).with(Effect.LOSS_PPM, 10_000).seeded(-6),
            Impairment.of(Direction.RECEIVE).with(Effect.DELAY_NS, 20_000_000),
            Impairment.of(Direction.RECEIVE).with(Effect.JITTER_NS, 3),
            Impairment.of(Direction.RECEIVE).with(Effect.DUPLICATE_PPM, 40),
            Impairment.of(Direction.RECEIVE).with(Effect.REORDER_PPM, 50),
            Impairment.ofClients(Direction.BOTH).cut()))
        {
            control.impair(impairment);
            assertThat(member.impairment(member.request())).isEqualTo(impairment);
        }
    }

    @Test
    void shouldReadNoRequestThatIsBeingReplaced() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final long before = member.request();
        LinkFile.open(memberDir).impair(CUT);

        assertThat(member.impairment(before)).isNull();
        assertThat(member.impairment(member.request() - 1)).isNull();
    }

    @Test
    void shouldReadWholeRequestsOfSeveralControls() throws Exception
    {
        final LinkFile member = LinkFile.create(memberDir);
        final Thread[] writers = new Thread[2];
        for (int i = 0; i < writers.length; i++)
        {
            final LinkFile control = LinkFile.open(memberDir);
            final int first = i;
            writers[i] = new Thread(() -> impairOften(control, first));
            writers[i].start();
        }

        long readCount = 0;
        while (writers[0].isAlive() || writers[1].isAlive())
        {
            final Impairment read = member.impairment(member.request());
            if (null != read)
            {
                assertThat(read.amount()).isEqualTo(read.seed());
                assertThat((long)read.memberId()).isEqualTo(read.seed());
                readCount++;
            }
        }
        assertThat(readCount).isPositive();
    }

    @Test
    void shouldContinueAfterAWriterThatDiedWhileItWrote() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final long before = member.request();
        final Path file = memberDir.resolve(LinkFile.NAME);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            final ByteBuffer odd = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, before + 1);
            channel.write(odd, REQUEST_OFFSET);
        }
        assertThat(member.impairment(member.request())).isNull();

        LinkFile.open(memberDir).impair(CUT);
        assertThat(member.impairment(member.request())).isEqualTo(CUT);
        assertThat(member.request()).isGreaterThan(before + 1);
    }

    @Test
    void shouldBeTakenWhenBothAgentsOfTheDriverTookIt() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);

        control.impair(CUT);
        assertThat(control.awaitTaken(0)).isFalse();
        member.take(Side.SENDER, member.request());
        assertThat(control.awaitTaken(0)).isFalse();
        member.take(Side.RECEIVER, member.request());
        assertThat(control.awaitTaken(0)).isTrue();
    }

    @Test
    void shouldTellARequestFromAnEarlierOneForTheSame() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);
        control.impair(CUT);
        take(member);

        control.impair(Impairment.NONE);
        control.impair(CUT);

        assertThat(control.awaitTaken(0)).isFalse();
        take(member);
        assertThat(control.awaitTaken(0)).isTrue();
    }

    @Test
    void shouldNotWaitForWhatAnotherControlOverruled() throws IOException
    {
        final LinkFile member = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);
        control.impair(CUT);

        LinkFile.open(memberDir).impair(Impairment.NONE);
        take(member);

        assertThat(control.awaitTaken(Long.MAX_VALUE)).isFalse();
        assertThat(present(control)).isEqualTo(Impairment.NONE);
    }

    @Test
    void shouldControlAMemberThatStartedAnewAndIsNotCutOff() throws IOException
    {
        final LinkFile first = LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);
        control.impair(CUT);
        take(first);

        final LinkFile second = LinkFile.create(memberDir);
        assertThat(present(control)).isEqualTo(Impairment.NONE);
        assertThat(control.awaitTaken(Long.MAX_VALUE)).isFalse();

        control.impair(CUT);
        take(second);
        assertThat(control.awaitTaken(0)).isTrue();
    }

    @Test
    void shouldNotTakeARequestOfALaterRunForAnEarlierOne() throws IOException
    {
        LinkFile.create(memberDir);
        final LinkFile control = LinkFile.open(memberDir);
        control.impair(CUT);

        final LinkFile second = LinkFile.create(memberDir);
        LinkFile.open(memberDir).impair(Impairment.NONE);
        take(second);

        assertThat(control.awaitTaken(0)).as("the cut of the earlier run").isFalse();
        assertThat(present(control)).isEqualTo(Impairment.NONE);
    }

    @Test
    void shouldRefuseAMemberWithoutAFilterAndLeaveNoFile()
    {
        assertThatThrownBy(() -> LinkFile.open(memberDir)).isInstanceOf(NoSuchFileException.class);
        assertThat(memberDir).isEmptyDirectory();
    }

    @Test
    void shouldRefuseAFileThatIsNotComplete() throws IOException
    {
        final Path file = Files.write(memberDir.resolve(LinkFile.NAME), new byte[4095]);
        assertThatThrownBy(() -> LinkFile.open(memberDir)).isInstanceOf(IOException.class).hasMessageContaining("complete");

        Files.write(file, new byte[4096]);
        assertThatThrownBy(() -> LinkFile.open(memberDir)).isInstanceOf(IOException.class).hasMessageContaining("complete");

        LinkFile.create(memberDir);
        assertThat(present(LinkFile.open(memberDir))).isEqualTo(Impairment.NONE);
    }

    @Test
    void shouldLetTheFileSystemBeUnmountedOnceClosed() throws IOException
    {
        LinkFile.create(memberDir).close();
        try (LinkFile control = LinkFile.open(memberDir))
        {
            control.impair(CUT);
            assertThat(isMapped()).isTrue();
        }
        assertThat(isMapped()).isFalse();
    }

    private boolean isMapped() throws IOException
    {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps")))
        {
            return lines.anyMatch((line) -> line.contains(memberDir.resolve(LinkFile.NAME).toString()));
        }
    }

    @Test
    void shouldLetOnlyItsOwnerCutAMemberOff() throws IOException
    {
        LinkFile.create(memberDir);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(memberDir.resolve(LinkFile.NAME))))
            .isEqualTo("rw-------");
    }

    private static Impairment present(final LinkFile file)
    {
        return file.impairment(file.request());
    }

    private static void impairOften(final LinkFile control, final int first)
    {
        try
        {
            for (int i = first; i < 4_000; i += 2)
            {
                control.impair(Impairment.ofMember(i).with(Effect.DELAY_NS, i).seeded(i));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void take(final LinkFile member)
    {
        for (final Side side : Side.values())
        {
            member.take(side, member.request());
        }
    }
}
