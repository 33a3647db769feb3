package io.clusterecho.commands;

/** Entry of {@code load-client.jar}. */
public final class LoadClient
{
    private LoadClient()
    {
    }

    /** Run what the arguments say, and exit with its status. */
    public static void main(final String[] args)
    {
        System.exit(RootCommand.execute(args));
    }
}
