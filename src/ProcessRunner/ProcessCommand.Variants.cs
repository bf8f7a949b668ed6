using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace ProcessRunner;

/// <content>The commands that are made from another command.</content>
public sealed partial record ProcessCommand
{
    /// <summary>Connects the output of a command to the input of another one, as <see cref="PipeTo"/> does.</summary>
    /// <param name="first">The command that writes.</param>
    /// <param name="next">The command that reads.</param>
    /// <exception cref="ArgumentNullException">One of the commands is null.</exception>
    public static ProcessPipeline operator |(ProcessCommand first, ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(first);
        return first.PipeTo(next);
    }

    /// <summary>
    /// Connects the output of this command to the input of another one: by a pipe of the kernel with a native backend,
    /// by a copy in this process with the portable one.
    /// </summary>
    /// <param name="next">
    /// The command that reads. The pipe replaces its <see cref="StandardInput"/> and the output of this command.
    /// </param>
    /// <exception cref="ArgumentNullException">The command is null.</exception>
    public ProcessPipeline PipeTo(ProcessCommand next) => new(this, transform: null, next);

    /// <inheritdoc cref="ProcessPipeline.PipeThrough"/>
    public ProcessPipeline PipeThrough(Func<Stream, Stream, CancellationToken, Task> transform, ProcessCommand next)
    {
        ArgumentNullException.ThrowIfNull(transform);
        return new ProcessPipeline(this, transform, next);
    }

    /// <summary>
    /// Creates a command with further arguments, which it adds after those of this one and which replace none. To
    /// replace the arguments, or to put others before them, set <see cref="Arguments"/>.
    /// </summary>
    /// <param name="arguments">The further arguments.</param>
    /// <exception cref="ArgumentException">
    /// The list or an argument is null, or an argument contains a NUL character.
    /// </exception>
    public ProcessCommand WithArguments(params IEnumerable<string> arguments)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        return this with { ValidArguments = _arguments.AddRange(AllValidated(arguments, nameof(arguments))) };
    }

    /// <summary>
    /// Creates a command with one more change to the environment, in addition to those of this command. A change of the
    /// same name is replaced.
    /// </summary>
    /// <param name="name">The name of the variable.</param>
    /// <param name="value">The value. Null removes the variable.</param>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    /// <exception cref="ArgumentException">
    /// The name is empty or contains '=', or the name or the value contains a NUL character.
    /// </exception>
    public ProcessCommand WithEnvironment(string name, string? value)
    {
        ArgumentNullException.ThrowIfNull(name);
        return WithEnvironment([KeyValuePair.Create(name, value)]);
    }

    /// <summary>
    /// Creates a command with further changes to the environment, in addition to those of this command. The last change
    /// of a name counts. On Windows names that differ only in case are the same name.
    /// </summary>
    /// <param name="changes">The changes. A null value removes the variable.</param>
    /// <exception cref="ArgumentNullException">The list or a name is null.</exception>
    /// <exception cref="ArgumentException">
    /// A name is empty or contains '=', or a name or a value contains a NUL character.
    /// </exception>
    public ProcessCommand WithEnvironment(IEnumerable<KeyValuePair<string, string?>> changes)
    {
        ArgumentNullException.ThrowIfNull(changes);
        Dictionary<string, string?> environment = new(
            OperatingSystem.IsWindows() ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        foreach ((string name, string? value) in Environment.Concat(changes))
        {
            environment[name] = value;
        }

        return this with { Environment = environment };
    }

    /// <summary>
    /// Creates a command that has another program run this one, such as <c>nice</c>, <c>time</c> or <c>setpriv</c>. All
    /// other settings stay as they are.
    /// </summary>
    /// <param name="fileName">The other program.</param>
    /// <param name="arguments">Its own arguments. This program and its arguments follow them.</param>
    /// <exception cref="ArgumentException">
    /// The name is null or empty, the list or an argument is null, or one of them contains a NUL character.
    /// </exception>
    public ProcessCommand RunBy(string fileName, params IEnumerable<string> arguments)
    {
        ArgumentException.ThrowIfNullOrEmpty(fileName);
        ArgumentNullException.ThrowIfNull(arguments);
        return this with
        {
            FileName = Validated(fileName, nameof(fileName)),
            ValidArguments = [.. AllValidated(arguments, nameof(arguments)), FileName, .. Arguments],
        };
    }
}
