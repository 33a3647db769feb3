package io.clusterecho.control.doctor;

/**
 * How a check came out.
 */
enum Level
{
    /** As it should be. */
    OK,
    /** It works, and numbers will be worse for it. */
    WARN,
    /** It does not work, or numbers mean nothing. */
    FAIL,
    /** This host does not tell. */
    UNKNOWN
}
