package io.clusterecho.node.service;

/** How a member mutates a message. */
public enum Mutation
{
    /** Neither applies nor answers it. */
    DROP,
    /** Forgets that it has applied it, and so applies and answers it again. */
    REPEAT,
    /** Delays it until its successor has been applied and answered. */
    REORDER,
    /** Applies and answers it with one bit changed and a matching check. */
    CORRUPT,
    /** Applies it unchanged, and answers it with one bit changed. */
    CORRUPT_REPLY
}
