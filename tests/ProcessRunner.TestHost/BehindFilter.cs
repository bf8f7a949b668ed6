using System;
using System.ComponentModel;

namespace ProcessRunner.TestHost;

/// <summary>
/// Executes another program behind a filter that hides a system call from its first instruction on, as in a container:
/// <c>CALL ERROR PROGRAM [ARGUMENT...]</c>.
/// </summary>
internal sealed class BehindFilter : IScenario
{
    public string Name => "behind-filter";

    public void Play(string[] arguments)
    {
        SystemCallFilter.Hide(
            arguments[0] switch
            {
                "pidfd_send_signal" => 424,
                "pidfd_open" => 434,
                "clone3" => 435,
                "close_range" => 436,
                string other => throw new ArgumentException($"'{other}' is not known here."),
            },
            arguments[1] == "EPERM" ? SystemCallFilter.EPERM : SystemCallFilter.ENOSYS);
        _ = NativeMethods.Execute(arguments[2], [.. arguments[2..], null]);
        throw new Win32Exception();
    }
}
