package io.clusterecho.commands;

/**
 * What {@code --json} prints on stderr when a command cannot run.
 *
 * @param error      what is wrong, the value, and what is allowed.
 * @param exitStatus of the process.
 */
record ErrorDocument(String error, int exitStatus)
{
}
