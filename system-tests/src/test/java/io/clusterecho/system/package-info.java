/**
 * End-to-end tests: members and clients are separate processes, started from the jars of the build, stopped, killed and paused.
 * {@link io.clusterecho.system.EchoCluster} has the operations that the tests use.
 */
package io.clusterecho.system;
