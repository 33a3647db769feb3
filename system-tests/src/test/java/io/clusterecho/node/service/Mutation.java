package io.clusterecho.node.service;

/**
 * What a member does wrong with one message in many.
 */
public enum Mutation
{
    /** Neither applies nor answers it. */
    DROP,
    /** Forgets that it has applied it, and so applies and answers it once more. */
    REPEAT,
    /** Holds it back until its successor has been applied and answered. */
    REORDER,
    /** Applies and answers it with one bit changed, under a check that fits the change. */
    CORRUPT,
    /** Applies it as it is, and answers it with one bit changed. */
    CORRUPT_REPLY
}
