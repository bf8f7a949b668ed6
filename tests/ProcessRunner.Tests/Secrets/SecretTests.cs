using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using FluentAssertions;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Secrets;

/// <summary>Verifies, for every road by which a text leaves the library, that it shows no secret.</summary>
[OnlyOn(Systems.Unix, "programs of Unix are the children")]
public sealed class SecretTests : IDisposable
{
    private const string Word = "hush";

    private readonly ProcessEngine _engine;
    private readonly List<string> _traced = [];

    public SecretTests() => _engine = new ProcessEngine(new ProcessEngineOptions
    {
        Secrets = ["quiet"],
        Trace = _traced.Add,
    });

    public void Dispose() => _engine.Dispose();

    [Fact]
    public void Argument_MarkedAsSecret_ReachesTheChildAndNoText() => Guard.Run(() =>
    {
        ProcessCommand command = new("echo", "open", new Secret(Word));
        command.Arguments.Should().Equal("open", Word);
        ProcessResult result = command.Run(_engine);
        result.StandardOutput.Text.Trim().Should().Be($"open {Word}");
        Hides(command, result, _traced.Single());
        $"{command}".Should().Be("echo open '***'");
    });

    [Fact]
    public void Variable_MarkedAsSecret_ReachesTheChildAndNoText() => Guard.Run(() =>
    {
        ProcessCommand command = Shell("echo $TOKEN").WithEnvironment("TOKEN", new Secret(Word));
        ProcessResult result = command.Run(_engine);
        result.StandardOutput.Text.Trim().Should().Be(Word);
        _traced.Single().Should().StartWith("env 'TOKEN=***' ");
        Hides(command, result, _traced.Single());
    });

    [Fact]
    public void PartOfAnArgument_GivenByValue_IsHidden()
    {
        ProcessCommand command = new("curl", "-H", $"Authorization: {Word}, {Word}{Word}") { Secrets = [Word] };
        $"{command}".Should().Be("curl -H 'Authorization: ***, ***'");
        $"{command.WithArguments($"x{Word}y", new Secret("z"))}".Should().EndWith(" 'x***y' '***'");
        $"{command.RunBy("nice", Word)}".Should().StartWith("nice '***' curl ");
        ProcessCommand wrapped = new ProcessCommand("ssh", new Secret("one")).RunBy("sshpass", "-p", new Secret("two"));
        wrapped.Arguments.Should().Equal("-p", "two", "ssh", "one");
        $"{wrapped}".Should().Be("sshpass -p '***' ssh '***'");
        $"{command | command}".Should().NotContain(Word);
        $"{new BatchItem(command) { Group = "g" }}".Should().NotContain(Word).And.Contain("curl");
    }

    [Theory]
    [InlineData("abXcdYefg", "***g", "abXcd", "cdYef")]
    [InlineData("aaaab", "***b", "aa")]
    [InlineData("passphrase pass", "***", "pass", "phrase pass")]
    [InlineData("pass pass'word", "*** ***", "pass", "pass'word")]
    public void Secrets_ThatOverlap_LeaveNoPart(string text, string expected, params string[] secrets) =>
        new ProcessCommand("x") { Secrets = [.. secrets.Select(secret => new Secret(secret))] }.Hide(text)
            .Should().Be(expected);

    [Theory]
    [InlineData(false, "x HUSH '***'")]
    [InlineData(true, "x '***' '***'")]
    public void Case_CountsUnlessTheUserSaysOtherwise(bool ignoreCase, string expected) =>
        new ProcessCommand("x", "HUSH", "hush") { Secrets = [new Secret(Word) { IgnoreCase = ignoreCase }] }
            .ToString().Should().Be(expected);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Output_InAMessage_IsHiddenOnRequest(bool isHidden) => Guard.Run(() =>
    {
        ProcessCommand command = Shell("echo $TOKEN >&2; exit 1")
            .WithEnvironment("TOKEN", new Secret(Word) { HideInOutput = isHidden });
        ProcessResult result = command.Run();
        result.StandardError.Text.Trim().Should().Be(Word);
        Message(result).Contains(Word).Should().Be(!isHidden);
    });

    [Fact]
    public void Output_InAMessage_HidesASecretOfSeveralLines() => Guard.Run(() =>
    {
        ProcessCommand command = Shell("printf 'bad key: %s\\n' \"$KEY\" >&2; exit 1")
            .WithEnvironment("KEY", new Secret("BEGIN\nc2Vj\ncmV0\nEND") { HideInOutput = true });
        Message(command.Run()).Should().EndWith("bad key: ***");
    });

    // A message has only the end of a long output, which may begin in the middle of a secret.
    [Fact]
    public void Output_WhoseEndBeginsWithinASecret_ShowsNoPartOfIt()
    {
        string secret = new('\u00e9', 40);
        ProcessCommand command = new("x") { Secrets = [new Secret(secret) { HideInOutput = true }] };
        for (int length = ExitCodeException.ErrorBytes - 100; length < ExitCodeException.ErrorBytes + 10; length++)
        {
            string output = $"{secret}{new string('x', length)}";
            Message(new ProcessResult(command, 1, "", output)).Should().NotContain("\u00e9").And.EndWith("xx");
        }
    }

    [Theory]
    [InlineData(CapturePolicy.KeepHead)]
    [InlineData(CapturePolicy.KeepHeadAndTail)]
    public void Output_ThatWasCutWithinASecret_ShowsNoPartOfIt(CapturePolicy policy) => Guard.Run(() =>
    {
        for (int limit = 1; limit < 30; limit++)
        {
            ProcessCommand command = Shell("printf ABCDEFGHIJKLMNOPQRSTUVWXYZ12345678 >&2; exit 9") with
            {
                StandardError = OutputTarget.Capture(limit, policy),
                Secrets = [new Secret("ABCDEFGHIJKLMNOPQRSTUVWXYZ12345678") { HideInOutput = true }],
            };
            string message = Message(command.Run());
            message[message.IndexOf("error:", StringComparison.Ordinal)..].Should().NotMatchRegex("[A-Z1-8]");
        }
    });

    [Fact]
    public void SecretOfManyLines_InTheOutputOfAMessage_IsHidden() => Guard.Run(() =>
    {
        string key = string.Join('\n', Enumerable.Range(1, 30).Select(number => $"{Word}{number}"));
        ProcessCommand command = Shell("echo \"$TOKEN\" >&2; exit 1")
            .WithEnvironment("TOKEN", new Secret(key) { HideInOutput = true });
        command.Run().Invoking(result => result.EnsureSuccess()).Should().Throw<ExitCodeException>()
            .Which.Message.Should().NotContain(Word);
    });

    [Fact]
    public void Exceptions_OfEveryKind_ShowNoSecret() => Guard.Run(() =>
    {
        // Both the command's own and the engine's.
        ProcessCommand command = new("/no/such/quiet/hush", "quiet", new Secret(Word));
        Throws<ProcessStartException>(() => command.Run(_engine));
        Throws<ProcessStartException>(() => command.RunAsync(_engine).GetAwaiter().GetResult());
        Throws<ProcessStartException>(() => (command | command).Run(_engine));
        Throws<InvalidOperationException>(() => (command with { StandardInput = InputSource.Pipe }).Run(_engine));
        Throws<ProcessStartException>(
            () => (Shell("exit", new Secret(Word)) with { WorkingDirectory = "/no/hush/quiet" })
                .Run(_engine));

        ProcessCommand sleeper = Shell("read never", "quiet") with
        {
            StandardInput = InputSource.Pipe,
            Secrets = [Word],
        };
        using ChildProcess child = sleeper.WithArguments(Word).Start(_engine);
        Hides(child);
        Throws<TimeoutException>(() => (Shell("sleep 30", "quiet", new Secret(Word)) with
        {
            StandardOutput = OutputTarget.Live(),
        }).Start(_engine).WaitForLine(_ => true, TimeSpan.FromMilliseconds(1)));
        using CancellationTokenSource source = new();
        Task<ProcessResult> canceled = Shell("sleep 30", "quiet", new Secret(Word))
            .RunAsync(_engine, source.Token);
        source.Cancel();
        Throws<OperationCanceledException>(() => canceled.GetAwaiter().GetResult());
        new Action(() => _ = new ProcessCommand("x", new Secret("hu\0sh"))).Should().Throw<ArgumentException>()
            .Which.Message.Should().NotContain("hu");
    });

    [Fact]
    public void SecretOfSeveralWords_InTheNameOfAMissingProgram_IsHiddenInTheAdvice() => Guard.Run(() =>
    {
        ProcessCommand command = new("no-such-login correct horse battery") { Secrets = ["correct horse battery"] };
        command.Invoking(command => command.Run()).Should().Throw<ProcessStartException>()
            .Which.Message.Should().Contain("new ProcessCommand(\"no-such-login\", \"***\")")
            .And.NotContain("correct").And.NotContain("horse").And.NotContain("battery");
    });

    [Fact]
    public void SecretWithAQuote_InTheOwnNameOfTheProgram_IsHidden() =>
        (new ProcessCommand("x") { ArgumentZero = "-it's-me", Secrets = ["it's"] }).ToString()
            .Should().Be("x # as '-***-me'");

    [Fact]
    public void Batch_ShowsNoSecret() => Guard.Run(() =>
    {
        ProcessCommand[] commands =
        [
            Shell("exit 1", "quiet", new Secret(Word)), new("/no/such/quiet", new Secret(Word)),
        ];
        BatchOptions options = new() { Engine = _engine };
        foreach (BatchResult result in ProcessBatch.Enumerate(commands, options))
        {
            Hides(result, result.Item, result.Command, result.Exception, result.Result);
            Hides(new RunningItem(result.Item, 0, 0, TimeSpan.Zero));
            result.Command.Should().Be(commands[result.Index]);
        }

        Hides(_traced.ToArray());
    });

    [Fact]
    public void Progress_ShowsNoSecret() => Guard.Run(() =>
    {
        BatchItem item = new(Shell("sleep 1000", "quiet", new Secret(Word))) { Tag = "quiet", Group = Word };
        BatchResults batch = ProcessBatch.Enumerate([item], new BatchOptions { Engine = _engine });
        Thread reader = new(() => _ = batch.Count());
        reader.Start();
        Eventually.Is(() => batch.Progress.Longest is [{ ProcessId: > 0 }], "the command runs");
        RunningItem running = batch.Progress.Longest[0];
        Hides(batch, batch.Progress, running, running.Item, batch.RunningItems()[0]);
        batch.Stop();
        reader.Join();
    });

    [Fact]
    public void StopNotice_ShowsNoSecret() => Guard.Run(() =>
    {
        StopNotice? notice = null;
        ProcessCommand command =
            Shell("sleep 1000", "quiet", new Secret(Word)) with { BeforeStop = given => notice = given };
        using ChildProcess child = command.Start(_engine);
        child.Stop();
        notice.Should().NotBeNull();
        Hides(notice);
    });

    [Fact]
    public void Executor_ShowsNoSecret() => Guard.Run(() =>
    {
        using ProcessExecutor executor = new($"{Word} quiet", Shell("exit", "quiet", new Secret(Word)), _engine);
        Hides(executor);
        Throws<InvalidOperationException>(() => executor.Wait());
        executor.Run();
        executor.Wait();
        Hides(executor, executor.Result);
        executor.Run("and", new Secret("third"));
        executor.Wait();
        executor.Result.Command.Arguments[^1].Should().Be("third");
        $"{executor.Result}".Should().NotContain("third");
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    [NativeBackend("no other finds descendants")]
    public void Survivor_ShowsNoSecret() => Guard.Run(() =>
    {
        ProcessResult result = (Shell("sh -c 'sleep 30; :' hush >/dev/null 2>&1 & exit") with
        {
            Descendants = DescendantPolicy.Report,
            Secrets = [Word],
        }).Run();
        SurvivingProcess survivor = result.SurvivingDescendants.First(found => found.CommandLine.Contains("***"));
        result.SurvivingDescendants.Should().OnlyContain(found => !found.CommandLine.Contains(Word));
        Process.GetProcessById(survivor.ProcessId).Kill(entireProcessTree: true);
    });

    [Fact]
    [OnlyOn(Systems.Linux, "the kernel tells it in /proc")]
    [NativeBackend("no other finds descendants")]
    public void KilledDescendant_ShowsNoSecret() => Guard.Run(() =>
    {
        ProcessResult result = (Shell("sh -c 'sleep 30; :' hush >/dev/null 2>&1 & exit") with
        {
            Descendants = DescendantPolicy.KillAlways,
            Secrets = [Word],
        }).Run();
        result.KilledDescendants.Should().NotBeEmpty();
        result.KilledDescendants.Should().OnlyContain(found => !found.CommandLine.Contains(Word));
    });

    [Fact]
    public void Equality_CountsTheSecretsOfTheCommandAndNotThoseOfItsEngine() => Guard.Run(() =>
    {
        ProcessCommand command = Shell("exit", new Secret(Word));
        command.Should().Be(Shell("exit", new Secret(Word)));
        command.GetHashCode().Should().Be(Shell("exit", new Secret(Word)).GetHashCode());
        command.Should().NotBe(Shell("exit", Word));
        command.Run(_engine).Command.Should().Be(command);
    });

    [Fact]
    public void Secret_TellsItselfToNobody()
    {
        Secret secret = new(Word);
        ProcessArgument argument = secret;
        $"{secret}{argument}".Should().Be("******");
        typeof(Secret).GetCustomAttribute<DebuggerDisplayAttribute>()!.Value.Should().Be("***");
        new Action(() => _ = new Secret("")).Should().Throw<ArgumentException>();
        new Action(() => _ = new ProcessCommand("x", (Secret)null!)).Should().Throw<ArgumentException>();
        new Action(() => _ = new ProcessCommand("x") { Secrets = [null!] }).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void Command_OfPlainStrings_MeansTheSameConstructorAsBefore()
    {
        new ProcessCommand("x").Secrets.Should().BeEmpty();
        new ProcessCommand("x", []).Arguments.Should().BeEmpty();
        new ProcessCommand("x", "a", "b").Should().Be(new ProcessCommand("x", ["a", "b"]));
        new ProcessCommand("x").WithEnvironment("A", null).Environment.Should().ContainKey("A");
    }

    private static ProcessCommand Shell(string script, params ReadOnlySpan<ProcessArgument> arguments) =>
        TestPrograms.Shell(script).WithArguments(arguments);

    private static string Message(ProcessResult result) =>
        result.Invoking(result => result.EnsureSuccess()).Should().Throw<ExitCodeException>().Which.Message;

    private static void Throws<T>(Action action)
        where T : Exception =>
        Hides(action.Should().Throw<T>().Which.ToString());

    private static void Hides(params object?[] told) =>
        string.Join('\n', told).Should().NotContain(Word).And.NotContain("quiet");
}
