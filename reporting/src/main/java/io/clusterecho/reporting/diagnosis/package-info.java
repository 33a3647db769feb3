/**
 * Why a tail is long: rules that match counters of members, client and machine with the times at which replies were slow, and
 * name a likely cause and the setting to try. They read only stored files, so any run can be diagnosed again.
 */
package io.clusterecho.reporting.diagnosis;
