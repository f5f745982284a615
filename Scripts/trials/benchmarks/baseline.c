/* Plain programs that Scripts/bench compares the bridge with. They do only the necessary work, so their time is about
   the time of the X server or the kernel.

   baseline own SELECTION TARGET FILE  owns the selection and sends the file, by INCR if it is larger than PIECE. Takes
                                       the selection again for each line of standard input, and exits at the end of
                                       the input.
                                       Prints "took NANOSECONDS", the CLOCK_MONOTONIC time just before it takes the
                                       selection, and "sent BYTES" after each transfer.
   baseline request SELECTION TARGET   writes the bytes that the owner sends to standard output
   baseline notify SELECTION           exits at the first change of owner, as clipnotify does
   baseline copy FROM TO               copies a file inside the kernel, into a new file */

#define _GNU_SOURCE

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PIECE 262144
#define TRANSFERS 64

static Display *display;
static Window window;
static Atom selection, target, targets, timestamp, incr, place;

static void fail(const char *what) {
    fprintf(stderr, "baseline: %s\n", what);
    exit(1);
}

/* Requestors may disappear at any moment. */
static int ignore(Display *of, XErrorEvent *error) {
    (void)of, (void)error;
    return 0;
}

static void connect_to_server(const char *selection_name, const char *target_name) {
    if (!(display = XOpenDisplay(NULL))) fail("no display");
    XSetErrorHandler(ignore);
    char *names[] = {(char *)selection_name, (char *)target_name, "TARGETS", "TIMESTAMP", "INCR", "BASELINE"};
    Atom atoms[6];
    XInternAtoms(display, names, 6, False, atoms);
    selection = atoms[0];
    target = atoms[1];
    targets = atoms[2];
    timestamp = atoms[3];
    incr = atoms[4];
    place = atoms[5];
    window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    XSelectInput(display, window, PropertyChangeMask);
}

static Time server_time(void) {
    XEvent event;
    XChangeProperty(display, window, timestamp, XA_INTEGER, 32, PropModeAppend, NULL, 0);
    XWindowEvent(display, window, PropertyChangeMask, &event);
    return event.xproperty.time;
}

/* Owning. */

static const unsigned char *content;
static size_t length;
static long owned_since;

static struct transfer {
    Window requestor;
    Atom property;
    size_t sent;
} transfers[TRANSFERS];

static void take(void) {
    struct timespec now;
    Time since = server_time();
    clock_gettime(CLOCK_MONOTONIC, &now);
    XSetSelectionOwner(display, selection, window, since);
    XFlush(display);
    owned_since = (long)since;
    printf("took %lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
    fflush(stdout);
}

static void report_sent(void) {
    printf("sent %zu\n", length);
    fflush(stdout);
}

static void begin_pieces(const XSelectionRequestEvent *request, Atom property) {
    struct transfer *transfer = NULL;
    for (struct transfer *each = transfers; each < transfers + TRANSFERS; each++) {
        int is_same = each->requestor == request->requestor && each->property == property;
        if (is_same || (!each->requestor && !transfer)) transfer = each;
        if (is_same) break;
    }
    if (!transfer) fail("too many transfers");
    *transfer = (struct transfer){request->requestor, property, 0};
    long size = (long)length;
    XSelectInput(display, request->requestor, PropertyChangeMask);
    XChangeProperty(
        display, request->requestor, property, incr, 32, PropModeReplace, (const unsigned char *)&size, 1);
}

static void answer(const XSelectionRequestEvent *request) {
    Atom property = request->property ? request->property : request->target;
    if (request->target == target && length > PIECE) {
        begin_pieces(request, property);
    } else if (request->target == target) {
        XChangeProperty(
            display, request->requestor, property, target, 8, PropModeReplace, content, (int)length);
        report_sent();
    } else if (request->target == targets) {
        long list[] = {(long)targets, (long)timestamp, (long)target};
        XChangeProperty(
            display, request->requestor, property, XA_ATOM, 32, PropModeReplace, (unsigned char *)list, 3);
    } else if (request->target == timestamp) {
        XChangeProperty(
            display, request->requestor, property, XA_INTEGER, 32, PropModeReplace, (unsigned char *)&owned_since, 1);
    } else {
        property = None;
    }
    XEvent reply = {.xselection = {
        .type = SelectionNotify, .requestor = request->requestor, .selection = request->selection,
        .target = request->target, .property = property, .time = request->time}};
    XSendEvent(display, request->requestor, False, NoEventMask, &reply);
}

static void send_piece(const XPropertyEvent *event) {
    for (struct transfer *each = transfers; each < transfers + TRANSFERS; each++) {
        if (each->requestor != event->window || each->property != event->atom) continue;
        size_t rest = length - each->sent, size = rest < PIECE ? rest : PIECE;
        XChangeProperty(
            display, each->requestor, each->property, target, 8, PropModeReplace, content + each->sent, (int)size);
        each->sent += size;
        if (size == 0) {
            XSelectInput(display, each->requestor, NoEventMask);
            each->requestor = None;
            report_sent();
        }
        return;
    }
}

static int own(const char *path) {
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) < 0) fail("cannot open the file");
    length = (size_t)status.st_size;
    content = mmap(NULL, length, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (content == MAP_FAILED) fail("cannot map the file");
    take();
    struct pollfd waited[] = {{.fd = ConnectionNumber(display), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    for (;;) {
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            if (event.type == SelectionRequest) answer(&event.xselectionrequest);
            if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete) send_piece(&event.xproperty);
        }
        if (poll(waited, 2, -1) < 0) fail("cannot wait");
        if (waited[1].revents) {
            char lines[4096];
            ssize_t count = read(0, lines, sizeof lines);
            if (count <= 0) return 0;
            for (ssize_t index = 0; index < count; index++)
                if (lines[index] == '\n') take();
        }
    }
}

/* Requesting. */

/* Writes the property to standard output and deletes it. Returns its type, and stores its length in *count. */
static Atom take_property(unsigned long *count) {
    Atom type;
    int format;
    unsigned long rest;
    unsigned char *data;
    if (XGetWindowProperty(
            display, window, place, 0, 0x1fffffff, True, AnyPropertyType, &type, &format, count, &rest, &data)
        != Success)
        fail("the property cannot be read");
    if (type != incr)
        for (unsigned long written = 0; written < *count;) {
            ssize_t now = write(1, data + written, *count - written);
            if (now < 0) fail("cannot write");
            written += (unsigned long)now;
        }
    XFree(data);
    return type;
}

static int request(void) {
    XEvent event;
    unsigned long count;
    /* Xlib allocates memory for each piece. Freed memory is kept, since otherwise the kernel would clear the same pages
       each time. */
    mallopt(M_MMAP_THRESHOLD, 64 * PIECE);
    mallopt(M_TRIM_THRESHOLD, 64 * PIECE);
    XConvertSelection(display, selection, target, place, window, server_time());
    do XNextEvent(display, &event);
    while (event.type != SelectionNotify);
    if (event.xselection.property == None) fail("refused");
    if (take_property(&count) != incr) return 0;
    do {
        do XNextEvent(display, &event);
        while (event.type != PropertyNotify || event.xproperty.atom != place
               || event.xproperty.state != PropertyNewValue);
        take_property(&count);
    } while (count > 0);
    return 0;
}

static int notify(void) {
    XEvent event;
    XFixesSelectSelectionInput(display, window, selection, XFixesSetSelectionOwnerNotifyMask);
    XNextEvent(display, &event);
    return 0;
}

static int copy(const char *from, const char *to) {
    int source = open(from, O_RDONLY), sink = open(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (source < 0 || sink < 0) fail("a file cannot be opened");
    ssize_t copied;
    while ((copied = copy_file_range(source, NULL, sink, NULL, 1 << 30, 0)) > 0) {}
    if (copied < 0) fail("copy_file_range");
    return 0;
}

int main(int count, char **words) {
    if (count < 3) fail("own SELECTION TARGET FILE | request SELECTION TARGET | notify SELECTION | copy FROM TO");
    if (!strcmp(words[1], "copy") && count == 4) return copy(words[2], words[3]);
    connect_to_server(words[2], count > 3 ? words[3] : "NONE");
    if (!strcmp(words[1], "own") && count == 5) return own(words[4]);
    if (!strcmp(words[1], "request") && count == 4) return request();
    if (!strcmp(words[1], "notify") && count == 3) return notify();
    fail("unknown command");
}
