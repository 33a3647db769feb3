/** Result folders as one zip archive, with what is needed to check and repeat them. */
package io.clusterecho.reporting.bundle;
