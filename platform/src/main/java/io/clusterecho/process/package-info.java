/** Other processes: starts, watches and ends them, and exchanges lines with them. */
package io.clusterecho.process;
