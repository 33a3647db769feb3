/**
 * What a network may do to a member. {@link io.clusterecho.media.link.LinkFilter} cuts it off, or moves it away from others,
 * within its own media driver, which takes no root and leaves the network alone.
 * <pre>
 *   conductor                    frames pass here, are dropped, or, when they come in, held
 *                                          |
 *   sender    publications - SendChannelEndpoint    - data out  - sockets
 *                                                   - status messages, NAKs in
 *   receiver  images       - ReceiveChannelEndpoint - data in   - sockets
 *                                                   - status messages, NAKs out
 * </pre>
 * The log goes to each follower as a destination of one publication. Those destinations are private to its endpoint, below
 * the hooks of one destination, so the filter stands in front of the call that sends to all of them.
 * <p>
 * A frame that comes in from afar is copied into the {@link io.clusterecho.media.link.DelayLine} of its sender's address, and
 * handed to the endpoint, on the same thread, in the first duty cycle in which it is due. The line is private to the agent, so
 * nothing is shared and no thread is added; what the agent does late, because it slept or had no core, is late as much as it
 * would be for a frame that has just arrived.
 * <p>
 * Another process asks for a cut through a small file that both map, without root and without touching the network:
 * {@link io.clusterecho.media.link.LinkControl} is for whoever asks, {@link io.clusterecho.media.link.LinkFile} is what both
 * share.
 * <pre>
 *   failover test, shell                                  member
 *     LinkControl -- request --&gt; link-filter.dat --&gt; sender and receiver of its media driver
 *                 &lt;-- taken, counts --                       each drops frames, or does not
 * </pre>
 */
package io.clusterecho.media.link;
