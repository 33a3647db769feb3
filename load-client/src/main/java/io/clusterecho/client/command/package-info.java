/**
 * What a user can type: options with their checks, and the commands that put the parts together.
 */
package io.clusterecho.client.command;
