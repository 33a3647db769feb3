package io.clusterecho.settings;

/**
 * Keys of a member's settings that other programs read too: from the file of a running cluster, and from stored results of any
 * version, so a key never changes. The class that defines a setting describes its values.
 */
public final class SettingKeys
{
    public static final String PREFIX = "echo.";
    public static final String HOSTS = PREFIX + "hosts";
    public static final String BASE_PORT = PREFIX + "base.port";
    public static final String BASE_DIR = PREFIX + "base.dir";
    public static final String DRIVER = PREFIX + "driver";
    public static final String FSYNC = PREFIX + "fsync";
    public static final String WRITE_BACK = PREFIX + "write.back";
    public static final String MTU = PREFIX + "mtu";
    public static final String PLACEMENT = PREFIX + "placement";
    public static final String PROFILE = PREFIX + "profile";
    public static final String COMPILERS = PREFIX + "compilers";
    public static final String CORES = PREFIX + "cores";
    public static final String SERVICE = PREFIX + "service";
    public static final String SERVICE_CLASS = PREFIX + "service.class";
    public static final String MAX_MESSAGE_LENGTH = PREFIX + "max.message.length";
    public static final String CREDENTIALS_FILE = PREFIX + "credentials.file";
    public static final String STAGES = PREFIX + "stages";
}
