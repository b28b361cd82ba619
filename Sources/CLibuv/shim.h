#ifndef BELFRY_CLIBUV_SHIM_H
#define BELFRY_CLIBUV_SHIM_H

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// uv_loop_configure is variadic.
static inline int belfry_uv_measure_idle_time(uv_loop_t *loop) {
    return uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
}

// prctl is variadic; pthread_setname_np hides behind _GNU_SOURCE.
static inline void belfry_set_thread_name(const char *name) {
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    (void)name;
#endif
}

// libuv writes to sockets without MSG_NOSIGNAL: a peer that has gone would end the process. The signal
// goes to the thread that writes, so it is enough that loops' threads block it.
static inline void belfry_block_sigpipe(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

// The handle types form an inheritance by layout that Swift does not see.
static inline uv_handle_t *belfry_uv_handle(void *handle) { return (uv_handle_t *)handle; }
static inline uv_stream_t *belfry_uv_stream(void *handle) { return (uv_stream_t *)handle; }

// fcntl is variadic.
static inline int belfry_duplicate(int descriptor) {
#ifdef __linux__
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
#else
    return dup(descriptor);
#endif
}

// Swift may take a system header's initialisers for another module's; these are always this one's.
static inline struct sockaddr_storage belfry_empty_address(void) {
    struct sockaddr_storage storage = {0};
    return storage;
}

static inline struct addrinfo belfry_stream_hints(void) {
    struct addrinfo hints = {0};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    return hints;
}

// The layouts differ per family.
static inline int belfry_uv_ip_name(const struct sockaddr *address, char *name, size_t size) {
    if (address->sa_family == AF_INET6)
        return uv_ip6_name((const struct sockaddr_in6 *)address, name, size);
    return uv_ip4_name((const struct sockaddr_in *)address, name, size);
}

static inline int belfry_uv_ip_port(const struct sockaddr *address) {
    if (address->sa_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

#endif
