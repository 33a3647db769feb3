/**
 * Figures of public reports, {@code results/published}. They were measured on other machines: what may stand beside ours is
 * a ratio of two figures of one report, never a figure by itself.
 */
package io.clusterecho.reporting.published;
