/* Something to sample: recursion, two libraries at one address, threads, a child, and a child that execs. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS 30000000L

__attribute__((noinline)) long spin(long steps)
{
    volatile long sum = 0;
    for (long i = 0; i < steps; i++)
        sum += i * i;
    return sum;
}

__attribute__((noinline)) long fold(long depth)
{
    return depth == 0 ? spin(STEPS) : fold(depth - 1) + 1;
}

__attribute__((noinline)) static void *work(void *steps)
{
    return spin((long)steps) > 0 ? NULL : steps;
}

__attribute__((noinline)) long call(const char *library, const char *function)
{
    void *handle = dlopen(library, RTLD_NOW);
    long (*f)(long) = handle != NULL ? (long (*)(long))dlsym(handle, function) : NULL;
    long sum = f != NULL ? f(STEPS) : 0;
    if (handle != NULL)
        dlclose(handle);
    return sum;
}

__attribute__((noinline)) long touch(long pages)
{
    char *memory = malloc((size_t)pages * 4096);
    for (long i = 0; i < pages; i++)
        memory[i * 4096] = 1;
    long sum = memory[4096];
    free(memory);
    return sum;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    long sum = 0;
    if (argc > 1)
        return (int)(spin(STEPS) & 1);
    for (int i = 0; i < 2; i++)
        sum += call("./libone.so", "one") + call("./libtwo.so", "two");
    sum += fold(5) + touch(300);
    for (int i = 0; i < 2; i++) {
        if (fork() != 0)
            continue;
        if (i == 0)
            execl(argv[0], argv[0], "child", (char *)NULL);
        _exit((int)(spin(STEPS) & 1));
    }
    pthread_create(&thread, NULL, work, (void *)STEPS);
    sum += spin(STEPS);
    pthread_join(thread, NULL);
    while (wait(NULL) > 0)
        continue;
    return (int)(sum & 1);
}
