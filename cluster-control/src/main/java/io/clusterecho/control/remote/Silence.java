package io.clusterecho.control.remote;

/**
 * That a host did not answer. Immutable.
 *
 * @param sinceNs when that was known, of the link's clock.
 * @param reason  what is thrown at those who ask until it is tried again; an error of this JVM too.
 */
record Silence(long sinceNs, Throwable reason)
{
}
