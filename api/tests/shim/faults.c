/* Faults below SQLite, for a test: put in front of the C library by LD_PRELOAD, this fails writing and
 * syncing of some files while a control file says so.
 *
 * UMPIRE_FAULT_FILES    part of the names of the files that are concerned
 * UMPIRE_FAULT_CONTROL  the control file; its first letter says which fault:
 *     n  no room: writing and making longer fail with ENOSPC
 *     e  a broken disk: writing fails with EIO
 *     s  syncing fails with EIO
 *     t  a torn page: half of what is to be written is written, then the process is killed
 * and with an m behind it, the log and its index (-wal, -shm) are spared.
 * Where it is not there, nothing fails. This file must not be part of the product.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char fault(int fd)
{
    const char *files = getenv("UMPIRE_FAULT_FILES");
    const char *control = getenv("UMPIRE_FAULT_CONTROL");
    char link[64], name[4096], letter = 0;
    ssize_t length;
    FILE *said;

    if (!files || !control)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, name, sizeof name - 1);
    if (length <= 0)
        return 0;
    name[length] = 0;
    if (!strstr(name, files))
        return 0;
    said = fopen(control, "r");
    if (!said)
        return 0;
    letter = (char)fgetc(said);
    if (fgetc(said) == 'm' && length > 4
        && (!strcmp(name + length - 4, "-wal") || !strcmp(name + length - 4, "-shm")))
        letter = 0;
    fclose(said);
    return letter;
}

/* What writing comes to: 0 goes on, -1 fails with errno, 1 is torn. */
static int writing(int fd)
{
    switch (fault(fd)) {
    case 'n': errno = ENOSPC; return -1;
    case 'e': errno = EIO; return -1;
    case 't': return 1;
    default: return 0;
    }
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    static ssize_t (*real)(int, const void *, size_t);
    int how = writing(fd);
    if (!real)
        real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (how < 0)
        return -1;
    if (how > 0) {
        real(fd, bytes, count / 2);
        die();
    }
    return real(fd, bytes, count);
}

#define PWRITE(name, offset_type)                                                          \
    ssize_t name(int fd, const void *bytes, size_t count, offset_type offset)              \
    {                                                                                      \
        static ssize_t (*real)(int, const void *, size_t, offset_type);                    \
        int how = writing(fd);                                                             \
        if (!real)                                                                         \
            real = (ssize_t (*)(int, const void *, size_t, offset_type))dlsym(RTLD_NEXT, #name); \
        if (how < 0)                                                                       \
            return -1;                                                                     \
        if (how > 0) {                                                                     \
            real(fd, bytes, count / 2, offset);                                            \
            die();                                                                         \
        }                                                                                  \
        return real(fd, bytes, count, offset);                                             \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset_type)                                                        \
    int name(int fd, offset_type length)                                                   \
    {                                                                                      \
        static int (*real)(int, offset_type);                                              \
        if (!real)                                                                         \
            real = (int (*)(int, offset_type))dlsym(RTLD_NEXT, #name);                     \
        if (writing(fd) < 0)                                                               \
            return -1;                                                                     \
        return real(fd, length);                                                           \
    }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                                         \
    int name(int fd)                                                                       \
    {                                                                                      \
        static int (*real)(int);                                                           \
        if (!real)                                                                         \
            real = (int (*)(int))dlsym(RTLD_NEXT, #name);                                  \
        if (fault(fd) == 's') {                                                            \
            errno = EIO;                                                                   \
            return -1;                                                                     \
        }                                                                                  \
        return real(fd);                                                                   \
    }

SYNC(fsync)
SYNC(fdatasync)
