package io.clusterecho.control.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The options of a command that records declare, what {@code --help} shows first, and which shared options it does not have. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface CommandHelp
{
    /**
     * Command lines that begin with the name of the program, each followed by two blanks, {@code #} and a comment where it
     * needs one. Help shows the program as the user can type it.
     */
    String[] examples() default {};

    /**
     * Options that most users need, by their long names; {@code --help-all} shows the others. Without any, {@code --help} shows
     * all.
     */
    String[] mostUsed() default {};

    /** Descriptions of options that the command shares with others and that mean something else here: {@code --name=text}. */
    String[] described() default {};

    /** Records that declare options of the command, or of one that extends it, beside those of a load. */
    Class<? extends Record>[] declared() default {};

    /** Options of a load that the command, or one that extends it, does not have, as regular expressions. */
    String[] without() default {};
}
