#include "cli/host.h"

#include "util/run.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

/* A closed standard stream has no descriptor, so the next file that is opened would get its number. */
static bool fill_standard_streams(void)
{
    static const int unusable[] = {_O_WRONLY, _O_RDONLY, _O_RDONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (_get_osfhandle(fd) == -1 || _get_osfhandle(fd) == -2) {
            int filled = _wopen(L"NUL", unusable[fd]);
            if (filled < 0 || (filled != fd && _dup2(filled, fd) != 0))
                return false;
            if (filled != fd)
                _close(filled);
        }
        if (_setmode(fd, _O_BINARY) == -1)
            return false;
    }
    return true;
}

/* The arguments, in memory that is valid as long as the process. */
static char **arguments_in_utf8(int *count)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    if (wide == NULL)
        run_out_of_memory();
    char **arguments = memory_zeroed((size_t)*count + 1, sizeof *arguments);
    for (int i = 0; i < *count; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        arguments[i] = memory_zeroed((size_t)size + 1, 1);
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, arguments[i], size, NULL, NULL);
    }
    LocalFree(wide);
    return arguments;
}

bool host_prepare(int *argc, char ***argv)
{
    if (!fill_standard_streams()) {
        fprintf(stderr, "cg2wg: NUL: cannot open: %s\n", strerror(errno));
        return false;
    }
    SetConsoleOutputCP(CP_UTF8);
    /* Writes messages at once; without this, wine's libc keeps those of fwrite to the end. */
    setvbuf(stderr, NULL, _IONBF, 0);
    *argv = arguments_in_utf8(argc);
    return true;
}

size_t host_columns(int fd)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info))
        return USUAL_COLUMNS;
    return (size_t)(info.srWindow.Right - info.srWindow.Left) + 1;
}

size_t host_lines(int fd)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    bool is_known = GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info);
    return is_known ? (size_t)(info.srWindow.Bottom - info.srWindow.Top) + 1 : 0;
}

bool host_is_in_background(void)
{
    return false;
}
