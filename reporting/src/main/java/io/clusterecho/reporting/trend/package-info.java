/**
 * Results of many commits or days as series: their points, where their level changed, and whether the newest point is worse than
 * the level before it.
 */
package io.clusterecho.reporting.trend;
