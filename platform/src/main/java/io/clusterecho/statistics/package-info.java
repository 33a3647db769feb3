/** Statistics: one definition of percentiles for all measurements. */
package io.clusterecho.statistics;
