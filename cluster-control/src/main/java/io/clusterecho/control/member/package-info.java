/**
 * Members as processes: what can be done to one and be read of it, wherever it runs, and those of this machine. A process is
 * identified by pid and start time and only ever ended by these; its state is read from its counters and mark files.
 */
package io.clusterecho.control.member;
