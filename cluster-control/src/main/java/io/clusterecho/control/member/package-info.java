/**
 * Members as processes: starting, signalling and reading them, wherever they run, and the implementation for this machine. A
 * process is identified by pid and start time and only signalled if both match; its state comes from its counters and mark files.
 */
package io.clusterecho.control.member;
