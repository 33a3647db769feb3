/**
 * Faults that a member can be asked to suffer. {@link io.clusterecho.node.fault.LinkFilter} cuts it off from the network
 * within its own media driver, which takes no root and leaves the network alone.
 * <pre>
 *   conductor                    frames pass here, or are dropped
 *                                          |
 *   sender    publications - SendChannelEndpoint    - data out  - sockets
 *                                                   - status messages, NAKs in
 *   receiver  images       - ReceiveChannelEndpoint - data in   - sockets
 *                                                   - status messages, NAKs out
 * </pre>
 * The log goes to each follower as a destination of one publication. Those destinations are private to its endpoint, below
 * the hooks of one destination, so the filter stands in front of the call that sends to all of them.
 */
package io.clusterecho.node.fault;
