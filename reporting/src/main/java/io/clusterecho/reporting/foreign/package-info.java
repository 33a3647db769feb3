/**
 * Results of other load generators, so that they can stand beside ours. Their files hold a distribution and nothing of how
 * it came about: neither whether every message is accounted for nor on which machine it was measured.
 */
package io.clusterecho.reporting.foreign;
