using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using ProcessRunner.Backends;
using ProcessRunner.Execution;

namespace ProcessRunner;

/// <summary>
/// Describes a program to run. Immutable: <c>with</c> creates variants, and one command can run any number of times, at
/// the same time, from any thread.
/// </summary>
[DebuggerDisplay("{ToString(),nq}")]
public sealed partial record ProcessCommand : ILaunchPlan
{
    private static readonly ImmutableDictionary<string, string?> s_noChanges =
        ImmutableDictionary<string, string?>.Empty;

    private static readonly IReadOnlyCollection<int> s_zero = [0];

    private static readonly OutputTarget s_capture = OutputTarget.Capture();

    private readonly ImmutableArray<string> _arguments;
    private readonly InputSource _standardInput = InputSource.Null;
    private readonly OutputTarget _standardOutput = s_capture;
    private readonly OutputTarget _standardError = s_capture;
    private readonly string? _workingDirectory;
    private readonly IReadOnlyDictionary<string, string?> _environment = s_noChanges;
    private readonly IReadOnlyCollection<int> _exitCodes = s_zero;
    private readonly Encoding _encoding = Encoding.UTF8;
    private readonly TimeSpan _timeout = System.Threading.Timeout.InfiniteTimeSpan;
    private readonly TimeSpan _drainGrace = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Initializes a command from a program and its arguments. Each argument reaches the program unchanged.
    /// </summary>
    /// <param name="fileName">A path, or a name without a separator, which is looked up on the caller's PATH.</param>
    /// <param name="arguments">The arguments. Nothing is split, quoted or expanded.</param>
    /// <exception cref="ArgumentNullException">The name, the list or one of its items is null.</exception>
    /// <exception cref="ArgumentException">
    /// The name is empty, or the name or an argument contains a NUL character.
    /// </exception>
    public ProcessCommand(string fileName, params IEnumerable<string> arguments)
    {
        ArgumentException.ThrowIfNullOrEmpty(fileName);
        ArgumentNullException.ThrowIfNull(arguments);
        FileName = Validated(fileName, nameof(fileName));
        _arguments = AllValidated(arguments, nameof(arguments));
    }

    /// <summary>Gets the program: a path, or a name that is looked up on the caller's PATH.</summary>
    /// <remarks>
    /// The search on PATH works as in execvp(3). It skips a file that cannot be executed, even if its mode bits say
    /// otherwise. A text file without <c>#!</c> ends the search with an error, because no shell runs it.
    /// </remarks>
    public string FileName { get; private init; }

    /// <summary>Gets the arguments without the program's name.</summary>
    /// <exception cref="ArgumentException">
    /// The value is the default, or an item of it is null or contains a NUL character.
    /// </exception>
    public ImmutableArray<string> Arguments
    {
        get => _arguments;
        init => _arguments = value.IsDefault
            ? throw new ArgumentException("The arguments are missing; use an empty list.", nameof(value))
            : AllValidated(value, nameof(value));
    }

    /// <summary>Gets the directory in which the child starts.</summary>
    /// <value>
    /// Null, for the directory of this process, by default. A relative path is relative to the directory of this
    /// process. So is a relative <see cref="FileName"/>, whatever this value is.
    /// </value>
    /// <exception cref="ArgumentException">The value is empty or contains a NUL character.</exception>
    public string? WorkingDirectory
    {
        get => _workingDirectory;
        init
        {
            if (value is not null)
            {
                ArgumentException.ThrowIfNullOrEmpty(value);
                Validated(value, nameof(value));
            }

            _workingDirectory = value;
        }
    }

    /// <summary>Gets the changes to the environment that the child inherits.</summary>
    /// <value>Empty by default. A null value removes the variable.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">
    /// A name is empty or contains '=', or a name or a value contains a NUL character.
    /// </exception>
    public IReadOnlyDictionary<string, string?> Environment
    {
        get => _environment;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            foreach ((string name, string? text) in value)
            {
                if (name.Length == 0 || name.Contains('='))
                {
                    throw new ArgumentException($"'{name}' cannot name an environment variable.", nameof(value));
                }

                Validated(name, nameof(value));
                Validated(text ?? "", nameof(value));
            }

            _environment = value.ToImmutableDictionary();
        }
    }

    /// <summary>Gets whether the child inherits the caller's environment.</summary>
    /// <value>
    /// True by default. False passes on none of the caller's variables, except <c>SystemRoot</c> on Windows. The
    /// library adds variables of its own in both cases: on Linux <c>PROCESSRUNNER_CHILD</c>, unless
    /// <see cref="Descendants"/> is <see cref="DescendantPolicy.Leave"/> and no guardian needs it; in a batch
    /// <see cref="BatchOptions.SlotVariable"/>; and on Windows one for each of the <c>Channels</c>.
    /// </value>
    public bool InheritEnvironment { get; init; } = true;

    /// <summary>Gets where the child's standard input comes from.</summary>
    /// <value><see cref="InputSource.Null"/> by default.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public InputSource StandardInput
    {
        get => _standardInput;
        init => _standardInput = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets where the child's standard output goes.</summary>
    /// <value><see cref="OutputTarget.Capture()"/> by default.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">The value is <see cref="OutputTarget.MergeIntoOutput"/>.</exception>
    public OutputTarget StandardOutput
    {
        get => _standardOutput;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            _standardOutput = value == OutputTarget.MergeIntoOutput
                ? throw new ArgumentException("Standard output cannot be merged into itself.", nameof(value))
                : value;
        }
    }

    /// <summary>Gets where the child's standard error goes.</summary>
    /// <value><see cref="OutputTarget.Capture()"/> by default.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public OutputTarget StandardError
    {
        get => _standardError;
        init => _standardError = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets the encoding of the child's input and output as text.</summary>
    /// <value>
    /// UTF-8 by default. Bytes that the encoding cannot decode become U+FFFD in the text; the bytes stay available.
    /// </value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public Encoding Encoding
    {
        get => _encoding;
        init => _encoding = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets how long a run may take, from its first attempt to start to the end of its output.</summary>
    /// <value>
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/>, for no limit, by default; zero or more. At the limit
    /// the child is stopped, with <see cref="ProcessOutcome.TimedOut"/>.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init => _timeout = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>
    /// Gets how long to wait, after the child's exit, for the end of a stream that another process still holds open.
    /// The time counts from the exit and never restarts, however much that process writes.
    /// </summary>
    /// <value>
    /// 1 second by default. Zero takes the bytes that are there;
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> waits without a limit.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan DrainGrace
    {
        get => _drainGrace;
        init => _drainGrace = TimeLimit.Validated(value, nameof(value));
    }

    /// <summary>Gets what happens to the processes that the child leaves behind.</summary>
    /// <value><see cref="DescendantPolicy.KillOnStop"/> by default.</value>
    public DescendantPolicy Descendants { get; init; } = DescendantPolicy.KillOnStop;

    /// <summary>Gets the process group of the child.</summary>
    /// <value><see cref="ProcessGroupMode.Auto"/> by default.</value>
    public ProcessGroupMode GroupMode { get; init; } = ProcessGroupMode.Auto;

    /// <summary>Gets the exit codes that count as success, in ascending order.</summary>
    /// <value>Only zero by default.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public IReadOnlyCollection<int> ExitCodes
    {
        get => _exitCodes;
        init => _exitCodes = [.. (value ?? throw new ArgumentNullException(nameof(value))).Distinct().Order()];
    }

    /// <summary>
    /// Gets a function that accepts further exit codes as success, in addition to <see cref="ExitCodes"/>:
    /// <c>code => code &lt; 8</c> for robocopy.
    /// </summary>
    /// <value>
    /// Null, for no others, by default. <see cref="ProcessResult.IsSuccess"/> calls it each time, on its caller's
    /// thread; a batch calls it on a delivery thread before the result. If there is a listener to the activities, a
    /// delivery thread calls it once more; if it throws there, the activity has the status Error.
    /// </value>
    public Func<int, bool>? AcceptsExitCode { get; init; }

    /// <summary>
    /// Returns the command line in the syntax of a POSIX shell, with secrets as <c>***</c>. If the name, the
    /// priority, the limits or the user are set, a remark with them follows.
    /// </summary>
    public override string ToString() =>
        Hide(ShellWord.Join(Arguments.Prepend(FileName).Select(Hide)) + _extras?.Remark(Hide));

    StreamBinding ILaunchPlan.Input => StandardInput.Binding;

    StreamBinding ILaunchPlan.Output => StandardOutput.Binding;

    StreamBinding ILaunchPlan.Error => StandardError.Binding;

    LaunchGroup ILaunchPlan.Group => GroupMode switch
    {
        ProcessGroupMode.Own => LaunchGroup.Own,
        ProcessGroupMode.Session => LaunchGroup.Session,
        ProcessGroupMode.Inherit => LaunchGroup.Inherit,
        _ => LaunchGroup.Auto,
    };

    bool ILaunchPlan.FindsDescendants => Descendants != DescendantPolicy.Leave;

    /// <summary>Gets whether a start opens files, which can block.</summary>
    internal bool OpensFiles =>
        StandardInput.Binding.Kind == StreamBindingKind.File
        || StandardOutput.Binding.Kind == StreamBindingKind.File
        || StandardError.Binding.Kind == StreamBindingKind.File;

    // Sets arguments that have been validated.
    private ImmutableArray<string> ValidArguments
    {
        init => _arguments = value;
    }

    private static ImmutableArray<string> AllValidated(IEnumerable<string> arguments, string parameter)
    {
        string[] all = [.. arguments];
        foreach (string argument in all)
        {
            Validated(argument, parameter);
        }

        return ImmutableCollectionsMarshal.AsImmutableArray(all);
    }

    /// <summary>Returns a text that reaches a program or the system. They would see it end at a NUL.</summary>
    internal static string Validated(string text, string parameter)
    {
        ArgumentNullException.ThrowIfNull(text, parameter);
        return text.Contains('\0')
            ? throw new ArgumentException(
                "A NUL character cannot be passed to a program: "
                + $"'{text.Replace("\0", "\\0", StringComparison.Ordinal)}'.",
                parameter)
            : text;
    }
}
