// The functions and constants of PCRE2, pcre2api(3), without its headers and without linking to it: the library is
// loaded for the first pattern.

#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pcre2_code pcre2_code;
typedef struct pcre2_match_data pcre2_match_data;
typedef struct pcre2_match_context pcre2_match_context;

#define PCRE2_CASELESS 0x00000008u
#define PCRE2_MULTILINE 0x00000400u
#define PCRE2_NO_JIT 0x00002000u
#define PCRE2_UCP 0x00020000u
#define PCRE2_UTF 0x00080000u
#define PCRE2_NEVER_BACKSLASH_C 0x00100000u
#define PCRE2_USE_OFFSET_LIMIT 0x00800000u
#define PCRE2_NO_UTF_CHECK 0x40000000u
#define PCRE2_JIT_COMPLETE 0x00000001u
#define PCRE2_ERROR_NOMATCH (-1)
#define PCRE2_ERROR_JIT_STACKLIMIT (-46)

#define PCRE2_FUNCTIONS(FUNCTION) \
    FUNCTION(pcre2_code *, compile, const uint8_t *pattern, size_t length, uint32_t options, int *error, \
             size_t *offset, void *context) \
    FUNCTION(void, code_free, pcre2_code *code) \
    FUNCTION(int, jit_compile, pcre2_code *code, uint32_t options) \
    FUNCTION(pcre2_match_data *, match_data_create_from_pattern, const pcre2_code *code, void *context) \
    FUNCTION(void, match_data_free, pcre2_match_data *data) \
    FUNCTION(pcre2_match_context *, match_context_create, void *context) \
    FUNCTION(void, match_context_free, pcre2_match_context *context) \
    FUNCTION(int, set_match_limit, pcre2_match_context *context, uint32_t limit) \
    FUNCTION(int, set_offset_limit, pcre2_match_context *context, size_t limit) \
    FUNCTION(int, set_heap_limit, pcre2_match_context *context, uint32_t kibibytes) \
    FUNCTION(int, match, const pcre2_code *code, const uint8_t *subject, size_t length, size_t start, \
             uint32_t options, pcre2_match_data *data, pcre2_match_context *context) \
    FUNCTION(size_t *, get_ovector_pointer, pcre2_match_data *data) \
    FUNCTION(int, get_error_message, int error, uint8_t *buffer, size_t length)

#define DECLARE(result, name, ...) result (*name)(__VA_ARGS__);
typedef struct {
    PCRE2_FUNCTIONS(DECLARE)
} pcre2_functions;
#undef DECLARE

/// Looks up the functions in a library, and returns false if one of them is missing.
static inline bool pcre2_load(pcre2_functions *functions, const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
#define LOOK_UP(result, name, ...) \
    void *found_##name = dlsym(handle, "pcre2_" #name "_8"); \
    if (found_##name == NULL) return false; \
    functions->name = (result (*)(__VA_ARGS__))found_##name;
    PCRE2_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return true;
}
