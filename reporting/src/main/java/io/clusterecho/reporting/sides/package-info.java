/** Comparisons of clusters over fresh starts: what one judge says of each run, and what the runs that count say of each side. */
package io.clusterecho.reporting.sides;
