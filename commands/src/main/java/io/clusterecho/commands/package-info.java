/** Commands of the load client: they read options and call what measures. */
package io.clusterecho.commands;
