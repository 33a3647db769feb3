/**
 * Other processes: how one is started, watched and ended, and how two of them exchange lines.
 */
package io.clusterecho.process;
