#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <windows.h>

enum {
    TEMPORARY_TRIES = 1000,
    RENAME_TRIES = 10,         /* with pauses of 1, 2, 4 ... ms between */
    MOST_AT_ONCE = 1024 * 1024 /* bytes of a read or write */
};

/* Windows 10's FileRenameInfoEx and its flags: not all headers have them. */
enum { RENAME_INFO_EX = 22, RENAME_REPLACES = 1, RENAME_AS_POSIX = 2 };

static const DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/* ---- errors and paths --------------------------------------------------------------------- */

struct error_row {
    DWORD system;
    int number;
};

static const struct error_row errors[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},         {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},       {ERROR_INVALID_NAME, EINVAL},
    {ERROR_ACCESS_DENIED, EACCES},       {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},      {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_FILE_EXISTS, EEXIST},         {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},         {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_NO_DATA, EPIPE},              {ERROR_PIPE_NOT_CONNECTED, EPIPE},
    {ERROR_NOT_SAME_DEVICE, EXDEV},      {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_DIRECTORY, ENOTDIR},          {ERROR_CANT_RESOLVE_FILENAME, ELOOP}};

static void set_errno(DWORD error)
{
    errno = EIO;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].system == error)
            errno = errors[i].number;
}

/* Converts a path for the system, in malloc'ed memory; or NULL, with errno. */
static wchar_t *wide_of(const char *path)
{
    int size = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t *wide = size > 0 ? malloc((size_t)size * sizeof *wide) : NULL;
    if (wide == NULL)
        errno = ENOMEM;
    else
        MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, size);
    return wide;
}

static char *utf8_of(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *path = size > 0 ? malloc((size_t)size) : NULL;
    if (path == NULL)
        errno = ENOMEM;
    else
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, size, NULL, NULL);
    return path;
}

size_t file_folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && strchr("/\\:", path[length - 1]) == NULL)
        length--;
    return length;
}

/* ---- handles ------------------------------------------------------------------------------ */

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

static bool is_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

/* INVALID_HANDLE_VALUE, with errno, if that fails. */
static HANDLE open_handle(const wchar_t *path, DWORD access, DWORD share, DWORD how, DWORD flags)
{
    HANDLE handle = CreateFileW(path, access, share, NULL, how, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        DWORD error = GetLastError();
        set_errno(error);
        if (error == ERROR_ACCESS_DENIED && is_folder(path))
            errno = EISDIR;
    }
    return handle;
}

/* Makes a descriptor of a handle, which it closes if that fails. */
static int descriptor_of(HANDLE handle, int flags)
{
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    int fd = _open_osfhandle((intptr_t)handle, flags | _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return fd;
}

static int open_path(const char *path, int flags, DWORD access, DWORD share, DWORD how, DWORD attributes)
{
    wchar_t *wide = wide_of(path);
    if (wide == NULL)
        return -1;
    int fd = descriptor_of(open_handle(wide, access, share, how, attributes), flags);
    int error = errno;
    free(wide);
    errno = error;
    return fd;
}

int file_open_input(const char *path)
{
    return open_path(path, _O_RDONLY, GENERIC_READ, share_all, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
}

static int open_regular(const char *path, DWORD attributes)
{
    struct file_facts facts;
    int fd = open_path(path, _O_RDONLY, GENERIC_READ, share_all, OPEN_EXISTING, attributes);
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

int file_open_output(const char *path)
{
    return open_path(path, _O_WRONLY, GENERIC_WRITE, share_all, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
}

/* ---- what is there ------------------------------------------------------------------------ */

/* Only for a handle that was opened without following links. */
static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof info) &&
           (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(info.ReparseTag);
}

static bool take_facts(HANDLE handle, struct file_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION info = {0};
    DWORD type = GetFileType(handle);
    *facts = (struct file_facts){.kind = FILE_IS_OTHER};
    if (type == FILE_TYPE_CHAR)
        facts->kind = FILE_IS_CHARACTERS;
    if (type != FILE_TYPE_DISK)
        return type != FILE_TYPE_UNKNOWN;
    if (!GetFileInformationByHandle(handle, &info))
        return false;
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
    if (take_facts(handle_of(fd), facts))
        return true;
    set_errno(GetLastError());
    return false;
}

static bool look(const char *path, DWORD flags, struct file_facts *facts)
{
    wchar_t *wide = wide_of(path);
    if (wide == NULL)
        return false;
    HANDLE handle = open_handle(wide, FILE_READ_ATTRIBUTES, share_all, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | flags);
    int error = errno;
    free(wide);
    errno = error;
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    bool done = take_facts(handle, facts);
    if (!done)
        set_errno(GetLastError());
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

/* For pipes only. A terminal blocks, but nobody types a profile. */
bool file_is_ready(int fd)
{
    DWORD available;
    return GetFileType(handle_of(fd)) != FILE_TYPE_PIPE ||
           !PeekNamedPipe(handle_of(fd), NULL, 0, NULL, &available, NULL) || available > 0;
}

/* ---- reading and writing ------------------------------------------------------------------ */

/* Without the C library, which has no EPIPE. `place` is NULL: at the descriptor's offset. */
static ssize_t read_handle(int fd, void *bytes, size_t length, OVERLAPPED *place)
{
    DWORD count = 0, wanted = length < MOST_AT_ONCE ? (DWORD)length : MOST_AT_ONCE;
    if (ReadFile(handle_of(fd), bytes, wanted, &count, place))
        return (ssize_t)count;
    DWORD error = GetLastError();
    if (error == ERROR_HANDLE_EOF || error == ERROR_BROKEN_PIPE)
        return 0;
    set_errno(error);
    return -1;
}

static ssize_t write_handle(int fd, const void *bytes, size_t length, OVERLAPPED *place)
{
    DWORD count = 0, wanted = length < MOST_AT_ONCE ? (DWORD)length : MOST_AT_ONCE;
    if (!WriteFile(handle_of(fd), bytes, wanted, &count, place)) {
        set_errno(GetLastError());
        return -1;
    }
    if (count == 0 && length > 0) {
        errno = ENOSPC;
        return -1;
    }
    return (ssize_t)count;
}

static OVERLAPPED place_at(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

ssize_t file_read(int fd, void *bytes, size_t length)
{
    return read_handle(fd, bytes, length, NULL);
}

ssize_t file_write(int fd, const void *bytes, size_t length)
{
    return write_handle(fd, bytes, length, NULL);
}

ssize_t file_read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    OVERLAPPED place = place_at(offset);
    return read_handle(fd, bytes, length, &place);
}

ssize_t file_write_at(int fd, const void *bytes, size_t length, uint64_t offset)
{
    OVERLAPPED place = place_at(offset);
    return write_handle(fd, bytes, length, &place);
}

/* ---- temporary files ---------------------------------------------------------------------- */

/* In the directory %TMP% or %TEMP%. */
int file_create_unnamed(void)
{
    wchar_t path[MAX_PATH + 64];
    DWORD length = GetTempPathW(MAX_PATH, path);
    if (length == 0 || length >= MAX_PATH) {
        errno = ENAMETOOLONG;
        return -1;
    }
    HANDLE handle = INVALID_HANDLE_VALUE;
    for (unsigned number = 0; handle == INVALID_HANDLE_VALUE; number++) {
        _snwprintf(path + length, 64, L"cg2wg-%lu-%u.tmp", (unsigned long)GetCurrentProcessId(),
                   number);
        handle = open_handle(path, GENERIC_READ | GENERIC_WRITE, 0, CREATE_NEW,
                             FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE);
        if (handle == INVALID_HANDLE_VALUE && (errno != EEXIST || number == TEMPORARY_TRIES))
            return -1;
    }
    return descriptor_of(handle, _O_RDWR);
}

/* Marks whether the file is removed when it is closed. Some file systems have no such mark. */
static bool mark_removal(HANDLE handle, bool is_removed)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_removed};
    return SetFileInformationByHandle(handle, FileDispositionInfo, &info, sizeof info);
}

int file_create_temporary(const char *path)
{
    int fd = open_path(path, _O_WRONLY, GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                       CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    if (fd >= 0)
        mark_removal(handle_of(fd), true);
    return fd;
}

/* If the mark cannot be removed, there will be no file to rename, and renaming fails. */
bool file_complete(int fd)
{
    DWORD error = FlushFileBuffers(handle_of(fd)) ? 0 : GetLastError();
    mark_removal(handle_of(fd), false);
    bool is_closed = _close(fd) == 0;
    if (error != 0)
        set_errno(error);
    return error == 0 && is_closed;
}

/*
 * As in Windows 10, on NTFS: replaces a file even if it is open; a process that has it open keeps
 * it. `to` must be a full path.
 */
static bool rename_at_once(const wchar_t *from, const wchar_t *to)
{
    size_t length = wcslen(to) * sizeof *to, size = sizeof(FILE_RENAME_INFO) + length;
    HANDLE handle =
        CreateFileW(from, DELETE | SYNCHRONIZE, share_all, NULL, OPEN_EXISTING, 0, NULL);
    FILE_RENAME_INFO *info = handle != INVALID_HANDLE_VALUE ? calloc(1, size) : NULL;
    bool done = false;
    if (info != NULL) {
        const DWORD flags = RENAME_REPLACES | RENAME_AS_POSIX;
        memcpy(info, &flags, sizeof flags);
        info->FileNameLength = (DWORD)length;
        memcpy(info->FileName, to, length);
        done = SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)RENAME_INFO_EX, info,
                                          (DWORD)size);
    }
    free(info);
    if (handle != INVALID_HANDLE_VALUE)
        CloseHandle(handle);
    return done;
}

/* As in older systems: fails while a process has the file open, so it is tried for half a second. */
static bool rename_patiently(const wchar_t *from, const wchar_t *to)
{
    for (int i = 0;; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING))
            return true;
        DWORD error = GetLastError();
        if ((error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) ||
            i + 1 == RENAME_TRIES || is_folder(to)) {
            set_errno(error);
            return false;
        }
        Sleep((DWORD)1 << i);
    }
}

/* The whole path in malloc'ed memory; or NULL. */
static wchar_t *full_path(const wchar_t *path)
{
    DWORD size = GetFullPathNameW(path, 0, NULL, NULL);
    wchar_t *full = size > 0 ? malloc(size * sizeof *full) : NULL;
    if (full != NULL && GetFullPathNameW(path, size, full, NULL) >= size) {
        free(full);
        full = NULL;
    }
    return full;
}

bool file_rename(const char *from, const char *to)
{
    wchar_t *wide_from = wide_of(from), *wide_to = wide_of(to);
    wchar_t *full_to = wide_to != NULL ? full_path(wide_to) : NULL;
    bool done = false;
    if (wide_from == NULL || full_to == NULL)
        errno = ENOMEM;
    else
        done = rename_at_once(wide_from, full_to) || rename_patiently(wide_from, full_to);
    int error = errno;
    free(wide_from);
    free(wide_to);
    free(full_to);
    errno = error;
    return done;
}

void file_remove(const char *path)
{
    wchar_t *wide = wide_of(path);
    if (wide != NULL)
        DeleteFileW(wide);
    free(wide);
}

/* ---- links -------------------------------------------------------------------------------- */

/* The target of a link. A link that leads nowhere is an error here. */
static char *final_path(const wchar_t *path)
{
    HANDLE handle = open_handle(path, FILE_READ_ATTRIBUTES, share_all, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    char *found = NULL;
    DWORD size = GetFinalPathNameByHandleW(handle, NULL, 0, 0);
    wchar_t *wide = size > 0 ? malloc(size * sizeof *wide) : NULL;
    if (wide == NULL)
        errno = ENOMEM;
    else if (GetFinalPathNameByHandleW(handle, wide, size, 0) < size)
        found = utf8_of(wide);
    else
        errno = EIO;
    free(wide);
    CloseHandle(handle);
    return found;
}

/* Only administrators may make links, unless the system is set up otherwise. */
char *file_follow_links(const char *path, struct file_facts *facts, bool *is_descriptor)
{
    *is_descriptor = false;
    wchar_t *wide = wide_of(path);
    if (wide == NULL)
        return NULL;
    DWORD attributes = GetFileAttributesW(wide);
    bool may_be_link = attributes != INVALID_FILE_ATTRIBUTES &&
                       (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
    char *found = may_be_link ? final_path(wide) : strdup(path);
    int error = errno;
    if (found != NULL && !file_look(found, facts)) {
        facts->kind = FILE_IS_ABSENT;
        error = errno;
        if (error != ENOENT) {
            free(found);
            found = NULL;
        }
    }
    free(wide);
    errno = error;
    return found;
}

static bool is_below(const char *path, const char *folder)
{
    wchar_t *wide = wide_of(path), *wide_folder = wide_of(folder);
    char *file = wide != NULL ? final_path(wide) : NULL;
    char *below = wide_folder != NULL ? final_path(wide_folder) : NULL;
    size_t length = below != NULL ? strlen(below) : 0;
    while (length > 0 && below[length - 1] == '\\')
        length--;
    bool result = file != NULL && below != NULL && strncmp(file, below, length) == 0 &&
                    file[length] == '\\';
    free(wide);
    free(wide_folder);
    free(file);
    free(below);
    return result;
}

int file_open_below(const char *path, const char *folder)
{
    if (is_below(path, folder))
        return file_open_regular(path);
    errno = EACCES;
    return -1;
}

int file_open_trusted(const char *path, const char *other)
{
    (void)other;
    return file_open_regular(path);
}

int file_duplicate(int fd)
{
    return dup(fd);
}

/* Windows has none. */
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
