/**
 * What every transport over Aeron needs: {@link io.clusterecho.client.transport.aeron.AeronConnection}, an Aeron client with
 * the media driver that it works with.
 */
package io.clusterecho.client.transport.aeron;
