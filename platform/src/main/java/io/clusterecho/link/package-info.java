/**
 * How one process cuts another off from the network, without root and without touching the network: a small file that both
 * map. {@link io.clusterecho.link.LinkControl} is for whoever asks, {@link io.clusterecho.link.LinkFile} is what both share.
 * <pre>
 *   failover test, shell                                  member
 *     LinkControl -- request --&gt; link-filter.dat --&gt; sender and receiver of its media driver
 *                 &lt;-- taken, counts --                       each drops frames, or does not
 * </pre>
 */
package io.clusterecho.link;
