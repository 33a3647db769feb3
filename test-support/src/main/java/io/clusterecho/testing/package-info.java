/**
 * What tests need of the machine beyond a JDK, and the list that a build ends with: the tests that were skipped, and why.
 */
package io.clusterecho.testing;
