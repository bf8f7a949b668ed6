using System.Collections.Generic;

namespace ProcessRunner.Backends;

/// <summary>
/// Describes a child for a backend to start, in terms that every operating system has. Immutable: one plan serves any
/// number of starts, at the same time.
/// </summary>
internal interface ILaunchPlan : IProgram
{
    /// <summary>Gets the changes to the environment. A null value removes a variable.</summary>
    IReadOnlyDictionary<string, string?> Environment { get; }

    /// <summary>Gets whether the child inherits the caller's environment.</summary>
    bool InheritEnvironment { get; }

    /// <summary>Gets the binding of the child's standard input.</summary>
    StreamBinding Input { get; }

    /// <summary>Gets the binding of the child's standard output.</summary>
    StreamBinding Output { get; }

    /// <summary>Gets the binding of the child's standard error.</summary>
    StreamBinding Error { get; }

    /// <summary>Gets the process group that the child joins.</summary>
    LaunchGroup Group { get; }

    /// <summary>Gets whether the backend must be able to find the child's descendants after its exit.</summary>
    bool FindsDescendants { get; }

    /// <summary>Gets whether a handle of this process, or a channel, is a stream of the child.</summary>
    bool HasExtraStreams =>
        Settings is { Channels.IsEmpty: false }
        || Input.Kind == StreamBindingKind.Handle
        || Output.Kind == StreamBindingKind.Handle
        || Error.Kind == StreamBindingKind.Handle;

    /// <summary>Gets the settings that few children have; null if this one has none of them.</summary>
    ILaunchSettings? Settings { get; }
}
