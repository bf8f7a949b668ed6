using System;
using FluentAssertions;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;

namespace ProcessRunner.Tests.Life;

/// <summary>
/// Represents a program whose file is open for writing, so that it cannot be started until it is freed (ETXTBSY,
/// execve(2)).
/// </summary>
internal sealed class BusyProgram : IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private int _descriptor;

    public BusyProgram(string script)
    {
        string file = _directory.Program("program", script);
        Command = new ProcessCommand(file);
        _descriptor = NativeMethods.Open(file, NativeMethods.O_WRONLY | NativeMethods.O_CLOEXEC);
        _descriptor.Should().BeGreaterThan(0);
    }

    public ProcessCommand Command { get; }

    public void Free()
    {
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
