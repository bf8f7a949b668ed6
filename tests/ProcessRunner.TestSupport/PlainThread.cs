using System;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Runs a part of a test on a plain thread. An exception there would end the process of all tests: it waits for
/// <see cref="Join"/>, which throws it.
/// </summary>
public sealed class PlainThread
{
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    private PlainThread(Action body) => _thread = new Thread(() =>
    {
        try
        {
            body();
        }
        catch (Exception exception)
        {
            _failure = ExceptionDispatchInfo.Capture(exception);
        }
    })
    {
        IsBackground = true,
    };

    /// <summary>Starts a thread.</summary>
    public static PlainThread Run(Action body)
    {
        PlainThread thread = new(body);
        thread._thread.Start();
        return thread;
    }

    /// <summary>Waits until all threads have ended, and throws what the first that failed has thrown.</summary>
    public static void JoinAll(params PlainThread[] threads)
    {
        // None of them may go on while the test cleans up.
        Array.ForEach(threads, thread => thread._thread.Join());
        Array.ForEach(threads, thread => thread._failure?.Throw());
    }

    /// <summary>Waits until the thread has ended, and throws what it has thrown.</summary>
    public void Join() => JoinAll(this);
}
