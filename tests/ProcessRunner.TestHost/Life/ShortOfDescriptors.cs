using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace ProcessRunner.TestHost.Life;

/// <summary>
/// Verifies a host that lacks descriptors for a moment: a start waits until some are free. If none become free, the
/// error says so, and says that the same start may succeed later.
/// </summary>
internal sealed class ShortOfDescriptors : IScenario
{
    private const int EMFILE = 24;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    public string Name => "short-of-descriptors";

    public void Play(string[] arguments)
    {
        ProcessCommand command = new("/bin/sh", "-c", "exit 3");
        Expect.Equal(3, command.Run().ExitCode, "exit code before");

        // All code that is used below must be loaded first, because loading takes descriptors as well.
        FailureOf(new ProcessCommand("/does/not/exist"));
        GiveBack(TakeAll(most: 1));
        ProcessResult? result = null;
        long begin = Stopwatch.GetTimestamp();
        while (result is not { StartAttempts: > 1 } && Stopwatch.GetElapsedTime(begin) < s_patience)
        {
            result = RunWithoutDescriptors(command);
        }

        Expect.Equal(3, result?.ExitCode, "exit code of the start that waited");
        Expect.True(result?.StartAttempts > 1, $"it took several attempts: {result?.StartAttempts}");
        Expect.Equal(1, command.Run().StartAttempts, "attempts after");
    }

    // On a busy machine, the descriptors may come back before the first attempt or after the last one; the latter gives
    // null. Then another round decides.
    private static ProcessResult? RunWithoutDescriptors(ProcessCommand command)
    {
        using ManualResetEventSlim isWaiting = new();
        List<SafeFileHandle> taken = [];
        Thread giver = new(() =>
        {
            isWaiting.Wait();
            Thread.Sleep(100);
            GiveBack(taken);
        })
        {
            IsBackground = true,
        };
        giver.Start();
        ulong before = NativeMethods.SetDescriptorLimit(OpenDescriptors.Highest + 20);
        taken = TakeAll();
        try
        {
            ExpectOutOfDescriptors(FailureOf(command));
            isWaiting.Set();
            return command.Run();
        }
        catch (ProcessStartException failure)
        {
            ExpectOutOfDescriptors(failure);
            return null;
        }
        finally
        {
            isWaiting.Set();
            giver.Join();
            NativeMethods.SetDescriptorLimit(before);
        }
    }

    private static void ExpectOutOfDescriptors(ProcessStartException? failure)
    {
        Expect.Equal(ProcessStartStep.OutOfDescriptors, failure?.Step, "step");
        Expect.Equal(EMFILE, failure?.NativeErrorCode, "errno");
        Expect.Equal(true, failure?.IsTransient, "that it is transient");
    }

    /// <summary>Returns the descriptors.</summary>
    public static void GiveBack(List<SafeFileHandle> taken) => taken.ForEach(handle => handle.Dispose());

    /// <summary>Takes every free descriptor.</summary>
    public static List<SafeFileHandle> TakeAll(int most = int.MaxValue)
    {
        List<SafeFileHandle> taken = [];
        try
        {
            while (taken.Count < most)
            {
                taken.Add(File.OpenHandle("/dev/null"));
            }
        }
        catch (IOException)
        {
            // The error is EMFILE, as intended.
        }

        return taken;
    }

    /// <summary>Gets the exception of a start that fails, or null.</summary>
    public static ProcessStartException? FailureOf(ProcessCommand command, ProcessEngine? engine = null)
    {
        try
        {
            command.Run(engine ?? ProcessEngine.Shared);
            return null;
        }
        catch (ProcessStartException exception)
        {
            return exception;
        }
    }
}
