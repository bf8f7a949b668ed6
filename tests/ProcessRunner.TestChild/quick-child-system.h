/* What the quick child needs of its operating system. */
#ifdef _WIN32
#include <io.h>
#include <windows.h>
#define getpid() ((int)GetCurrentProcessId())
enum { MOST_CHILDREN = 16 };
static HANDLE child_handles[MOST_CHILDREN];
static int children;
#define replace_file(from, to) (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) ? 0 : -1)
static void sleep_for(long milliseconds) { Sleep((DWORD)milliseconds); }

static char *utf8(const wchar_t *text)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *bytes = malloc((size_t)size);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, NULL, NULL);
    return bytes;
}

static char **environment(void)
{
    static char *variables[4096];
    int count = 0;
    for (const wchar_t *variable = GetEnvironmentStringsW(); *variable != 0; variable += wcslen(variable) + 1)
    {
        variables[count++] = utf8(variable);
    }

    return variables;
}
#else
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define O_BINARY 0
extern char **environ;
static char **environment(void) { return environ; }
#define replace_file(from, to) rename(from, to)
static void sleep_for(long milliseconds)
{
    struct timespec left = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
    {
    }
}
#endif

static void fail(const char *word)
{
    fprintf(stderr, "quick-child: '%s' failed\n", word);
    exit(1);
}

/*
 * Starts a child with the words up to the matching "end", and the same streams. Returns the position of that "end". On
 * Unix the child is a copy of this process, which goes on with those words.
 */
static int spawn(int count, char **arguments, int position, int *last)
{
    int depth = 1;
    int end = position;
    while (++end < count)
    {
        depth += strcmp(arguments[end], "spawn") == 0;
        depth -= strcmp(arguments[end], "end") == 0;
        if (depth == 0)
        {
            break;
        }
    }

    if (end == count)
    {
        fprintf(stderr, "quick-child: 'spawn' has no matching 'end'\n");
        exit(2);
    }

#ifdef _WIN32
    if (children == MOST_CHILDREN)
    {
        fail("spawn");
    }

    static char line[32768];
    char program[4096];
    size_t length = 0;
    GetModuleFileNameA(NULL, program, sizeof program);
    length += (size_t)snprintf(line, sizeof line, "\"%s\"", program);
    for (int i = position + 1; i < end; i++)
    {
        length += (size_t)snprintf(line + length, sizeof line - length, " \"%s\"", arguments[i]);
    }

    STARTUPINFOA startup = { .cb = sizeof startup };
    PROCESS_INFORMATION process;
    if (!CreateProcessA(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process))
    {
        fail("spawn");
    }

    CloseHandle(process.hThread);
    child_handles[children++] = process.hProcess;
    (void)last;
    return end;
#else
    int child = fork();
    if (child < 0)
    {
        fail("spawn");
    }

    *last = child == 0 ? end : *last;
    return child == 0 ? position : end;
#endif
}

/* Waits for all that spawn has started. */
static void wait_children(void)
{
#ifdef _WIN32
    while (children > 0)
    {
        WaitForSingleObject(child_handles[--children], INFINITE);
    }
#else
    while (wait(NULL) > 0 || errno == EINTR)
    {
    }
#endif
}
