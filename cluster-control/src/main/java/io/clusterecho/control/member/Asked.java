package io.clusterecho.control.member;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How a method is called in another process, such as one of a {@link Node} on another host. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Asked
{
    /** Maximum wait for the answer; a {@link Deadline} among the arguments is added. */
    int seconds() default 10;

    /** Whether a late answer is worth little: the wait includes the connection, and it fails at once after a silence. */
    boolean isAtOnce() default false;

    /** Whether a host on which no cluster was started answers too: with nothing, zero or false. */
    boolean isOfAny() default false;
}
