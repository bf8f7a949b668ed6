using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.CompilerServices;
using ProcessRunner.Execution;
using ProcessRunner.Streams;

namespace ProcessRunner;

/// <content>The secrets of commands.</content>
public sealed partial record ProcessCommand
{
    private readonly ImmutableArray<Secret> _secrets = [];

    // Those of the engine that runs the command. They do not belong to what the command says.
    private readonly ImmutableArray<Secret> _engineSecrets = [];

    /// <summary>
    /// Initializes a command from a program and arguments some of which are secrets. Each argument reaches the program
    /// unchanged, and <see cref="Secrets"/> has the secrets.
    /// </summary>
    /// <param name="fileName">A path, or a name without a separator, which is looked up on the caller's PATH.</param>
    /// <param name="arguments">The arguments. Nothing is split, quoted or expanded.</param>
    /// <exception cref="ArgumentNullException">The name or one of the arguments is null.</exception>
    /// <exception cref="ArgumentException">
    /// The name is empty, or the name or an argument contains a NUL character.
    /// </exception>
    [OverloadResolutionPriority(-1)]
    public ProcessCommand(string fileName, params ReadOnlySpan<ProcessArgument> arguments)
        : this(fileName, AllValidated(arguments, nameof(arguments)).AsEnumerable())
    {
        _secrets = SecretsOf(arguments);
    }

    /// <summary>
    /// Gets the secrets to replace with <c>***</c> in all text that the library produces about this command, in
    /// addition to those of the engine (<see cref="ProcessEngineOptions.Secrets"/>). A secret that is a part of an
    /// argument or a variable is hidden as well.
    /// </summary>
    /// <value>The secrets among the arguments and the variables by default.</value>
    /// <exception cref="ArgumentNullException">The value or one of its items is null.</exception>
    public IReadOnlyCollection<Secret> Secrets
    {
        get => _secrets;
        init => _secrets = AllSecrets(value);
    }

    /// <summary>
    /// Creates a command with further arguments, some of which are secrets, in addition to those of this one. It
    /// replaces no argument.
    /// </summary>
    /// <param name="arguments">The further arguments.</param>
    /// <exception cref="ArgumentException">An argument is null or contains a NUL character.</exception>
    [OverloadResolutionPriority(-1)]
    public ProcessCommand WithArguments(params ReadOnlySpan<ProcessArgument> arguments) => this with
    {
        ValidArguments = _arguments.AddRange(AllValidated(arguments, nameof(arguments))),
        Secrets = [.. _secrets, .. SecretsOf(arguments)],
    };

    /// <summary>
    /// Creates a command that has another program run this one, such as <c>sshpass</c>, with arguments some of which
    /// are secrets. All other settings stay as they are.
    /// </summary>
    /// <param name="fileName">The other program.</param>
    /// <param name="arguments">Its own arguments. This program and its arguments follow them.</param>
    /// <exception cref="ArgumentException">
    /// The name is null or empty, an argument is null, or one of them contains a NUL character.
    /// </exception>
    [OverloadResolutionPriority(-1)]
    public ProcessCommand RunBy(string fileName, params ReadOnlySpan<ProcessArgument> arguments) =>
        RunBy(fileName, AllValidated(arguments, nameof(arguments)).AsEnumerable()) with
        {
            Secrets = [.. _secrets, .. SecretsOf(arguments)],
        };

    /// <summary>
    /// Creates a command with one more variable, whose value no text shows, in addition to the changes of this command.
    /// A change of the same name is replaced.
    /// </summary>
    /// <param name="name">The name of the variable.</param>
    /// <param name="value">The value, which the child receives unchanged.</param>
    /// <exception cref="ArgumentNullException">The name or the value is null.</exception>
    /// <exception cref="ArgumentException">
    /// The name is empty or contains '=', or the name or the value contains a NUL character.
    /// </exception>
    [OverloadResolutionPriority(-1)]
    public ProcessCommand WithEnvironment(string name, Secret value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Validated(value, nameof(value));
        return WithEnvironment(name, value.Value) with { Secrets = [.. _secrets, value] };
    }

    /// <summary>Returns this command, or an equal one that also hides the secrets of an engine.</summary>
    internal ProcessCommand HiddenBy(ImmutableArray<Secret> secrets) =>
        secrets.IsEmpty || secrets == _engineSecrets ? this : this with { EngineSecrets = secrets };

    /// <summary>Hides all secrets in a text that the library makes.</summary>
    internal string Hide(string text) => SecretText.Hide(text, _secrets, _engineSecrets);

    /// <summary>Hides the secrets in a part of the output that a text of the library shows.</summary>
    internal string HideInOutput(TextExcerpt output) => SecretText.HideInOutput(output, _secrets, _engineSecrets);

    /// <summary>Checks that a list has no null, and copies it.</summary>
    internal static ImmutableArray<Secret> AllSecrets(IEnumerable<Secret> value)
    {
        ArgumentNullException.ThrowIfNull(value);
        ImmutableArray<Secret> secrets = [.. value.Distinct()];
        return secrets.Contains(null!)
            ? throw new ArgumentNullException(nameof(value), "A secret is missing.")
            : secrets;
    }

    private ImmutableArray<Secret> EngineSecrets
    {
        init => _engineSecrets = value;
    }

    private static ImmutableArray<string> AllValidated(ReadOnlySpan<ProcessArgument> arguments, string parameter)
    {
        ImmutableArray<string>.Builder texts = ImmutableArray.CreateBuilder<string>(arguments.Length);
        foreach (ProcessArgument argument in arguments)
        {
            texts.Add(argument.Secret is Secret secret
                ? Validated(secret, parameter)
                : Validated(argument.Text!, parameter));
        }

        return texts.MoveToImmutable();
    }

    // The message does not show the secret.
    private static string Validated(Secret secret, string parameter) => secret.Value.Contains('\0')
        ? throw new ArgumentException("A NUL character cannot be passed to a program: a secret has one.", parameter)
        : secret.Value;

    private static ImmutableArray<Secret> SecretsOf(ReadOnlySpan<ProcessArgument> arguments)
    {
        ImmutableArray<Secret>.Builder secrets = ImmutableArray.CreateBuilder<Secret>();
        foreach (ProcessArgument argument in arguments)
        {
            if (argument.Secret is Secret secret)
            {
                secrets.Add(secret);
            }
        }

        return secrets.ToImmutable();
    }
}
