/** Requirements of tests beyond a JDK, and the list of skipped tests at the end of a build. */
package io.clusterecho.testing;
