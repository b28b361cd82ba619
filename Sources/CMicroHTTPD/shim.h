#ifndef BELFRY_CMICROHTTPD_SHIM_H
#define BELFRY_CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#ifdef __linux__
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

// What one daemon is started with; MHD_start_daemon takes it as variadic options.
struct belfry_mhd_options {
    void *context;
    MHD_AccessHandlerCallback handle;
    void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    size_t (*unescape)(void *context, struct MHD_Connection *connection, char *text);
    unsigned int thread_count;
    unsigned int connection_limit;
    unsigned int inactivity_seconds;
    size_t connection_memory;
};

// MHD_start_daemon is variadic. The daemon listens nowhere: sockets are handed to it one by one.
static inline struct MHD_Daemon *belfry_mhd_start(const struct belfry_mhd_options *options) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME
            | MHD_USE_NO_LISTEN_SOCKET,
        0, NULL, NULL, options->handle, options->context,
        MHD_OPTION_THREAD_POOL_SIZE, options->thread_count,
        MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options->inactivity_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory,
        MHD_OPTION_URI_LOG_CALLBACK, options->begin, options->context,
        MHD_OPTION_UNESCAPE_CALLBACK, options->unescape, options->context,
        MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
        MHD_OPTION_NOTIFY_CONNECTION, options->connection, options->context,
        MHD_OPTION_END);
}

// MHD_get_connection_info is variadic.
static inline int belfry_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *belfry_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *belfry_mhd_owner(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline size_t belfry_mhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// Macros with casts are not imported.
static const ssize_t belfry_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const uint64_t belfry_mhd_size_unknown = MHD_SIZE_UNKNOWN;

#ifdef __linux__
// epoll_event is packed and its flags are a C enum; accept4 hides behind _GNU_SOURCE.
static inline int belfry_epoll_add(int epoll, int fd, uint32_t events, uint64_t key) {
    struct epoll_event event = {.events = events, .data = {.u64 = key}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static inline uint64_t belfry_epoll_key(const struct epoll_event *event) { return event->data.u64; }

static inline int belfry_accept(int listener, struct sockaddr *address, socklen_t *size) {
    return (int)syscall(SYS_accept4, listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// The peer has closed its side, or the connection is gone; reported once.
static const uint32_t belfry_epoll_hang_up = EPOLLRDHUP | EPOLLET;
static const uint32_t belfry_epoll_readable = EPOLLIN;
#endif

#endif
