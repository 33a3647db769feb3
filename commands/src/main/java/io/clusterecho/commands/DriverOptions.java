package io.clusterecho.commands;

import java.util.List;

import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** The media driver of this client. The members have settings for theirs. */
@OptionGroup(OptionGroup.Heading.DRIVER)
final class DriverOptions
{
    @Option(names = DriverConfig.KIND, paramLabel = "KIND", defaultValue = "java",
        description = "Media driver of the client, and of members that it starts: java (in the process), embedded (the C " +
        "driver in the process), c (aeronmd, a separate process) or external (already running, or started by " +
        "--driver-command). Default: ${DEFAULT-VALUE}.")
    private String kind;

    @Option(names = DriverConfig.COMMAND, paramLabel = "LINE", defaultValue = "",
        description = "Command that starts the client's driver, with AERON_* variables in its environment. Default: for c the " +
        "aeronmd that scripts/build-c-driver.sh built, for external none.")
    private String command;

    @Option(names = DriverConfig.FOLDER, paramLabel = "DIR", defaultValue = "",
        description = "Folder of an external driver that already runs.")
    private String folder;

    @Option(names = DriverConfig.RECEIVE_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Maximum datagrams that the C driver receives with one system call. Default: ${DEFAULT-VALUE}.")
    private String receiveVector;

    @Option(names = DriverConfig.SEND_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Maximum datagrams that the C driver sends with one system call. Default: ${DEFAULT-VALUE}.")
    private String sendVector;

    @Option(names = DriverConfig.MESSAGES_PER_SEND, paramLabel = "N", defaultValue = "4",
        description = "Maximum datagrams of a stream that the C driver sends in one duty cycle. Default: ${DEFAULT-VALUE}.")
    private String messagesPerSend;

    DriverConfig config()
    {
        return new DriverConfig(List.of(kind, command, receiveVector, sendVector, messagesPerSend), folder);
    }
}
