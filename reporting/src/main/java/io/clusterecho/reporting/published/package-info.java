/**
 * Figures of public reports, {@code results/published}. They were measured on other machines, so only ratios of two figures of
 * one report are comparable with ours, never a figure by itself.
 */
package io.clusterecho.reporting.published;
