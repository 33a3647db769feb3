package io.clusterecho.commands;

import io.clusterecho.client.run.DriverConfig;

import picocli.CommandLine.Option;

/**
 * Options of the media driver that this client works with. That of the members is said by their own settings.
 */
final class DriverOptions
{
    @Option(names = DriverConfig.KIND, paramLabel = "KIND", defaultValue = "java",
        description = "Media driver of this client, and of members that it starts: java (within the process), c (aeronmd, a " +
        "process of its own), external (one of the user's). Default: ${DEFAULT-VALUE}.")
    private String kind;

    @Option(names = DriverConfig.COMMAND, paramLabel = "LINE", defaultValue = "",
        description = "Starts the driver of this client, with AERON_* variables in its environment. Default: aeronmd as " +
        "scripts/build-c-driver.sh built it for c, nothing for external.")
    private String command;

    @Option(names = DriverConfig.FOLDER, paramLabel = "DIR", defaultValue = "",
        description = "Folder in which an external driver works already.")
    private String folder;

    @Option(names = DriverConfig.RECEIVE_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Datagrams that the C driver takes from a socket with one system call. Default: ${DEFAULT-VALUE}.")
    private String receiveVector;

    @Option(names = DriverConfig.SEND_VECTOR, paramLabel = "N", defaultValue = "4",
        description = "Datagrams that the C driver gives to a socket with one system call. Default: ${DEFAULT-VALUE}.")
    private String sendVector;

    @Option(names = DriverConfig.MESSAGES_PER_SEND, paramLabel = "N", defaultValue = "4",
        description = "Datagrams of one stream that the C driver sends in one turn. Default: ${DEFAULT-VALUE}.")
    private String messagesPerSend;

    DriverConfig config()
    {
        return new DriverConfig(kind, command, folder, receiveVector, sendVector, messagesPerSend);
    }
}
