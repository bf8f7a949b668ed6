using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Readme;

/// <summary>Contains the examples of README.md: every region here is a block there, word for word.</summary>
[OnlyOn(Systems.Unix, "the examples run programs of Unix")]
public sealed class ReadmeExamples
{
    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task OneCall_RunsAndCaptures()
    {
        using CancellationTokenSource source = new(TimeSpan.FromMinutes(1));
        CancellationToken cancellationToken = source.Token;

        #region one-call
        ProcessResult listing = new ProcessCommand("ls", "-l", "/").Run();
        Console.WriteLine(listing.StandardOutput.Text);
        Console.WriteLine($"{listing.ExitCode} after {listing.RunTime}");

        ProcessResult again = await listing.Command.RunAsync(cancellationToken);
        #endregion

        listing.IsSuccess.Should().BeTrue();
        listing.StandardOutput.Text.Should().Contain("usr");
        again.StandardOutput.Lines().Should().HaveSameCount(listing.StandardOutput.Lines());
    }

    [Fact]
    public void RunAndWait_UnderParallelForEach_CaptureEveryListing()
    {
        List<string> listings = [];
        void Report(string directory, string text)
        {
            lock (listings)
            {
                listings.Add($"{directory}: {text}");
            }
        }

        Guard.Run(() =>
        {
            #region run-wait
            string[] directories = ["/", "/etc", "/usr", "/tmp"];
            Parallel.ForEach(directories, directory =>
            {
                using ProcessExecutor executor = new("list", "ls");     // a name for people, a program
                executor.Run("-l", directory);                          // the child runs, its pipes drain from now on
                if (executor.Wait(TimeSpan.FromSeconds(30)))
                {
                    Report(directory, executor.Result.StandardOutput.Text);
                }
                else                                                    // the limit passed: its group was killed,
                {                                                       // what it had written is kept
                    Report(directory, $"{executor.Result.Outcome}");
                }
            });
            #endregion
        });

        listings.Should().HaveCount(4).And.NotContain(text => text.EndsWith("TimedOut"));
    }

    [Fact]
    public void WaitAll_ManyRuns_EndTogether() => Guard.Run(() =>
    {
        #region wait-all
        ProcessCommand sleep = new("sleep", "0.2") { Timeout = TimeSpan.FromSeconds(30) };
        ProcessExecutor[] executors = [.. Enumerable.Range(1, 200).Select(n => new ProcessExecutor($"no. {n}", sleep))];
        Array.ForEach(executors, executor => executor.Run());
        bool allInTime = ProcessExecutor.WaitAll(executors, TimeSpan.FromSeconds(60));
        #endregion

        allInTime.Should().BeTrue();
        executors.Should().OnlyContain(executor => executor.Result.IsSuccess);
    });

    [Theory]
    [InlineData("echo fine", "fine")]
    [InlineData("echo no such thing >&2; exit 3", "*exit code 3*no such thing")]
    public async Task Errors_OfAShell_AreReported(string script, string expected) =>
        (await ReportOf(new ProcessCommand("sh", "-c", script), s_long)).TrimEnd().Should().Match(expected);

    [Fact]
    public void Errors_OfAShellThatTakesTooLong_AreReported() => Guard.Run(() => LongerLimits.Until(limit =>
        ReportOf(new ProcessCommand("sh", "-c", "echo begun; sleep 600"), limit).GetAwaiter().GetResult()
            .Should().Match("canceled after begun*")));

    [Fact]
    public async Task Errors_OfAMissingProgram_AreReported() =>
        (await ReportOf(new ProcessCommand("no-such-program"), s_long)).Should()
            .StartWith("NotFound: Cannot start 'no-such-program':");

    private static async Task<string> ReportOf(ProcessCommand command, TimeSpan limit)
    {
        string report = "";
        void Report(string text) => report = text;

        using CancellationTokenSource source = new(limit);
        CancellationToken cancellationToken = source.Token;

        #region errors
        try
        {
            ProcessResult result = await command.RunAsync(cancellationToken);
            Report(result.EnsureSuccess().StandardOutput.Text);
        }
        catch (ProcessStartException exception)
        {
            Report($"{exception.Step}: {exception.Message}");           // NotFound: Cannot start 'no-such-program': …
        }
        catch (ExitCodeException exception)
        {
            Report(exception.Message);                                  // command, outcome, code, the end of stderr
        }
        catch (OperationCanceledException exception)                    // the child is gone; its output is kept
        {
            Report($"canceled after {ProcessResult.Of(exception)?.StandardOutput}");
        }
        #endregion

        return report;
    }
}
