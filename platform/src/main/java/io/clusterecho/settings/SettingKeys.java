package io.clusterecho.settings;

/**
 * Keys of a member's settings that other programs read too: from the file of a running cluster, and from stored results of any
 * version, so a key never changes. The class that defines a setting describes its values.
 */
public final class SettingKeys
{
    /** Prefix of all keys of this project. */
    public static final String PREFIX = "echo.";
    /** Addresses of the members, separated by commas. */
    public static final String HOSTS = PREFIX + "hosts";
    /** First port. */
    public static final String BASE_PORT = PREFIX + "base.port";
    /** Folder of all members on a machine. */
    public static final String BASE_DIR = PREFIX + "base.dir";
    /** Media driver. */
    public static final String DRIVER = PREFIX + "driver";
    /** File sync level. */
    public static final String FSYNC = PREFIX + "fsync";
    /** Who writes recordings to the disk. */
    public static final String WRITE_BACK = PREFIX + "write.back";
    /** Maximum transmission unit. */
    public static final String MTU = PREFIX + "mtu";
    /** Zones of the members. */
    public static final String PLACEMENT = PREFIX + "placement";
    /** Threads of a member. */
    public static final String PROFILE = PREFIX + "profile";
    /** Compilers of a member's JVM. */
    public static final String COMPILERS = PREFIX + "compilers";
    /** Processors of a member. */
    public static final String CORES = PREFIX + "cores";
    /** Replicated service. */
    public static final String SERVICE = PREFIX + "service";
    /** Largest request. */
    public static final String MAX_MESSAGE_LENGTH = PREFIX + "max.message.length";
    /** File of names and passwords. */
    public static final String CREDENTIALS_FILE = PREFIX + "credentials.file";
    /** Whether replies carry the times of their stages. */
    public static final String STAGES = PREFIX + "stages";

    private SettingKeys()
    {
    }
}
