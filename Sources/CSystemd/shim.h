// libsystemd and the kernel's event counter as Belfry's one user of them, UserNotifications, sees them.
#ifndef BELFRY_CSYSTEMD_SHIM_H
#define BELFRY_CSYSTEMD_SHIM_H

#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

// The flags are an enumeration behind macros of their own names.
static inline int belfry_systemd_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

#endif
