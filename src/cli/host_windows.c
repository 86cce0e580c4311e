/* SPDX-License-Identifier: MIT */
#include "cli/host.h"

#include "util/task.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

bool host_prepare(int *argc, char ***argv)
{
    /* A closed standard stream has no descriptor, so the next file that is opened would get its number. */
    for (int fd = 0; fd < 3; fd++) {
        int filled = fd;
        if (_get_osfhandle(fd) == -1 || _get_osfhandle(fd) == -2)
            filled = _wopen(L"NUL", fd == 0 ? _O_WRONLY : _O_RDONLY);
        if (filled < 0 || (filled != fd && _dup2(filled, fd) != 0) || _setmode(fd, _O_BINARY) == -1) {
            fprintf(stderr, "cg2wg: NUL: cannot open: %s\n", strerror(errno));
            return false;
        }
        if (filled != fd)
            _close(filled);
    }
    SetConsoleOutputCP(CP_UTF8);
    /* Writes messages at once; without this, wine's libc keeps those of fwrite to the end. */
    setvbuf(stderr, NULL, _IONBF, 0);

    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), argc);
    if (wide == NULL)
        task_out_of_memory();
    *argv = memory_zeroed((size_t)*argc + 1, sizeof **argv);
    for (int i = 0; i < *argc; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        (*argv)[i] = memory_zeroed((size_t)size + 1, 1);
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, (*argv)[i], size, NULL, NULL);
    }
    LocalFree(wide);
    return true;
}

size_t host_width(int fd, size_t *height)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    bool is_known = GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info);
    if (height != NULL)
        *height = is_known ? (size_t)(info.srWindow.Bottom - info.srWindow.Top) + 1 : 0;
    return is_known ? (size_t)(info.srWindow.Right - info.srWindow.Left) + 1 : USUAL_WIDTH;
}

bool host_is_in_background(void)
{
    return false;
}
