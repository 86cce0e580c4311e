#include "os/file.h"

#include "util/run.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <windows.h>

enum {
    TEMPORARY_TRIES = 1000,
    RENAME_TRIES = 10,         /* with pauses of 1, 2, 4 ... ms between */
    MOST_AT_ONCE = 1024 * 1024 /* bytes of a read or write */
};

/* ---- errors and paths --------------------------------------------------------------------- */

/* Sets errno to what the last call failed for. */
static void set_errno(void)
{
    static const struct {
        DWORD system;
        int number;
    } errors[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT}, {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_FILE_EXISTS, EEXIST},    {ERROR_DISK_FULL, ENOSPC},
        {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_NO_DATA, EPIPE},        {ERROR_PIPE_NOT_CONNECTED, EPIPE},
    };
    DWORD error = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].system == error)
            errno = errors[i].number;
}

/* A path for the system, in memory of the run. */
static wchar_t *wide_of(const char *path)
{
    int size = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t *wide = memory_zeroed((size_t)size + 1, sizeof *wide);
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, size);
    return wide;
}

size_t file_folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && strchr("/\\:", path[length - 1]) == NULL)
        length--;
    return length;
}

/* ---- opening ------------------------------------------------------------------------------ */

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

static bool has_attribute(const wchar_t *path, DWORD attribute)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & attribute) != 0;
}

/* Opens what exists, with all that others may do with it meanwhile. INVALID_HANDLE_VALUE, with errno, if that fails. */
static HANDLE open_handle(const wchar_t *path, DWORD access, DWORD how, DWORD flags)
{
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle = CreateFileW(path, access, share, NULL, how, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        set_errno();
        if (errno == EACCES && has_attribute(path, FILE_ATTRIBUTE_DIRECTORY))
            errno = EISDIR;
    }
    return handle;
}

/* A descriptor of a handle, which it closes if that fails. */
static int descriptor_of(HANDLE handle, int flags)
{
    int fd = handle == INVALID_HANDLE_VALUE ? -1
                                            : _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
    if (fd < 0 && handle != INVALID_HANDLE_VALUE) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return fd;
}

static int open_path(const char *path, int flags, DWORD access, DWORD how, DWORD attributes)
{
    return descriptor_of(open_handle(wide_of(path), access, how, attributes), flags);
}

int file_open_input(const char *path)
{
    return open_path(path, _O_RDONLY, GENERIC_READ, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
}

static int open_regular(const char *path, DWORD attributes)
{
    struct file_facts facts;
    int fd = open_path(path, _O_RDONLY, GENERIC_READ, OPEN_EXISTING, attributes);
    if (fd < 0 || (file_look_at(fd, &facts) && facts.kind == FILE_IS_REGULAR))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int file_open_regular(const char *path)
{
    return open_regular(path, FILE_ATTRIBUTE_NORMAL);
}

int file_open_unfollowed(const char *path)
{
    return open_regular(path, FILE_FLAG_OPEN_REPARSE_POINT);
}

int file_open_trusted(const char *path, const char *other)
{
    (void)other;
    return file_open_regular(path);
}

int file_open_output(const char *path)
{
    return open_path(path, _O_WRONLY, GENERIC_WRITE, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
}

int file_duplicate(int fd)
{
    return dup(fd);
}

/* ---- what is there ------------------------------------------------------------------------ */

/* Only for a handle that was opened without following links. */
static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof info) &&
           (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(info.ReparseTag);
}

static bool look_at(HANDLE handle, struct file_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION info = {0};
    DWORD type = GetFileType(handle);
    *facts = (struct file_facts){.kind = type == FILE_TYPE_CHAR ? FILE_IS_CHARACTERS : FILE_IS_OTHER};
    if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE)
        return true;
    if (!GetFileInformationByHandle(handle, &info)) {
        set_errno();
        return false;
    }
    facts->kind = is_link(handle)                                            ? FILE_IS_OTHER
                  : (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FILE_IS_FOLDER
                                                                             : FILE_IS_REGULAR;
    facts->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    facts->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    facts->volume = info.dwVolumeSerialNumber;
    /* Windows counts 100 ns from 1601. */
    uint64_t ticks = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
    facts->time = ((int64_t)ticks - INT64_C(116444736000000000)) * 100;
    return true;
}

bool file_look_at(int fd, struct file_facts *facts)
{
    return look_at(handle_of(fd), facts);
}

/* A handle of anything, only to look at it. */
static HANDLE open_to_look(const char *path, DWORD flags)
{
    return open_handle(wide_of(path), FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags);
}

static bool look(const char *path, DWORD flags, struct file_facts *facts)
{
    HANDLE handle = open_to_look(path, flags);
    bool done = handle != INVALID_HANDLE_VALUE && look_at(handle, facts);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return done;
}

bool file_look(const char *path, struct file_facts *facts)
{
    return look(path, 0, facts);
}

bool file_look_unfollowed(const char *path, struct file_facts *facts)
{
    return look(path, FILE_FLAG_OPEN_REPARSE_POINT, facts);
}

bool file_is_locked(const char *path)
{
    (void)path;
    return false;
}

bool file_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode);
}

int64_t file_offset(int fd)
{
    return GetFileType(handle_of(fd)) == FILE_TYPE_DISK ? _lseeki64(fd, 0, SEEK_CUR) : -1;
}

/* ---- reading and writing ------------------------------------------------------------------ */

/* Without the C library, which has no EPIPE. `place` is NULL: at the descriptor's offset. */
static ssize_t read_handle(int fd, void *bytes, size_t length, OVERLAPPED *place)
{
    DWORD count = 0, wanted = length < MOST_AT_ONCE ? (DWORD)length : MOST_AT_ONCE;
    if (ReadFile(handle_of(fd), bytes, wanted, &count, place))
        return (ssize_t)count;
    if (GetLastError() == ERROR_HANDLE_EOF || GetLastError() == ERROR_BROKEN_PIPE)
        return 0;
    set_errno();
    return -1;
}

ssize_t file_read(int fd, void *bytes, size_t length)
{
    return read_handle(fd, bytes, length, NULL);
}

ssize_t file_read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    return read_handle(fd, bytes, length, &place);
}

ssize_t file_write(int fd, const void *bytes, size_t length)
{
    DWORD count = 0, wanted = length < MOST_AT_ONCE ? (DWORD)length : MOST_AT_ONCE;
    bool done = WriteFile(handle_of(fd), bytes, wanted, &count, NULL);
    if (!done)
        set_errno();
    else if (count == 0 && length > 0)
        errno = ENOSPC;
    return done && (count > 0 || length == 0) ? (ssize_t)count : -1;
}

/* ---- temporary files ---------------------------------------------------------------------- */

/* In the directory %TMP% or %TEMP%. */
int file_create_unnamed(void)
{
    wchar_t path[MAX_PATH + 64];
    DWORD length = GetTempPathW(MAX_PATH, path);
    HANDLE handle = INVALID_HANDLE_VALUE;
    errno = length < MAX_PATH ? EEXIST : ENAMETOOLONG;
    for (unsigned number = 0; errno == EEXIST && number < TEMPORARY_TRIES; number++) {
        _snwprintf(path + length, 64, L"cg2wg-%lu-%u.tmp", (unsigned long)GetCurrentProcessId(), number);
        handle = open_handle(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW,
                             FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
        if (handle != INVALID_HANDLE_VALUE)
            break;
    }
    return descriptor_of(handle, _O_RDWR);
}

/* Marks whether the file is removed when it is closed. Some file systems have no such mark. */
static void mark_removal(int fd, bool is_removed)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_removed};
    SetFileInformationByHandle(handle_of(fd), FileDispositionInfo, &info, sizeof info);
}

int file_create_temporary(const char *path)
{
    int fd = open_path(path, _O_WRONLY, GENERIC_WRITE | DELETE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    if (fd >= 0)
        mark_removal(fd, true);
    return fd;
}

/* If the mark cannot be removed, there will be no file to rename, and renaming fails. */
bool file_complete(int fd)
{
    bool is_flushed = FlushFileBuffers(handle_of(fd));
    if (!is_flushed)
        set_errno();
    int error = errno;
    mark_removal(fd, false);
    bool is_closed = _close(fd) == 0;
    if (!is_flushed)
        errno = error;
    return is_flushed && is_closed;
}

/* It fails while a process has the file open, so it is tried for half a second. */
bool file_rename(const char *from, const char *to)
{
    wchar_t *wide_from = wide_of(from), *wide_to = wide_of(to);
    bool done = false;
    for (int i = 0; i < RENAME_TRIES && !done; i++) {
        if (i > 0)
            Sleep((DWORD)1 << i);
        done = MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING);
        if (!done)
            set_errno();
        if (!done && (errno != EACCES || has_attribute(wide_to, FILE_ATTRIBUTE_DIRECTORY)))
            break;
    }
    return done;
}

void file_remove(const char *path)
{
    DeleteFileW(wide_of(path));
}

/* ---- links -------------------------------------------------------------------------------- */

/* The path of what is there, links followed. NULL, with errno: nothing is there. */
static char *final_path(const char *path)
{
    enum { LONGEST = 32 * 1024 };
    HANDLE handle = open_to_look(path, 0);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    wchar_t *wide = memory_zeroed(LONGEST, sizeof *wide);
    GetFinalPathNameByHandleW(handle, wide, LONGEST, 0);
    CloseHandle(handle);
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *found = memory_zeroed((size_t)size + 1, 1);
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, found, size, NULL, NULL);
    return found;
}

/* Only administrators may make links, unless the system is set up otherwise. One that leads nowhere is an error. */
char *file_follow_links(const char *path, struct file_facts *facts, bool *is_descriptor)
{
    bool is_link = has_attribute(wide_of(path), FILE_ATTRIBUTE_REPARSE_POINT);
    char *found = is_link ? final_path(path) : memory_string(path);
    *is_descriptor = false;
    if (found != NULL && !file_look(found, facts)) {
        facts->kind = FILE_IS_ABSENT;
        return errno == ENOENT ? found : NULL;
    }
    return found;
}

int file_open_below(const char *path, const char *folder)
{
    char *file = final_path(path), *below = final_path(folder);
    size_t length = below != NULL ? strlen(below) : 0;
    while (length > 0 && below[length - 1] == '\\')
        length--;
    bool is_below = file != NULL && below != NULL && strncmp(file, below, length) == 0 && file[length] == '\\';
    errno = EACCES;
    return is_below ? file_open_regular(path) : -1;
}

/* Windows has no links to descriptors. */
int file_open_descriptor(const char *link)
{
    (void)link;
    errno = ENOENT;
    return -1;
}

int file_own_descriptor(const char *link)
{
    (void)link;
    return -1;
}
