/**
 * Why a tail is long: rules that hold what members, client and machine counted against the times at which replies were slow,
 * and name a likely cause and the setting to try. They read stored files only, so that any run can be looked at again.
 */
package io.clusterecho.reporting.diagnosis;
