using System;
using System.IO;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Represents a program whose file is open for writing, so that it cannot be started until it is freed (ETXTBSY,
/// execve(2); on Windows, a sharing violation). Its exit code is 7.
/// </summary>
internal sealed class BusyProgram : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private readonly FileStream? _stream;
    private int _descriptor;

    public BusyProgram()
    {
        if (OperatingSystem.IsWindows())
        {
            string copy = _directory.At("program.exe");
            File.Copy(Path.Combine(Environment.SystemDirectory, "cmd.exe"), copy);
            Command = new ProcessCommand(copy, "/d", "/c", "exit 7");
            _stream = new FileStream(copy, FileMode.Open, FileAccess.Write);
            return;
        }

        string file = _directory.Program("program", "#!/bin/sh\nexit 7\n");
        Command = new ProcessCommand(file);
        _descriptor = NativeMethods.Open(file, NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);
        _descriptor.Should().BeGreaterThan(0);
    }

    public ProcessCommand Command { get; }

    public void Free()
    {
        _stream?.Dispose();
        if (_descriptor > 0)
        {
            _ = NativeMethods.Close(_descriptor);
            _descriptor = 0;
        }
    }

    public void Dispose()
    {
        Free();
        _directory.Dispose();
    }
}
