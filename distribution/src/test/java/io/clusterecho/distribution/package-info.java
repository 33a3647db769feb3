/** Tests of the archive as a user unpacks it. */
package io.clusterecho.distribution;
