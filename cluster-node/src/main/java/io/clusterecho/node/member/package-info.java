/**
 * The life of one member in one process: its folder is locked and made ready, what it needs is checked, then media driver,
 * archive, consensus module and service container are launched in that order; they are watched, and closed in the order
 * that hands leadership over at once. Why a member ended is decided once, by the first that knows, and becomes the
 * {@link io.clusterecho.node.member.ExitStatus} of the process.
 */
package io.clusterecho.node.member;
