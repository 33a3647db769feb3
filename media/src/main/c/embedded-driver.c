/*
 * Aeron's C media driver within a JVM, and its sockets. Built by scripts/build-c-driver.sh.
 *
 * Sockets: cluster_echo_sockets replaces two functions of the driver's transport bindings, which any driver with the same version
 * can load (AERON_DRIVER_DYNAMIC_LIBRARIES, AERON_UDP_CHANNEL_TRANSPORT_BINDINGS_MEDIA).
 *  - Sender and receiver, if one thread runs both, ask the system once in a turn which of their sockets are readable. Aeron's
 *    pollers try up to five sockets each, and ask twice beyond that.
 *  - recvmmsg gets no timeout. Aeron's is zero, and Linux looks at a timeout after each datagram, so that call returns one.
 *  - With CLUSTER_ECHO_STAMP_ARRIVALS in the environment, the receiver writes into the reserved value of each data frame when the
 *    kernel had its datagram, in ns of CLOCK_MONOTONIC, or 0 where that is unknown. Aeron's media-rcv-ts-offset stamps frames in
 *    which a message begins, with the time of day.
 *
 * Calls: io.clusterecho.media.driver.EmbeddedDriver. All of them by one thread.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <jni.h>

#include "aeron_alloc.h"
#include "aeron_common.h"
#include "aeron_driver.h"
#include "aeronmd.h"
#include "media/aeron_udp_channel_transport.h"
#include "media/aeron_udp_transport_poller.h"
#include "util/aeron_arrayutil.h"
#include "util/aeron_error.h"

#define MAX_EVENTS 64
/* The most that the driver receives at once. */
#define MAX_DATAGRAMS 16
#define STAMP_LENGTH CMSG_SPACE(sizeof(struct timespec))
#define NS_PER_SECOND INT64_C(1000000000)
#define FIRST_READINGS 20
/* Differences of two readings of the clocks that are no step of the time of day, beyond the time that the readings took. */
#define TOLERANCE_NS 1000

/*
 * The kernel stamps datagrams with the time of day, which differs from the monotonic clock by a constant until somebody sets it.
 * After such a step, stamps of what waits in sockets are ambiguous, and none is used for a second. The same rules as those of
 * io.clusterecho.platform.StepWatch and ArrivalClock.
 */
typedef struct
{
    bool is_enabled;
    int64_t offset_ns;
    int64_t error_ns;
    /* No stamp is used before. */
    int64_t trusted_from_ns;
    /* The kernel begins to stamp a moment after it is asked to, and invents the time of the call for what has no stamp. */
    int64_t stamped_from_ns;
    _Alignas(struct cmsghdr) char control[MAX_DATAGRAMS][STAMP_LENGTH];
}
stamps_t;

/*
 * An epoll instance of one or two pollers that one thread runs, and what it last returned. An event's data is the address of its
 * transport, whose lowest bit is the number of its poller.
 */
typedef struct
{
    int fd;
    const aeron_udp_transport_poller_t *pollers[2];
    int poller_count;
    /* Whether the first poller has asked for these events, and the second one has not processed them yet. */
    bool is_asked;
    /* Whether the thread has waited for these events, and no poller has processed them yet. */
    bool is_awaited;
    int event_count;
    struct epoll_event events[MAX_EVENTS];
    const aeron_udp_transport_poller_t *receiver;
    /* Of the receiver. */
    stamps_t stamps;
}
ready_sockets_t;

static int64_t time_ns(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * NS_PER_SECOND + time.tv_nsec;
}

/* Compares the clocks, and returns the monotonic one. */
static int64_t read_clocks(stamps_t *stamps)
{
    const int64_t before_ns = time_ns(CLOCK_MONOTONIC);
    const int64_t time_of_day_ns = time_ns(CLOCK_REALTIME);
    const int64_t after_ns = time_ns(CLOCK_MONOTONIC);
    const int64_t error_ns = (after_ns - before_ns) / 2;
    const int64_t offset_ns = time_of_day_ns - before_ns - error_ns;
    const int64_t change_ns = offset_ns < stamps->offset_ns ? stamps->offset_ns - offset_ns : offset_ns - stamps->offset_ns;
    const bool is_step = change_ns > error_ns + stamps->error_ns + TOLERANCE_NS;
    if (is_step)
    {
        stamps->trusted_from_ns = after_ns + NS_PER_SECOND;
    }
    if (is_step || error_ns < stamps->error_ns)
    {
        stamps->offset_ns = offset_ns;
        stamps->error_ns = error_ns;
    }
    return after_ns;
}

static void init_stamps(stamps_t *stamps)
{
    stamps->is_enabled = NULL != getenv("CLUSTER_ECHO_STAMP_ARRIVALS");
    if (stamps->is_enabled)
    {
        for (int i = 0; i < FIRST_READINGS; i++)
        {
            read_clocks(stamps);
        }
        /* The first reading is a step from nothing. */
        stamps->trusted_from_ns = time_ns(CLOCK_MONOTONIC);
    }
}

/* Arrival of a datagram, or 0 for unknown; called_ns is when the call began that received it. */
static int64_t arrival_ns(const stamps_t *stamps, struct msghdr *header, int64_t called_ns, int64_t now_ns)
{
    const struct cmsghdr *control = CMSG_FIRSTHDR(header);
    if (NULL == control || SOL_SOCKET != control->cmsg_level || SCM_TIMESTAMPNS != control->cmsg_type ||
        now_ns < stamps->trusted_from_ns)
    {
        return 0;
    }

    struct timespec time;
    memcpy(&time, CMSG_DATA(control), sizeof(time));
    const int64_t stamp_ns = time.tv_sec * NS_PER_SECOND + time.tv_nsec - stamps->offset_ns;
    const int64_t latest_ns = called_ns < stamps->stamped_from_ns ? called_ns : now_ns;
    return stamp_ns <= latest_ns ? stamp_ns : 0;
}

static void stamp_frames(uint8_t *buffer, size_t length, int64_t stamp_ns)
{
    size_t offset = 0;
    while (offset + sizeof(aeron_data_header_t) <= length)
    {
        aeron_data_header_t *header = (aeron_data_header_t *)(buffer + offset);
        if (header->frame_header.frame_length < (int32_t)sizeof(aeron_data_header_t) ||
            (AERON_HDR_TYPE_DATA != header->frame_header.type && AERON_HDR_TYPE_PAD != header->frame_header.type))
        {
            break;
        }
        header->reserved_value = stamp_ns;
        offset += AERON_ALIGN(header->frame_header.frame_length, AERON_LOGBUFFER_FRAME_ALIGNMENT);
    }
}

static uint64_t number_of(const ready_sockets_t *ready, const aeron_udp_transport_poller_t *poller)
{
    return ready->pollers[0] == poller ? 0 : 1;
}

static int poller_init(
    aeron_udp_transport_poller_t *poller,
    aeron_driver_context_t *context,
    aeron_udp_channel_transport_affinity_t affinity)
{
    poller->transports.array = NULL;
    poller->transports.length = 0;
    poller->transports.capacity = 0;

    ready_sockets_t *ready;
    /* The driver makes its sender before its receiver. */
    if (AERON_UDP_CHANNEL_TRANSPORT_AFFINITY_RECEIVER == affinity && AERON_THREADING_MODE_DEDICATED != context->threading_mode)
    {
        ready = context->sender_proxy->sender->poller.bindings_clientd;
    }
    else
    {
        if (aeron_alloc((void **)&ready, sizeof(ready_sockets_t)) < 0)
        {
            AERON_APPEND_ERR("%s", "could not allocate the poller's events");
            return -1;
        }
        if ((ready->fd = epoll_create1(EPOLL_CLOEXEC)) < 0)
        {
            AERON_SET_ERR(errno, "%s", "epoll_create1");
            aeron_free(ready);
            return -1;
        }
    }

    if (AERON_UDP_CHANNEL_TRANSPORT_AFFINITY_RECEIVER == affinity)
    {
        init_stamps(&ready->stamps);
        ready->receiver = poller;
    }
    ready->pollers[ready->poller_count++] = poller;
    poller->fd = ready->fd;
    poller->bindings_clientd = ready;
    return 0;
}

static int poller_close(aeron_udp_transport_poller_t *poller)
{
    ready_sockets_t *ready = poller->bindings_clientd;
    if (0 == --ready->poller_count)
    {
        close(ready->fd);
        aeron_free(ready);
    }
    aeron_free(poller->transports.array);
    return 0;
}

static int poller_add(aeron_udp_transport_poller_t *poller, aeron_udp_channel_transport_t *transport)
{
    int result = 0;
    AERON_ARRAY_ENSURE_CAPACITY(result, poller->transports, aeron_udp_channel_transport_entry_t)
    if (result < 0)
    {
        return -1;
    }

    struct epoll_event event = {
        .events = EPOLLIN, .data.u64 = (uintptr_t)transport | number_of(poller->bindings_clientd, poller) };
    if (epoll_ctl(poller->fd, EPOLL_CTL_ADD, transport->recv_fd, &event) < 0)
    {
        AERON_SET_ERR(errno, "epoll_ctl(EPOLL_CTL_ADD), fd: %d", transport->recv_fd);
        return -1;
    }

    ready_sockets_t *ready = poller->bindings_clientd;
    const int enabled = 1;
    if (poller == ready->receiver && ready->stamps.is_enabled && 0 == transport->timestamp_flags &&
        0 == setsockopt(transport->recv_fd, SOL_SOCKET, SO_TIMESTAMPNS, &enabled, sizeof(enabled)))
    {
        ready->stamps.stamped_from_ns = time_ns(CLOCK_MONOTONIC) + NS_PER_SECOND;
        transport->bindings_clientd = ready;
    }

    poller->transports.array[poller->transports.length++].transport = transport;
    return 0;
}

static int poller_remove(aeron_udp_transport_poller_t *poller, aeron_udp_channel_transport_t *transport)
{
    ready_sockets_t *ready = poller->bindings_clientd;
    for (int i = 0; i < ready->event_count; i++)
    {
        if (((uintptr_t)transport | number_of(ready, poller)) == ready->events[i].data.u64)
        {
            ready->events[i].data.u64 = 0;
        }
    }

    for (size_t i = 0; i < poller->transports.length; i++)
    {
        if (poller->transports.array[i].transport == transport)
        {
            poller->transports.array[i] = poller->transports.array[--poller->transports.length];
            struct epoll_event event = { 0 };
            if (epoll_ctl(poller->fd, EPOLL_CTL_DEL, transport->recv_fd, &event) < 0)
            {
                AERON_SET_ERR(errno, "epoll_ctl(EPOLL_CTL_DEL), fd: %d", transport->recv_fd);
                return -1;
            }
            break;
        }
    }

    return 0;
}

static int ask(ready_sockets_t *ready)
{
    ready->event_count = epoll_wait(ready->fd, ready->events, MAX_EVENTS, 0);
    if (ready->event_count < 0)
    {
        ready->event_count = 0;
        if (EINTR != errno)
        {
            AERON_SET_ERR(errno, "%s", "epoll_wait");
            return -1;
        }
    }

    return 0;
}

/*
 * The first poller of a turn asks for both, unless the thread has just waited for events; the second one where the first, the
 * sender, omitted its poll.
 */
static int poller_poll(
    aeron_udp_transport_poller_t *poller,
    struct mmsghdr *messages,
    size_t length,
    int64_t *bytes_received,
    aeron_udp_transport_recv_func_t recv_func,
    aeron_udp_channel_transport_recvmmsg_func_t recvmmsg_func,
    void *clientd)
{
    ready_sockets_t *ready = poller->bindings_clientd;
    const uint64_t number = number_of(ready, poller);
    if (0 == number || !ready->is_asked)
    {
        if (!ready->is_awaited && ask(ready) < 0)
        {
            return -1;
        }
        ready->is_awaited = false;
    }
    ready->is_asked = 0 == number;

    int work_count = 0;
    for (int i = 0; i < ready->event_count; i++)
    {
        const uint64_t data = ready->events[i].data.u64;
        if (0 == data || number != (data & 1))
        {
            continue;
        }

        /* Also for errors alone: reading takes them from the socket, which otherwise stays ready for ever. */
        aeron_udp_channel_transport_t *transport = (aeron_udp_channel_transport_t *)(uintptr_t)(data - number);
        const int result = recvmmsg_func(transport, messages, length, bytes_received, recv_func, clientd);
        if (result < 0)
        {
            AERON_APPEND_ERR("%s", "poll");
            aeron_udp_channel_transport_log_error(transport);
        }
        else
        {
            work_count += result;
        }
    }

    return work_count;
}

static int receive(
    aeron_udp_channel_transport_t *transport,
    struct mmsghdr *messages,
    size_t length,
    int64_t *bytes_received,
    aeron_udp_transport_recv_func_t recv_func,
    void *clientd)
{
    ready_sockets_t *ready = transport->bindings_clientd;
    stamps_t *stamps = NULL == ready ? NULL : &ready->stamps;
    if ((length < 2 && NULL == stamps) || 0 != transport->timestamp_flags)
    {
        return aeron_udp_channel_transport_recvmmsg(transport, messages, length, bytes_received, recv_func, clientd);
    }

    int64_t called_ns = 0;
    if (NULL != stamps)
    {
        length = length < MAX_DATAGRAMS ? length : MAX_DATAGRAMS;
        for (size_t i = 0; i < length; i++)
        {
            messages[i].msg_hdr.msg_control = stamps->control[i];
            messages[i].msg_hdr.msg_controllen = STAMP_LENGTH;
        }
        called_ns = time_ns(CLOCK_MONOTONIC);
    }
    const int count = recvmmsg(transport->recv_fd, messages, length, MSG_DONTWAIT, NULL);
    if (count < 0)
    {
        /* A connected socket gets ECONNREFUSED when the other end has closed its port. */
        if (EINTR == errno || EAGAIN == errno || ECONNREFUSED == errno)
        {
            return 0;
        }
        AERON_SET_ERR(errno, "recvmmsg, fd: %d", transport->recv_fd);
        return -1;
    }

    const int64_t now_ns = NULL == stamps ? 0 : read_clocks(stamps);
    for (int i = 0; i < count; i++)
    {
        struct msghdr *header = &messages[i].msg_hdr;
        if (NULL != stamps)
        {
            stamp_frames(
                header->msg_iov[0].iov_base, messages[i].msg_len, arrival_ns(stamps, header, called_ns, now_ns));
        }
        recv_func(
            transport->data_paths, transport, clientd, transport->dispatch_clientd, transport->destination_clientd,
            header->msg_iov[0].iov_base, messages[i].msg_len, header->msg_name, NULL);
        *bytes_received += messages[i].msg_len;
        /* The system has set the length of this address, and the next socket may have longer ones. */
        header->msg_namelen = sizeof(struct sockaddr_storage);
    }

    return count;
}

aeron_udp_channel_transport_bindings_t cluster_echo_sockets = {
    .init_func = aeron_udp_channel_transport_init,
    .reconnect_func = aeron_udp_channel_transport_reconnect,
    .close_func = aeron_udp_channel_transport_close,
    .recvmmsg_func = receive,
    .send_func = aeron_udp_channel_transport_send,
    .get_so_rcvbuf_func = aeron_udp_channel_transport_get_so_rcvbuf,
    .bind_addr_and_port_func = aeron_udp_channel_transport_bind_addr_and_port,
    .poller_init_func = poller_init,
    .poller_close_func = poller_close,
    .poller_add_func = poller_add,
    .poller_remove_func = poller_remove,
    .poller_poll_func = poller_poll,
    .meta_info = { "cluster_echo_sockets", "media", NULL },
};

typedef struct
{
    aeron_driver_context_t *context;
    aeron_driver_t *driver;
    bool is_terminated;
}
embedded_driver_t;

/* The environment is one for the process. */
static pthread_mutex_t environment = PTHREAD_MUTEX_INITIALIZER;

static void on_termination(void *clientd)
{
    ((embedded_driver_t *)clientd)->is_terminated = true;
}

static int start_driver(embedded_driver_t *embedded)
{
    if (aeron_driver_context_init(&embedded->context) < 0)
    {
        return -1;
    }
    if (aeron_driver_context_set_udp_channel_transport_bindings(embedded->context, &cluster_echo_sockets) < 0 ||
        aeron_driver_context_set_driver_termination_hook(embedded->context, on_termination, embedded) < 0 ||
        aeron_driver_init(&embedded->driver, embedded->context) < 0)
    {
        return -1;
    }
    return aeron_driver_start(embedded->driver, true);
}

static void close_driver(embedded_driver_t *embedded)
{
    if (NULL != embedded->driver)
    {
        aeron_driver_close(embedded->driver);
    }
    if (NULL != embedded->context)
    {
        aeron_driver_context_close(embedded->context);
    }
    free(embedded);
}

static void throw_error(JNIEnv *env, const char *message)
{
    (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), message);
}

/* Sets a variable, and returns its former value, to be freed, or NULL if it had none. */
static char *replace_variable(JNIEnv *env, jobjectArray names, jobjectArray values, jsize i)
{
    jstring name = (*env)->GetObjectArrayElement(env, names, i);
    jstring value = (*env)->GetObjectArrayElement(env, values, i);
    const char *name_text = (*env)->GetStringUTFChars(env, name, NULL);
    const char *value_text = (*env)->GetStringUTFChars(env, value, NULL);
    const char *found = getenv(name_text);
    char *former = NULL == found ? NULL : strdup(found);
    setenv(name_text, value_text, 1);
    (*env)->ReleaseStringUTFChars(env, value, value_text);
    (*env)->ReleaseStringUTFChars(env, name, name_text);
    (*env)->DeleteLocalRef(env, value);
    (*env)->DeleteLocalRef(env, name);
    return former;
}

static void restore_variable(JNIEnv *env, jobjectArray names, jsize i, char *former)
{
    jstring name = (*env)->GetObjectArrayElement(env, names, i);
    const char *name_text = (*env)->GetStringUTFChars(env, name, NULL);
    if (NULL == former)
    {
        unsetenv(name_text);
    }
    else
    {
        setenv(name_text, former, 1);
        free(former);
    }
    (*env)->ReleaseStringUTFChars(env, name, name_text);
    (*env)->DeleteLocalRef(env, name);
}

JNIEXPORT jint JNICALL Java_io_clusterecho_media_driver_EmbeddedDriver_version(JNIEnv *env, jclass type)
{
    return aeron_semantic_version_compose(
        (uint8_t)aeron_version_major(), (uint8_t)aeron_version_minor(), (uint8_t)aeron_version_patch());
}

JNIEXPORT jlong JNICALL Java_io_clusterecho_media_driver_EmbeddedDriver_start(
    JNIEnv *env, jclass type, jobjectArray names, jobjectArray values)
{
    const jsize count = (*env)->GetArrayLength(env, names);
    char **former = calloc((size_t)count + 1, sizeof(char *));
    embedded_driver_t *embedded = calloc(1, sizeof(embedded_driver_t));
    if (NULL == former || NULL == embedded)
    {
        free(former);
        free(embedded);
        throw_error(env, "out of memory");
        return 0;
    }

    pthread_mutex_lock(&environment);
    for (jsize i = 0; i < count; i++)
    {
        former[i] = replace_variable(env, names, values, i);
    }
    const bool is_started = start_driver(embedded) >= 0;
    for (jsize i = 0; i < count; i++)
    {
        restore_variable(env, names, i, former[i]);
    }
    pthread_mutex_unlock(&environment);
    free(former);

    if (!is_started)
    {
        throw_error(env, aeron_errmsg());
        aeron_err_clear();
        close_driver(embedded);
        return 0;
    }
    return (jlong)(intptr_t)embedded;
}

/* Its work count, or -1 from the turn on in which the driver got a request to terminate. */
JNIEXPORT jint JNICALL Java_io_clusterecho_media_driver_EmbeddedDriver_doWork(JNIEnv *env, jclass type, jlong address)
{
    embedded_driver_t *embedded = (embedded_driver_t *)(intptr_t)address;
    const int work_count = aeron_driver_main_do_work(embedded->driver);
    return embedded->is_terminated ? -1 : work_count < 0 ? 0 : work_count;
}

JNIEXPORT jboolean JNICALL Java_io_clusterecho_media_driver_EmbeddedDriver_await(
    JNIEnv *env, jclass type, jlong address, jint timeout_ms)
{
    embedded_driver_t *embedded = (embedded_driver_t *)(intptr_t)address;
    ready_sockets_t *ready = embedded->driver->receiver.poller.bindings_clientd;
    const int count = epoll_wait(ready->fd, ready->events, MAX_EVENTS, timeout_ms);
    ready->event_count = count < 0 ? 0 : count;
    ready->is_awaited = count > 0;
    /* An interruption is as good as a datagram: the caller looks for work. */
    return 0 != count ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL Java_io_clusterecho_media_driver_EmbeddedDriver_close(JNIEnv *env, jclass type, jlong address)
{
    close_driver((embedded_driver_t *)(intptr_t)address);
}
