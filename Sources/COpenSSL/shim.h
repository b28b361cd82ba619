#ifndef BELFRY_COPENSSL_SHIM_H
#define BELFRY_COPENSSL_SHIM_H

#include <openssl/ssl.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

// Only what Swift cannot import: function-like macros and 64-bit flag arithmetic.

/// Macro over SSL_CTX_ctrl.
static inline int belfry_ssl_ctx_set_min_protocol(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

/// Macro over SSL_CTX_ctrl. Tests need it, to make a peer that speaks only old or only one version.
static inline int belfry_ssl_ctx_set_max_protocol(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

/// Macro over SSL_CTX_ctrl.
static inline void belfry_ssl_ctx_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

/// Macro over SSL_CTX_ctrl.
static inline void belfry_ssl_ctx_set_session_cache_off(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

/// The SSL_OP_* flags are 64-bit macro expressions.
static inline uint64_t belfry_ssl_hardened_options(void) {
    return SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE;
}

/// Macro over SSL_ctrl.
static inline int belfry_ssl_set_server_name_indication(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, (void *)name);
}

#endif
