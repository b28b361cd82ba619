// Stands for Apple's C library, so that `canImport(Darwin)` holds in the type check; nothing of it is used.
