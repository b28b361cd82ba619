// libsystemd as Belfry's one user of it, UserNotifications, sees it: the bus.
#ifndef BELFRY_CSYSTEMD_H
#define BELFRY_CSYSTEMD_H

#include <systemd/sd-bus.h>

#endif
