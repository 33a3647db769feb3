package io.clusterecho.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.media.link.Direction;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.ExitStatus;

@Timeout(90)
class LinkCommandTest
{
    private static final int MEMBER_ID = 1;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path baseDir;

    @Test
    void shouldCutAndHealAMemberThatObeys() throws Exception
    {
        final LinkFile member = member();
        final Thread driver = new Thread(() -> obey(member, 2));
        driver.start();

        assertThat(link("cut", "--direction", "receive", "--timeout", "60s")).isEqualTo(ExitStatus.OK.code());
        assertThat(member.impairment(member.request())).isEqualTo(Impairment.of(Direction.RECEIVE).cut());
        assertThat(link("heal", "--timeout", "60s")).isEqualTo(ExitStatus.OK.code());
        assertThat(member.impairment(member.request())).isEqualTo(Impairment.NONE);
        driver.join();
    }

    @Test
    void shouldFailWhenTheMemberDoesNotObeyInTime() throws IOException
    {
        final LinkFile member = member();

        assertThat(link("cut", "--timeout", "1ms")).isEqualTo(ExitStatus.OTHER.code());
        assertThat(member.impairment(member.request())).isEqualTo(Impairment.of(Direction.BOTH).cut());
    }

    @Test
    void shouldTellTheStateAndChangeNothing() throws IOException
    {
        final LinkFile member = member();
        final long request = member.request();

        assertThat(link("status")).isEqualTo(ExitStatus.OK.code());
        assertThat(member.request()).isEqualTo(request);
    }

    @ParameterizedTest
    @ValueSource(strings = { "cut", "heal", "status" })
    void shouldRefuseAMemberWithoutAFilterInOneLine(final String what)
    {
        assertThat(link(what)).isEqualTo(ExitStatus.CONFIGURATION.code());
        assertThat(err.toString(UTF_8)).hasLineCount(1).contains("--member=1", "echo.fault.filter=true", LinkFile.NAME);
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand() throws IOException
    {
        final LinkFile member = member();
        final long request = member.request();

        assertThat(link()).isEqualTo(ExitStatus.CONFIGURATION.code());
        assertThat(link("cut", "--direction", "sideways")).isEqualTo(ExitStatus.CONFIGURATION.code());
        assertThat(link("cut", "--timeout", "soon")).isEqualTo(ExitStatus.CONFIGURATION.code());
        assertThat(execute("link", "--base-dir", baseDir.toString(), "cut")).isEqualTo(ExitStatus.CONFIGURATION.code());
        assertThat(err.toString(UTF_8)).hasLineCount(4);
        assertThat(member.request()).isEqualTo(request);
    }

    private LinkFile member() throws IOException
    {
        return LinkFile.create(Files.createDirectories(NodeConfig.memberDir(baseDir, MEMBER_ID)));
    }

    private static void obey(final LinkFile member, final int requestCount)
    {
        long taken = member.request();
        for (int i = 0; i < requestCount; i++)
        {
            while (taken == member.request() || null == member.impairment(member.request()))
            {
                Thread.yield();
            }
            taken = member.request();
            member.take(LinkFile.Side.SENDER, taken);
            member.take(LinkFile.Side.RECEIVER, taken);
        }
    }

    private int link(final String... args)
    {
        final String[] all = new String[args.length + 5];
        System.arraycopy(
            new String[]{ "link", "--base-dir", baseDir.toString(), "--member", String.valueOf(MEMBER_ID) }, 0, all, 0, 5);
        System.arraycopy(args, 0, all, 5, args.length);
        return execute(all);
    }

    private int execute(final String... args)
    {
        return ClusterNode.execute(new PrintStream(err, true, UTF_8), args);
    }
}
