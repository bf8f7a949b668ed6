using System;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Backends.Windows;

/// <summary>
/// Represents a client of the jobserver of GNU make on Windows ("Windows Jobserver" in its manual): a named semaphore
/// that counts the jobs that may run beside the first.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class JobserverSemaphore : JobTokens
{
    private readonly Semaphore _semaphore;
    private int _held;

    private JobserverSemaphore(string name) => _semaphore = Semaphore.OpenExisting(name);

    public override int Held => _held;

    /// <summary>Connects to the jobserver that MAKEFLAGS names.</summary>
    /// <returns>Null if MAKEFLAGS names none, or it cannot be opened.</returns>
    public static JobserverSemaphore? Open()
    {
        string? name = MakeFlags.ValueOf(MakeFlags.Current, "--jobserver-auth=");
        return string.IsNullOrEmpty(name) ? null : TryOpen(name);
    }

    public override bool TryTake()
    {
        bool isTaken = false;
        Uninterruptible.Do(_semaphore, semaphore => isTaken = semaphore.WaitOne(0));
        _held += isTaken ? 1 : 0;
        return isTaken;
    }

    public override bool TryReturn()
    {
        _held--;
        try
        {
            _semaphore.Release();
        }
        catch (SemaphoreFullException)
        {
            // Another client has returned more than it took.
        }

        return true;
    }

    public override void Dispose()
    {
        while (_held > 0)
        {
            TryReturn();
        }

        _semaphore.Dispose();
    }

    private static JobserverSemaphore? TryOpen(string name)
    {
        try
        {
            return new JobserverSemaphore(name);
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException
            or IOException or ArgumentException or WaitHandleCannotBeOpenedException)
        {
            return null;
        }
    }
}
