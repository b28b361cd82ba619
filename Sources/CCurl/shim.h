#ifndef BELFRY_CCURL_SHIM_H
#define BELFRY_CCURL_SHIM_H

#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic.

static inline CURLcode belfry_curl_set_number(CURL *easy, CURLoption option, long number) {
    return curl_easy_setopt(easy, option, number);
}

static inline CURLcode belfry_curl_set_text(CURL *easy, CURLoption option, const char *text) {
    return curl_easy_setopt(easy, option, text);
}

static inline CURLcode belfry_curl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
    return curl_easy_setopt(easy, option, pointer);
}

static inline CURLcode belfry_curl_set_headers(CURL *easy, struct curl_slist *headers) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// The size has to be set first: libcurl copies that many bytes.
static inline CURLcode belfry_curl_set_body(CURL *easy, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

// Called with pieces of the body and with header lines; anything but count * size ends the transfer.
typedef size_t (*belfry_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode belfry_curl_set_receivers(
    CURL *easy, belfry_curl_receiver body, belfry_curl_receiver header, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    return code;
}

// Nothing but HTTP, whatever the URL says; the option took a number before 7.85.
static inline CURLcode belfry_curl_allow_http_only(CURL *easy) {
#if CURL_AT_LEAST_VERSION(7, 85, 0)
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static inline long belfry_curl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static inline CURLMcode belfry_curl_limit_connections(CURLM *multi, long total, long each_host) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, total);
    return code != CURLM_OK ? code : curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, each_host);
}

// The next finished transfer and how it ended; NULL when there is none.
static inline CURL *belfry_curl_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

#endif
