/**
 * What is between a media driver and its sockets: the endpoints, the {@link io.clusterecho.media.link.SocketWatch} at which an
 * idle thread waits for a datagram, and emulated network conditions of a member.
 * <p>
 * {@link io.clusterecho.media.link.LinkFilter} impairs the link of a member, or adds distance to others, within its own media
 * driver, without root and without changes to the host's network.
 * <pre>
 *   conductor                    frames pass here, are dropped, or, when received, held
 *                                          |
 *   sender    publications - SendChannelEndpoint    - data out  - sockets
 *                                                   - status messages, NAKs in
 *   receiver  images       - ReceiveChannelEndpoint - data in   - sockets
 *                                                   - status messages, NAKs out
 * </pre>
 * The log is sent to each follower as a destination of one publication. Those destinations are private to its endpoint, below
 * the hooks of a single destination, so the filter intercepts the call that sends to all of them.
 * <p>
 * A frame received over a distance is copied into the {@link io.clusterecho.media.link.DelayLine} of its sender's address, and
 * passed to the endpoint, on the same thread, in the first duty cycle in which it is due. The line is private to the agent, so
 * nothing is shared and no thread is added; if the agent sleeps or has no core, a held frame is as late as one that has just
 * arrived. A frame that an {@link io.clusterecho.media.link.Impairment} delays is held in the same line, for longer.
 * <p>
 * Another process requests an impairment through a small file that both map, without root and without changes to the network
 * ({@link io.clusterecho.media.link.LinkFile}). The pair of two members is cut where each receives from the other, as the log
 * leaves for all followers at once. Who sent a frame is known by its address
 * ({@link io.clusterecho.media.link.LinkFilter#distinctAddresses}).
 * <pre>
 *   failover test, shell                                  member
 *     LinkFile -- request --&gt; link-filter.dat --&gt; sender and receiver of its media driver
 *              &lt;-- taken --                               each impairs frames, or does not
 * </pre>
 */
package io.clusterecho.media.link;
