/* SPDX-License-Identifier: MIT */
#include "os/file.h"

#include "util/task.h"
#include "util/text.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <windows.h>

/* A path for the system, in memory of the task. */
static wchar_t *wide_of(const char *path)
{
    int size = MultiByteToWideChar(CP_UTF8, 0, path, -1, NULL, 0);
    wchar_t *wide = memory_zeroed((size_t)size + 1, sizeof *wide);
    MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, size);
    return wide;
}

static bool has_attribute(const wchar_t *path, DWORD attribute)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & attribute) != 0;
}

/* Sets errno to what the last call of the system failed for. */
static void set_errno(void)
{
    static const DWORD errors[][2] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},   {ERROR_PATH_NOT_FOUND, ENOENT},    {ERROR_INVALID_NAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},    {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},        {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_NO_DATA, EPIPE},
        {ERROR_PIPE_NOT_CONNECTED, EPIPE}};
    errno = EIO;
    for (size_t i = 0; i < COUNT_OF(errors); i++)
        if (errors[i][0] == GetLastError())
            errno = (int)errors[i][1];
}

static HANDLE handle_of(int fd)
{
    return (HANDLE)_get_osfhandle(fd);
}

/* Opens with all that others may do with the file meanwhile. */
static int open_path(const char *path, DWORD access, DWORD how, DWORD flags)
{
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    wchar_t *wide = wide_of(path);
    HANDLE handle = CreateFileW(wide, access, share, NULL, how, flags, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        set_errno();
        if (errno == EACCES && has_attribute(wide, FILE_ATTRIBUTE_DIRECTORY))
            errno = EISDIR;
        return -1;
    }
    int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (fd < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return fd;
}

/* Marks whether the file is removed when it is closed. Some file systems have no such mark. */
static void mark_removal(int fd, bool is_removed)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_removed};
    SetFileInformationByHandle(handle_of(fd), FileDispositionInfo, &info, sizeof info);
}

int file_open(const char *path, enum file_use use)
{
    struct file_facts facts;
    bool is_followed = use == FILE_REGULAR || use == FILE_UNLOCKED;
    int fd = open_path(path, use == FILE_TO_WRITE ? GENERIC_WRITE : GENERIC_READ, OPEN_EXISTING,
                       is_followed || use == FILE_TO_READ ? 0 : FILE_FLAG_OPEN_REPARSE_POINT);
    bool may_be_any = !is_followed && use != FILE_UNFOLLOWED;
    if (fd < 0 || may_be_any || (file_look_at(fd, &facts) && facts.kind == FILE_IS_REGULAR))
        return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int file_create(const char *path, const struct file_rights *most, const struct file_facts *replaced)
{
    (void)most;
    (void)replaced;
    int fd = open_path(path, GENERIC_WRITE | DELETE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    if (fd >= 0)
        mark_removal(fd, true);
    return fd;
}

void file_limit_rights(struct file_rights *rights, const struct file_rights *other)
{
    rights->mode &= other->mode;
}

int file_open_trusted(const char *path, const char *other)
{
    return file_open(path, FILE_REGULAR);
}

bool file_is_strangers(const char *path, const char *profile)
{
    (void)path;
    (void)profile;
    return false;
}

bool file_look_at(int fd, struct file_facts *facts)
{
    HANDLE handle = handle_of(fd);
    BY_HANDLE_FILE_INFORMATION info;
    FILE_ATTRIBUTE_TAG_INFO tag;
    DWORD type = GetFileType(handle);
    *facts = (struct file_facts){.kind = type == FILE_TYPE_CHAR ? FILE_IS_CHARACTERS : FILE_IS_OTHER,
                                 .rights = {0666, 0},
                                 .is_own = true,
                                 .own = -1};
    if (type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE)
        return true;
    if (!GetFileInformationByHandle(handle, &info)) {
        set_errno();
        return false;
    }
    /* Only a handle that was opened without following links is one of a link. */
    bool is_link = (info.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                   GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) &&
                   IsReparseTagNameSurrogate(tag.ReparseTag);
    bool is_folder = (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    facts->kind = is_link ? FILE_IS_OTHER : is_folder ? FILE_IS_FOLDER : FILE_IS_REGULAR;
    facts->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    facts->number = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    facts->volume = info.dwVolumeSerialNumber;
    /* Windows counts 100 ns from 1601. */
    uint64_t ticks = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
    facts->time = ((int64_t)ticks - INT64_C(116444736000000000)) * 100;
    return true;
}

bool file_look(const char *path, bool follows, struct file_facts *facts)
{
    int fd = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS | (follows ? 0 : FILE_FLAG_OPEN_REPARSE_POINT));
    bool done = fd >= 0 && file_look_at(fd, facts);
    if (fd >= 0)
        close(fd);
    return done;
}

bool file_is_terminal(int fd)
{
    DWORD mode;
    return GetConsoleMode(handle_of(fd), &mode);
}

enum { MOST_AT_ONCE = 1024 * 1024 };

ssize_t file_read(int fd, void *bytes, size_t length, int64_t offset)
{
    if (offset >= 0 && _lseeki64(fd, offset, SEEK_SET) < 0)
        return -1;
    return _read(fd, bytes, (unsigned)(length < MOST_AT_ONCE ? length : MOST_AT_ONCE));
}

/* Without the C library, which does not know all errors of a pipe that nobody reads. */
bool file_write_all(int fd, const void *bytes, size_t length)
{
    DWORD count = 1;
    for (const char *p = bytes, *end = p + length; p < end && count > 0; p += count) {
        errno = ENOSPC;
        if (!WriteFile(handle_of(fd), p, end - p < MOST_AT_ONCE ? (DWORD)(end - p) : MOST_AT_ONCE, &count, NULL))
            set_errno();
    }
    return count > 0;
}

/* In the directory %TMP%, or another one for such files. */
int file_create_unnamed(bool in_memory)
{
    (void)in_memory;
    wchar_t *path = _wtempnam(NULL, L"cg2wg");
    int fd = path == NULL ? -1
                          : _wopen(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | _O_BINARY | _O_NOINHERIT, 0600);
    free(path);
    return fd;
}

/* Renaming fails if the mark stays, or while a process has the file open, so it is tried for half a second. */
const char *file_complete(int fd, int64_t time, const char *from, const char *to)
{
    enum { LONGEST_PAUSE = 512 };
    uint64_t ticks = (uint64_t)(time / 100 + INT64_C(116444736000000000));
    FILETIME last = {.dwLowDateTime = (DWORD)ticks, .dwHighDateTime = (DWORD)(ticks >> 32)};
    if (time != 0)
        SetFileTime(handle_of(fd), NULL, NULL, &last);
    bool is_flushed = _commit(fd) == 0;
    mark_removal(fd, false);
    if (_close(fd) != 0 || !is_flushed)
        return "cannot write";
    wchar_t *wide_from = wide_of(from), *wide_to = wide_of(to);
    for (DWORD pause = 2; !MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING); pause *= 2) {
        set_errno();
        if (errno != EACCES || has_attribute(wide_to, FILE_ATTRIBUTE_DIRECTORY) || pause > LONGEST_PAUSE)
            return "cannot rename the temporary file to it";
        Sleep(pause);
    }
    return NULL;
}

void file_remove(const char *path)
{
    DeleteFileW(wide_of(path));
}

char *file_find_own(const char *folder, const char *prefix)
{
    WIN32_FIND_DATAW data;
    size_t size = strlen(folder) + strlen(prefix) + sizeof "/*" + 4 * MAX_PATH;
    char *path = memory_get(size);
    snprintf(path, size, "%s/%s*", folder, prefix);
    HANDLE found = FindFirstFileW(wide_of(path), &data);
    if (found == INVALID_HANDLE_VALUE)
        return NULL;
    FindClose(found);
    size_t used = strlen(folder) + 1;
    WideCharToMultiByte(CP_UTF8, 0, data.cFileName, -1, path + used, (int)(size - used), NULL, NULL);
    return path;
}

char *file_resolve(const char *path)
{
    wchar_t wide[32 * 1024] = L""; /* no path is longer */
    int fd = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
    if (fd < 0)
        return NULL;
    GetFinalPathNameByHandleW(handle_of(fd), wide, COUNT_OF(wide), 0);
    close(fd);
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *found = memory_zeroed((size_t)size + 1, 1);
    WideCharToMultiByte(CP_UTF8, 0, wide, -1, found, size, NULL, NULL);
    return found;
}

/* Few may make links on Windows. One that leads nowhere is an error. There are no links to descriptors. */
char *file_follow_links(const char *path, enum file_links followed, struct file_facts *facts)
{
    bool follows = followed != FOLLOW_FOLDERS;
    bool is_link = follows && has_attribute(wide_of(path), FILE_ATTRIBUTE_REPARSE_POINT);
    char *found = is_link ? file_resolve(path) : memory_string(path);
    *facts = (struct file_facts){.kind = FILE_IS_ABSENT, .own = -1};
    return found == NULL || file_look(found, follows, facts) || errno == ENOENT ? found : NULL;
}

int file_open_below(const char *path, const char *folder)
{
    char *file = file_resolve(path);
    size_t length = strlen(folder);
    length -= folder[length - 1] == '\\'; /* the root of a drive ends with one */
    bool is_below = file != NULL && strncmp(file, folder, length) == 0 && file[length] == '\\';
    errno = EACCES;
    return is_below ? file_open(path, FILE_REGULAR) : -1;
}
