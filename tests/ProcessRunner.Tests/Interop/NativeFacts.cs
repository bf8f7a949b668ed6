using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using ProcessRunner.Tests.Support;

namespace ProcessRunner.Tests.Interop;

/// <summary>Asks the machine's own C compiler for names, sizes and offsets.</summary>
internal static class NativeFacts
{
    private static readonly string[] s_headers =
    [
        "stdio.h", "stddef.h", "errno.h", "fcntl.h", "poll.h", "signal.h", "spawn.h", "unistd.h", "sys/epoll.h",
        "sys/eventfd.h",
        "sys/ioctl.h", "sys/resource.h", "sys/syscall.h", "sys/uio.h", "sys/wait.h", "sys/mman.h", "sys/prctl.h",
        "sys/stat.h", "sched.h",
    ];

    /// <summary>Gets whether the machine has a C compiler.</summary>
    public static bool CanAsk { get; } = Environment.GetEnvironmentVariable("PATH") is string path
        && path.Split(':').Any(directory => File.Exists(Path.Combine(directory, "cc")));

    /// <summary>
    /// Gets the values of C expressions. Omits a name that is newer than the headers of this C library and therefore
    /// undefined.
    /// </summary>
    public static IReadOnlyDictionary<string, long> Ask(IEnumerable<string> expressions)
    {
        using TemporaryDirectory directory = new();
        string source = directory.File("facts.c", Program(expressions));
        string program = directory.At("facts");
        new ProcessCommand("cc", "-o", program, source).Run().EnsureSuccess();
        return new ProcessCommand(program).Run().EnsureSuccess().StandardOutput.Lines()
            .Select(line => line.Split('\t'))
            .ToDictionary(fields => fields[0], fields => long.Parse(fields[1], CultureInfo.InvariantCulture));
    }

    private static string Program(IEnumerable<string> expressions)
    {
        IEnumerable<string> includes = s_headers.Select(header => $"#include <{header}>");
        return $$"""
            #define _GNU_SOURCE
            {{string.Join('\n', includes)}}
            #ifndef P_PIDFD
            #define P_PIDFD 3
            #endif
            int main(void)
            {
            {{string.Join('\n', expressions.Select(Print))}}
                return 0;
            }
            """;
    }

    // The preprocessor can test a macro; an enumerator cannot be tested and is written as an expression.
    private static string Print(string expression)
    {
        string print = $"printf(\"%s\\t%lld\\n\", \"{expression}\", (long long)({expression}));";
        bool isMacro = expression.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
        return isMacro ? $"#ifdef {expression}\n{print}\n#endif" : print;
    }
}
