package io.clusterecho.node.member;

import io.clusterecho.node.MemberCommand;
import io.clusterecho.settings.InvalidSettingException;

/** Runs a member in a process of its own, without the commands that operate a cluster. */
final class MemberMain
{
    private MemberMain()
    {
    }

    public static void main(final String[] args)
    {
        System.exit(new MemberCommand().commandLine()
            .setExecutionExceptionHandler((ex, command, parsed) ->
            {
                System.err.println(ex.getMessage());
                return (ex instanceof InvalidSettingException ? ExitStatus.CONFIGURATION : ExitStatus.OTHER).code();
            }).execute(args));
    }
}
