#pragma once
// The checks of types are macros around the functions below, which fix the types themselves.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// Swift calls no function with a variable number of arguments: each of these fixes the type.

static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
// The library copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
// The library copies the bytes, however many.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}
// Takes the text of an error, CURL_ERROR_SIZE bytes.
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_receivers(
    CURL *easy, ccurl_receiver header, ccurl_receiver body, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

// Only HTTP and HTTPS; the older option is deprecated, the newer one is there since 7.85.
static inline CURLcode ccurl_allow_http_alone(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  return code ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  long both = CURLPROTO_HTTP | CURLPROTO_HTTPS;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, both);
  return code ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, both);
#endif
}

// Prepares the library; must be called once before all else.
static inline CURLcode ccurl_prepare(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The microseconds since the start of a transfer, by the library's clock.
static inline long long ccurl_elapsed(CURL *easy) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &microseconds);
  return microseconds;
}

// How the only transfer ended; an error where it has not.
static inline CURLcode ccurl_result(CURLM *multi) {
  int rest = 0;
  CURLMsg *message = curl_multi_info_read(multi, &rest);
  return message && message->msg == CURLMSG_DONE ? message->data.result : CURLE_RECV_ERROR;
}

// Whether something was longer than the library takes: it has a code of its own, 100, since 8.6.
static inline int ccurl_is_too_large(CURLcode code) {
  return code == CURLE_OUT_OF_MEMORY || (int)code == 100;
}
