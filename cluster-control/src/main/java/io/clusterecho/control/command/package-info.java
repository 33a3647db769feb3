/** The commands of {@code cluster-node.jar} that operate a cluster. */
package io.clusterecho.control.command;
