package io.clusterecho.control.remote;

/**
 * A host did not answer. Immutable.
 *
 * @param sinceNs time of the failure, by the link's clock.
 * @param reason  thrown to callers until the next attempt; may also be an error of this JVM.
 */
record Silence(long sinceNs, Throwable reason)
{
}
