/*
 * The quick child of the tests: the words of ProcessRunner.TestChild that tests of speed and of crowds need, in a
 * program that starts in a millisecond. It runs on every system that has a C compiler for it. Exit codes as there: 1 if
 * a word failed, 2 for a wrong command line, 3 if a standard stream is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quick-child-system.h"

enum { CHUNK = 65536 };

static char chunk[CHUNK];

static void put(int stream, const char *bytes, size_t count)
{
    while (count > 0)
    {
        int written = (int)write(stream, bytes, (unsigned)count);
        if (written < 0 && errno == EINTR)
        {
            continue;
        }

        if (written < 0)
        {
            exit(3);
        }

        bytes += written;
        count -= (size_t)written;
    }
}

static int get(int stream, char *bytes, size_t count)
{
    int got;
    do
    {
        got = (int)read(stream, bytes, (unsigned)count);
    } while (got < 0 && errno == EINTR);
    return got;
}

static void put_line(int stream, const char *text)
{
    put(stream, chunk, (size_t)snprintf(chunk, CHUNK, "%s\n", text));
}

static void put_number(int stream, const char *prefix, long long number)
{
    put(stream, chunk, (size_t)snprintf(chunk, CHUNK, "%s%lld\n", prefix, number));
}

/* FillText.cs describes the text. */
static void fill(int stream, long long count)
{
    long long block = 0;
    while (count > 0)
    {
        size_t length = 0;
        while (length < CHUNK)
        {
            uint64_t value = ((uint64_t)block + 1) * 0x9E3779B97F4A7C15u;
            value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
            value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
            value ^= value >> 31;
            value = (value & 0x3F3F3F3F3F3F3F3Fu) + 0x3030303030303030u;
            for (int i = 0; i < 8; i++)
            {
                chunk[length + (size_t)i] = (char)(value >> (8 * i));
            }

            if (block % 10 == 9)
            {
                chunk[length + 7] = '\n';
            }

            block++;
            length += 8;
        }

        length = count < CHUNK ? (size_t)count : CHUNK;
        put(stream, chunk, length);
        count -= (long long)length;
    }
}

/* The numbers from first to last, a line each, but not more than so many bytes. */
static void numbers(int stream, long long first, long long last, long long bytes)
{
    size_t length = 0;
    for (long long number = first; number <= last && bytes > 0; number++)
    {
        int line = snprintf(chunk + length, 32, "%lld\n", number);
        line = line < bytes ? line : (int)bytes;
        bytes -= line;
        length += (size_t)line;
        if (length > CHUNK - 64)
        {
            put(stream, chunk, length);
            length = 0;
        }
    }

    put(stream, chunk, length);
}

/* So many bytes of the same text again and again; with no text, of NUL bytes. */
static void repeat(int stream, const char *text, long long bytes)
{
    size_t length = *text == '\0' ? 1 : strlen(text);
    size_t filled = 0;
    for (; filled + length <= CHUNK; filled += length)
    {
        memcpy(chunk + filled, text, length);
    }

    while (bytes > 0)
    {
        size_t count = bytes < (long long)filled ? (size_t)bytes : filled;
        put(stream, chunk, count);
        bytes -= (long long)count;
    }
}

static void copy(int from, int to)
{
    int count;
    while ((count = get(from, chunk, CHUNK)) > 0)
    {
        put(to, chunk, (size_t)count);
    }
}

static void copy_file(const char *file, int to)
{
    int from = open(file, O_RDONLY | O_BINARY);
    if (from < 0)
    {
        fail("cat");
    }

    copy(from, to);
    close(from);
}

static long long input_length(void)
{
    long long total = 0;
    int count;
    while ((count = get(0, chunk, CHUNK)) > 0)
    {
        total += count;
    }

    return total;
}

static void read_input(long long bytes)
{
    while (bytes > 0)
    {
        int count = get(0, chunk, bytes < CHUNK ? (size_t)bytes : CHUNK);
        if (count <= 0)
        {
            fail("stdin-read");
        }

        bytes -= count;
    }
}

static void read_line(void)
{
    char byte;
    do
    {
        if (get(0, &byte, 1) <= 0)
        {
            fail("stdin-line");
        }
    } while (byte != '\n');
}

static void answer(const char *text)
{
    char line[4096];
    size_t length = (size_t)snprintf(line, sizeof line, "%s", text);
    do
    {
        if (length == sizeof line || get(0, line + length, 1) <= 0)
        {
            fail("answer");
        }
    } while (line[length++] != '\n');

    put(1, line, length);
}

static void copy_to_both(void)
{
    int count;
    while ((count = get(0, chunk, CHUNK)) > 0)
    {
        put(1, chunk, (size_t)count);
        put(2, chunk, (size_t)count);
    }
}

static void put_hexadecimal(const char *digits)
{
    unsigned byte;
    for (; sscanf(digits, "%2x", &byte) == 1; digits += 2)
    {
        char one = (char)byte;
        put(1, &one, 1);
    }
}

static void touch(const char *file)
{
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.%d", file, getpid());
    FILE *stream = fopen(temporary, "wb");
    if (stream == NULL || fprintf(stream, "%d\n", getpid()) < 0 || fclose(stream) != 0
        || replace_file(temporary, file) != 0)
    {
        fail("touch");
    }
}

static void wait_file(const char *file)
{
    FILE *stream;
    while ((stream = fopen(file, "rb")) == NULL)
    {
        sleep_for(10);
    }

    fclose(stream);
}

static void put_environment(void)
{
    for (char **variable = environment(); *variable != NULL; variable++)
    {
        put(1, *variable, strlen(*variable) + 1);
    }
}

static long long number(const char *text)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (*text == '\0' || *end != '\0')
    {
        fprintf(stderr, "quick-child: '%s' is no number\n", text);
        exit(2);
    }

    return value;
}

/* Takes the values of a word, and ends the program if there are too few. */
static int take(int count, char **arguments, int *position, const char **values, int amount)
{
    for (int i = 0; i < amount; i++)
    {
        if (++*position == count)
        {
            fprintf(stderr, "quick-child: a word lacks a value\n");
            exit(2);
        }

        values[i] = arguments[*position];
    }

    return 1;
}

static int run(int count, char **arguments)
{
    int last = count;
    for (int i = 1; i < last; i++)
    {
        const char *word = arguments[i];
        const char *values[2] = { "", "" };

#define IS(name, amount) (strcmp(word, name) == 0 && take(count, arguments, &i, values, amount))
        if (IS("echo", 1)) put_line(1, values[0]);
        else if (IS("err", 1)) put_line(2, values[0]);
        else if (IS("print", 1)) put(1, values[0], strlen(values[0]));
        else if (IS("print-err", 1)) put(2, values[0], strlen(values[0]));
        else if (IS("fill", 1)) fill(1, number(values[0]));
        else if (IS("fill-err", 1)) fill(2, number(values[0]));
        else if (IS("seq", 2)) numbers(1, number(values[0]), number(values[1]), INT64_MAX);
        else if (IS("seq-err", 2)) numbers(2, number(values[0]), number(values[1]), INT64_MAX);
        else if (IS("numbers", 2)) numbers(1, number(values[0]), INT64_MAX, number(values[1]));
        else if (IS("numbers-err", 2)) numbers(2, number(values[0]), INT64_MAX, number(values[1]));
        else if (IS("zeros", 1)) repeat(1, "", number(values[0]));
        else if (IS("repeat", 2)) repeat(1, values[0], number(values[1]));
        else if (IS("repeat-err", 2)) repeat(2, values[0], number(values[1]));
        else if (IS("yes", 0)) repeat(1, "y\n", INT64_MAX);
        else if (IS("yes-err", 0)) repeat(2, "y\n", INT64_MAX);
        else if (IS("cat", 1)) copy_file(values[0], 1);
        else if (IS("cat-err", 1)) copy_file(values[0], 2);
        else if (IS("sleep", 1)) sleep_for((long)number(values[0]));
        else if (IS("return", 1)) exit((int)number(values[0]));
        else if (IS("stdin", 0)) copy(0, 1);
        else if (IS("stdin-err", 0)) copy(0, 2);
        else if (IS("stdin-length", 0)) put_number(1, "", input_length());
        else if (IS("stdin-read", 1)) read_input(number(values[0]));
        else if (IS("stdin-line", 0)) read_line();
        else if (IS("answer", 1)) answer(values[0]);
        else if (IS("tee", 0)) copy_to_both();
        else if (IS("print-hex", 1)) put_hexadecimal(values[0]);
        else if (IS("spawn", 0)) i = spawn(count, arguments, i, &last);
        else if (IS("env-0", 0)) put_environment();
        else if (IS("wait", 0)) wait_children();
        else if (IS("pid", 0)) put_number(1, "", getpid());
        else if (IS("own-name", 0)) put_line(1, arguments[0]);
        else if (IS("touch", 1)) touch(values[0]);
        else if (IS("wait-file", 1)) wait_file(values[0]);
        else if (IS("tick", 2))
        {
            for (long long n = 0; n < number(values[0]); n++)
            {
                sleep_for(n > 0 ? (long)number(values[1]) : 0);
                put_number(1, "tick ", n);
            }
        }
        else if (IS("alternate", 1))
        {
            for (long long n = 0; n < number(values[0]); n++)
            {
                put_number(1, "o", n);
                put_number(2, "e", n);
            }
        }
        else if (IS("write-forever", 1))
        {
            for (long long n = 0;; n++)
            {
                put_number(1, "line ", n);
                sleep_for((long)number(values[0]));
            }
        }
        else
        {
            fprintf(stderr, "quick-child: unknown word '%s'\n", word);
            return 2;
        }
    }

    return 0;
}

#ifdef _WIN32
/* The words are UTF-8, as on other systems, whatever the code page is. Names of files must be ASCII. */
int wmain(int count, wchar_t **wide)
{
    char **arguments = calloc((size_t)count + 1, sizeof *arguments);
    for (int i = 0; i < count; i++)
    {
        arguments[i] = utf8(wide[i]);
    }

    _setmode(0, O_BINARY);
    _setmode(1, O_BINARY);
    _setmode(2, O_BINARY);
    return run(count, arguments);
}
#else
int main(int count, char **arguments) { return run(count, arguments); }
#endif
