// The functions of sd-bus(3), without its headers and without linking to it: the library is loaded when a connection is
// made.

#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;

typedef struct {
    const char *name;
    const char *message;
    int needs_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *message, void *userdata, sd_bus_error *error);

#define SD_BUS_FUNCTIONS(FUNCTION) \
    FUNCTION(int, new, sd_bus **bus) \
    FUNCTION(int, set_address, sd_bus *bus, const char *address) \
    FUNCTION(int, set_bus_client, sd_bus *bus, int is_client) \
    FUNCTION(int, negotiate_fds, sd_bus *bus, int accepts) \
    FUNCTION(int, start, sd_bus *bus) \
    FUNCTION(int, get_fd, sd_bus *bus) \
    FUNCTION(int, get_events, sd_bus *bus) \
    FUNCTION(int, process, sd_bus *bus, sd_bus_message **message) \
    FUNCTION(void, close, sd_bus *bus) \
    FUNCTION(sd_bus *, unref, sd_bus *bus) \
    FUNCTION(int, add_match_async, sd_bus *bus, sd_bus_slot **slot, const char *match, \
             sd_bus_message_handler_t handler, sd_bus_message_handler_t installed, void *userdata) \
    FUNCTION(int, call_async, sd_bus *bus, sd_bus_slot **slot, sd_bus_message *message, \
             sd_bus_message_handler_t handler, void *userdata, uint64_t timeout) \
    FUNCTION(int, message_new_method_call, sd_bus *bus, sd_bus_message **message, const char *destination, \
             const char *path, const char *interface, const char *member) \
    FUNCTION(sd_bus_message *, message_unref, sd_bus_message *message) \
    FUNCTION(int, message_append_basic, sd_bus_message *message, char type, const void *value) \
    FUNCTION(int, message_open_container, sd_bus_message *message, char type, const char *contents) \
    FUNCTION(int, message_close_container, sd_bus_message *message) \
    FUNCTION(const char *, message_get_sender, sd_bus_message *message) \
    FUNCTION(const char *, message_get_path, sd_bus_message *message) \
    FUNCTION(const char *, message_get_member, sd_bus_message *message) \
    FUNCTION(const sd_bus_error *, message_get_error, sd_bus_message *message) \
    FUNCTION(int, message_peek_type, sd_bus_message *message, char *type, const char **contents) \
    FUNCTION(int, message_enter_container, sd_bus_message *message, char type, const char *contents) \
    FUNCTION(int, message_exit_container, sd_bus_message *message) \
    FUNCTION(int, message_read_basic, sd_bus_message *message, char type, void *value) \
    FUNCTION(int, message_skip, sd_bus_message *message, const char *types)

#define DECLARE(result, name, ...) result (*name)(__VA_ARGS__);
typedef struct {
    SD_BUS_FUNCTIONS(DECLARE)
} sd_bus_functions;
#undef DECLARE

/// Looks up the functions in a library, and returns false if one of them is missing.
static inline bool sd_bus_load(sd_bus_functions *functions, const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
#define LOOK_UP(result, name, ...) \
    void *found_##name = dlsym(handle, "sd_bus_" #name); \
    if (found_##name == NULL) return false; \
    functions->name = (result (*)(__VA_ARGS__))found_##name;
    SD_BUS_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return true;
}
