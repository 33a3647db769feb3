/**
 * Tests of what a user runs: members and clients as processes of their own, started from the jars of the build, stopped,
 * killed and paused. {@link io.clusterecho.system.EchoCluster} is the vocabulary in which they are told.
 */
package io.clusterecho.system;
