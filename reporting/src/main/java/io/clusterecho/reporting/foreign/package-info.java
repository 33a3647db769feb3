/**
 * Results of other load generators, to show next to ours. Their files contain a distribution but not how it was made: neither
 * whether every message is accounted for nor on which machine it was measured.
 */
package io.clusterecho.reporting.foreign;
