/**
 * Numbers that stand for many: one rule for all of them, whatever is measured.
 */
package io.clusterecho.statistics;
