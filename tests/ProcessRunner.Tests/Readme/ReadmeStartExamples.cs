using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>
/// Contains the examples of the documents about starts and stops: every region here is a block there, word for word.
/// </summary>
[OnlyOn(Systems.Unix, "the examples run programs of Unix")]
public sealed class ReadmeStartExamples
{
    [Fact]
    [OnlyOn(Systems.Linux, "nice values, limits and users of Linux")]
    [NativeBackend("the portable backend has no such settings")]
    public void Settings_AreThoseOfTheChild() => Guard.Run(() =>
    {
        #region settings
        ProcessCommand worker = new ProcessCommand("sh", "-c", "ulimit -n; umask")
        {
            ArgumentZero = "worker",                                            // what ps shows
            Nice = 10,                                                          // behind everything else
            Processors = [0],
            FileModeMask = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite,   // umask 022
        }.WithLimit(LimitedResource.OpenFiles, new ResourceLimit(soft: 256, hard: 512));
        #endregion

        worker.Run().StandardOutput.Lines().Should().Equal("256", "0022");
    });

    [Fact]
    public void Shell_NeverParsesAnArgument() => Guard.Run(() =>
    {
        string directory = Directory.CreateTempSubdirectory("a; echo b ").FullName;
        try
        {
            #region shell-line
            ProcessCommand count = new("sh", "-c", "ls -A \"$1\" | wc -l", "sh", directory);   // $1 is never parsed
            #endregion

            count.Run().EnsureSuccess().StandardOutput.Text.Trim().Should().Be("0");
        }
        finally
        {
            Directory.Delete(directory);
        }
    });

    [Fact]
    public void Stop_TakesItsSteps() => Guard.Run(() =>
    {
        List<(int ProcessId, StopCause Cause)> dumps = [];
        void Dump(int processId, StopCause cause) => dumps.Add((processId, cause));

        #region stop-steps
        ProcessCommand server = new("sleep", "1000")
        {
            StopSignal = PosixSignal.SIGINT,            // first a polite one
            StopGrace = TimeSpan.FromSeconds(2),
            FurtherStops = [new StopStep(PosixSignal.SIGTERM, TimeSpan.FromSeconds(5))],    // SIGKILL 7 seconds later
            BeforeStop = notice => Dump(notice.ProcessId, notice.Cause),
            BeforeStopLimit = TimeSpan.FromSeconds(30),
        };
        #endregion

        using ChildProcess child = server.Start();
        ProcessResult result = child.Stop();
        dumps.Should().Equal((result.ProcessId, StopCause.Request));
    });
}
