/**
 * The life cycle of one member in one process: lock and prepare its folder, check the machine, then launch media driver, archive,
 * consensus module and service container in that order; watch them, and close them in the order that passes on leadership at
 * once. The first reason for the end of a member is final, and becomes the
 * {@link io.clusterecho.node.member.ExitStatus} of the process.
 */
package io.clusterecho.node.member;
