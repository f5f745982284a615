// The functions of gdk-pixbuf that convert pictures, without its headers and without linking to it: only the process
// that converts a picture loads the library.

#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct _GdkPixbuf GdkPixbuf;
typedef struct _GdkPixbufLoader GdkPixbufLoader;

typedef struct {
    unsigned int domain;
    int code;
    char *message;
} PixbufError;

#define PIXBUF_FUNCTIONS(FUNCTION) \
    FUNCTION(GdkPixbufLoader *, gdk_pixbuf_loader_new_with_type, const char *type, PixbufError **error) \
    FUNCTION(int, gdk_pixbuf_loader_write, GdkPixbufLoader *loader, const unsigned char *bytes, size_t count, \
             PixbufError **error) \
    FUNCTION(int, gdk_pixbuf_loader_close, GdkPixbufLoader *loader, PixbufError **error) \
    FUNCTION(GdkPixbuf *, gdk_pixbuf_loader_get_pixbuf, GdkPixbufLoader *loader) \
    FUNCTION(int, gdk_pixbuf_get_width, const GdkPixbuf *pixbuf) \
    FUNCTION(int, gdk_pixbuf_get_height, const GdkPixbuf *pixbuf) \
    FUNCTION(int, gdk_pixbuf_get_has_alpha, const GdkPixbuf *pixbuf) \
    FUNCTION(int, gdk_pixbuf_get_rowstride, const GdkPixbuf *pixbuf) \
    FUNCTION(unsigned char *, gdk_pixbuf_get_pixels, const GdkPixbuf *pixbuf) \
    FUNCTION(GdkPixbuf *, gdk_pixbuf_new_from_data, const unsigned char *bytes, int colorspace, int has_alpha, \
             int bits, int width, int height, int stride, void *release, void *data) \
    FUNCTION(int, gdk_pixbuf_save_to_bufferv, GdkPixbuf *pixbuf, char **buffer, size_t *size, const char *type, \
             char **keys, char **values, PixbufError **error)

#define DECLARE(result, name, ...) result (*name)(__VA_ARGS__);
typedef struct {
    PIXBUF_FUNCTIONS(DECLARE)
} PixbufFunctions;
#undef DECLARE

/// Returns true if the library reads pictures by glycin, as it does since version 2.44.
static inline bool pixbuf_uses_glycin(void) { return dlopen("libglycin-2.so.0", RTLD_NOLOAD | RTLD_LAZY) != NULL; }

/// Looks up the functions in the library, and returns false if one of them is missing.
static inline bool pixbuf_load(PixbufFunctions *functions, const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
#define LOOK_UP(result, name, ...) \
    void *found_##name = dlsym(handle, #name); \
    if (found_##name == NULL) return false; \
    functions->name = (result (*)(__VA_ARGS__))found_##name;
    PIXBUF_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
    return true;
}
