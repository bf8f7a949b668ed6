using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using PTest.Hosts;
using Xunit;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Verifies by which tests the host knows the processes that live on.</summary>
[Collection(Quiet.Name)]
[OnlyOn(Systems.Linux, "the process table")]
public sealed class LeftProcessesTests
{
    private const int Rounds = 1000;
    private const int FewestRounds = 100;
    private const int LooksAfterTheEnd = 500;

    private static readonly TimeSpan s_enough = TimeSpan.FromMinutes(1);

    // The shell ends while the host looks. A look between its last child and its end took it for a stranger's.
    [Fact]
    public void ChildOfAShellThatEndsDuringALook_BelongsToTheTestThatStartedTheShell() => Guard.Run(() =>
    {
        using TemporaryFolder folder = new();
        string mark = Guid.NewGuid().ToString("n");
        Stopwatch watch = Stopwatch.StartNew();
        for (int round = 0; round < Rounds && (round < FewestRounds || watch.Elapsed < s_enough); round++)
        {
            string file = folder.File(round.ToString(CultureInfo.InvariantCulture));
            int shell = Play(file, mark);
            JsonElement[] children = [.. Left(file, shell)];
            foreach (string id in children.Select(child => Of(child, "process")).Distinct())
            {
                using Process child = Process.GetProcessById(int.Parse(id, CultureInfo.InvariantCulture));
                child.Kill();
            }

            children.Should().NotBeEmpty($"round {round}");
            children.Should().OnlyContain(
                child => Of(child, "owners").Split(' ', StringSplitOptions.None).Contains("first"), $"round {round}");
        }
    });

    private static string Of(JsonElement happening, string field) => happening.GetProperty(field).GetString()!;

    private static int Play(string file, string mark)
    {
        using EventWriter events = new(file);
        ProcessStartInfo start = new("sh", ["-c", "setsid sleep 1000.0625 &"]);
        start.Environment[ProcessFacts.MarkVariable] = mark;
        LeftProcesses left = Marked(events, mark);
        left.OnStarted("first");
        using Process shell = Process.Start(start)!;
        left.OnEnded("first", "first");

        // The looks after the end see what was in the middle of its start.
        for (int after = 0; after < LooksAfterTheEnd && !Left(file, shell.Id).Any(); after += shell.HasExited ? 1 : 0)
        {
            left.OnStarted("second");
            left.OnEnded("second", "second");
        }

        return shell.Id;
    }

    // The host reads the mark from its own environment once.
    private static LeftProcesses Marked(EventWriter events, string mark)
    {
        Environment.SetEnvironmentVariable(ProcessFacts.MarkVariable, mark);
        try
        {
            return new LeftProcesses(events);
        }
        finally
        {
            Environment.SetEnvironmentVariable(ProcessFacts.MarkVariable, null);
        }
    }

    private static IEnumerable<JsonElement> Left(string file, int shell) => File.ReadLines(file)
        .Select(line => JsonDocument.Parse(line).RootElement)
        .Where(happening => Of(happening, "event") == "left" && Of(happening, "process") != $"{shell}");
}
