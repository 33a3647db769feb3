/**
 * What tests need of the machine beyond a JDK.
 */
package io.clusterecho.testing;
