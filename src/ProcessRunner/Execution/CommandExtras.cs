using System;
using System.Collections.Immutable;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using ProcessRunner.Backends;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner.Execution;

/// <summary>
/// Holds the settings of a command that few commands have, so that the others pay nothing for them. Immutable.
/// </summary>
internal sealed record CommandExtras : ILaunchSettings
{
    /// <summary>Gets the settings of a command that has none of them.</summary>
    public static CommandExtras None { get; } = new();

    /// <summary>Gets how long the child may be silent.</summary>
    public TimeSpan IdleTimeout { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>Gets the targets of the channels.</summary>
    public ValueMap<int, OutputTarget> Channels { get; init; } = ValueMap<int, OutputTarget>.Empty;

    /// <summary>Gets the steps of a stop after the first one.</summary>
    public ValueList<StopStep> FurtherStops { get; init; } = ValueList<StopStep>.Empty;

    /// <summary>Gets whether a stop closes the windows of the child instead of sending a signal.</summary>
    public bool ClosesWindowsOnStop { get; init; }

    /// <summary>Gets the call before a stop, or null.</summary>
    public Action<StopNotice>? BeforeStop { get; init; }

    /// <summary>Gets how long that call may delay the stop.</summary>
    public TimeSpan BeforeStopLimit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Gets the name that the program gets as its own; null for the name of its file.</summary>
    public string? ArgumentZero { get; init; }

    /// <summary>Gets the nice value, or null.</summary>
    public int? Nice { get; init; }

    /// <summary>Gets the priority class, or null.</summary>
    public ProcessPriorityClass? Priority { get; init; }

    /// <summary>Gets the processors on which the child may run; empty for all.</summary>
    public ValueList<int> Processors { get; init; } = ValueList<int>.Empty;

    /// <summary>Gets the limits of resources.</summary>
    public ValueMap<LimitedResource, ResourceLimit> Limits { get; init; } =
        ValueMap<LimitedResource, ResourceLimit>.Empty;

    /// <summary>Gets the mask of the rights of new files, or null.</summary>
    public UnixFileMode? FileModeMask { get; init; }

    /// <summary>Gets the user as which the child runs, or null.</summary>
    public ProcessIdentity? Identity { get; init; }

    /// <summary>Gets the process group that the child joins, or null.</summary>
    public int? ProcessGroupId { get; init; }

    /// <summary>Gets the encoding of standard input, or null for that of the command.</summary>
    public Encoding? InputEncoding { get; init; }

    /// <summary>Gets the encoding of standard output, or null for that of the command.</summary>
    public Encoding? OutputEncoding { get; init; }

    /// <summary>Gets the encoding of standard error, or null for that of the command.</summary>
    public Encoding? ErrorEncoding { get; init; }

    /// <summary>Gets whether bytes that cannot be decoded are an error.</summary>
    public bool DecodesStrictly { get; init; }

    /// <summary>Gets whether the child is killed when this process ends.</summary>
    public bool KillsOnParentExit { get; init; }

    /// <summary>Returns the remark about these settings in the text of a command, in the syntax of a shell.</summary>
    /// <param name="hide">
    /// Hides the secrets in a word before it is quoted, which would split a secret that contains a quote.
    /// </param>
    public string Remark(Func<string, string> hide)
    {
        string?[] all =
        [
            ArgumentZero is null ? null : $"as {ShellWord.Quote(hide(ArgumentZero))}",
            Nice is null ? null : $"nice {Nice}",
            Priority is null ? null : $"priority {Priority}",
            Processors.Items.IsEmpty ? null : $"processors {string.Join(',', Processors.Items)}",
            .. Limits.Select(one => one.Value.Soft == one.Value.Hard
                ? $"{one.Key} {one.Value.Soft}"
                : $"{one.Key} {one.Value.Soft}:{one.Value.Hard}"),
            FileModeMask is null ? null : $"umask {Convert.ToString((int)FileModeMask, 8)}",
            Identity is null ? null : $"user {Identity}",
            ProcessGroupId is null ? null : $"group {ProcessGroupId}",
            Channels.Count == 0 ? null : $"channels {string.Join(',', Channels.Keys)}",
        ];
        string remark = string.Join(", ", all.Where(one => one is not null));
        return remark.Length == 0 ? "" : $" # {remark}";
    }

    int? ILaunchSettings.PriorityClass => (int?)Priority;

    int? ILaunchSettings.Nice => Nice ?? Priority switch
    {
        // The values of Process.PriorityClass on Unix.
        ProcessPriorityClass.Idle => 19,
        ProcessPriorityClass.BelowNormal => 10,
        ProcessPriorityClass.Normal => 0,
        ProcessPriorityClass.AboveNormal => -6,
        ProcessPriorityClass.High => -11,
        ProcessPriorityClass.RealTime => -19,
        _ => null,
    };

    ImmutableArray<int> ILaunchSettings.Processors => Processors.Items;

    ImmutableArray<LaunchLimit> ILaunchSettings.Limits =>
        [.. Limits.Select(static one => new LaunchLimit((LaunchResource)one.Key, one.Value.Soft, one.Value.Hard))];

    int? ILaunchSettings.FileModeMask => (int?)FileModeMask;

    LaunchIdentity? ILaunchSettings.Identity => Identity?.Launch;

    LaunchFeatures ILaunchSettings.Features =>
        If(ArgumentZero is not null, LaunchFeatures.ArgumentZero)
        | If(Nice is not null, LaunchFeatures.Nice)
        | If(Priority is not null, LaunchFeatures.Priority)
        | If(!Processors.Items.IsEmpty, LaunchFeatures.Processors)
        | If(Limits.Keys.Any(IsUniversal), LaunchFeatures.Limits)
        | If(Limits.Keys.Any(static resource => !IsUniversal(resource)), LaunchFeatures.UnixLimits)
        | If(FileModeMask is not null, LaunchFeatures.FileModeMask)
        | If(Identity is not null, LaunchFeatures.Identity)
        | If(ProcessGroupId is not null, LaunchFeatures.ProcessGroupId)
        | If(KillsOnParentExit, LaunchFeatures.KillOnParentExit)
        | If(ClosesWindowsOnStop, LaunchFeatures.CloseWindows);

    ImmutableArray<LaunchChannel> ILaunchSettings.Channels => Channels.Count == 0
        ? []
        : [.. Channels.Select(static channel => new LaunchChannel(channel.Key, channel.Value.Binding))];

    private static bool IsUniversal(LimitedResource resource) => resource
        is LimitedResource.ProcessorTime
        or LimitedResource.DataSize
        or LimitedResource.AddressSpace
        or LimitedResource.Processes;

    private static LaunchFeatures If(bool condition, LaunchFeatures feature) =>
        condition ? feature : LaunchFeatures.None;
}
