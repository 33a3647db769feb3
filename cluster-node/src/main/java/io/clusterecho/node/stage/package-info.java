/**
 * When the leader had a message where: taken from the ingress, in its own archive's hands, committed, given to the service. All
 * on the monotonic clock of its host, which every process there shares, and written behind the reply to whoever asks for it.
 */
package io.clusterecho.node.stage;
