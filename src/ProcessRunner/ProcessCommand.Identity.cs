using System;
using System.Buffers;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text;
using ProcessRunner.Backends.Primitives;

namespace ProcessRunner;

/// <content>The identity of the child, and the resources that it may use.</content>
public sealed partial record ProcessCommand
{
    private const int MostProcessors = 8192;
    private const int AllModes = 0b111_111_111;

    /// <summary>Gets the name that the program gets as its own (<c>argv[0]</c>).</summary>
    /// <value>
    /// Null, for <see cref="FileName"/>, by default. Some programs behave as their name says: a shell whose name begins
    /// with a hyphen is a login shell. The portable backend refuses it.
    /// </value>
    /// <exception cref="ArgumentException">The value contains a NUL character.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public string? ArgumentZero
    {
        get => Extras.ArgumentZero;
        init => Extras = Extras with
        {
            ArgumentZero = value is null ? null : Validated(value, nameof(value)),
        };
    }

    /// <summary>Gets the nice value of the child (setpriority(2)).</summary>
    /// <value>
    /// Null, for that of this process, by default; from -20 (first) to 19 (last). Values lower than that of this
    /// process require CAP_SYS_NICE or a suitable RLIMIT_NICE. For Linux, with the native backend.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than -20 or greater than 19.</exception>
    [SupportedOSPlatform("linux")]
    public int? Nice
    {
        get => Extras.Nice;
        init
        {
            if (value is int nice)
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(nice, -20, nameof(value));
                ArgumentOutOfRangeException.ThrowIfGreaterThan(nice, 19, nameof(value));
            }

            Extras = Extras with { Nice = value };
        }
    }

    /// <summary>Gets the priority class of the child.</summary>
    /// <value>
    /// Null, for that of this process, by default. On Linux a class is the nice value that .NET gives it: 19 for
    /// <see cref="ProcessPriorityClass.Idle"/>, 10, 0, -6, -11, and -19 for
    /// <see cref="ProcessPriorityClass.RealTime"/>; <see cref="Nice"/> takes precedence. For the native backends.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">There is no such class.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public ProcessPriorityClass? Priority
    {
        get => Extras.Priority;
        init
        {
            if (value is ProcessPriorityClass priority && !Enum.IsDefined(priority))
            {
                throw new ArgumentOutOfRangeException(nameof(value), value, "There is no such class.");
            }

            Extras = Extras with { Priority = value };
        }
    }

    /// <summary>Gets the processors on which the child may run, by their numbers (sched_setaffinity(2)).</summary>
    /// <value>
    /// Empty, for those of this process, by default; in ascending order. On Windows the descendants are kept to them as
    /// well, the numbers are from 0 to 63, and this process must have all of them. For the native backends.
    /// </value>
    /// <exception cref="ArgumentException">The value is the default.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A number is negative or greater than 8,191.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public ImmutableArray<int> Processors
    {
        get => Extras.Processors.Items;
        init
        {
            if (value.IsDefault)
            {
                throw new ArgumentException("The processors are missing; use an empty list.", nameof(value));
            }

            foreach (int processor in value)
            {
                ArgumentOutOfRangeException.ThrowIfNegative(processor, nameof(value));
                ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(processor, MostProcessors, nameof(value));
            }

            Extras = Extras with { Processors = new ValueList<int>([.. value.Distinct().Order()]) };
        }
    }

    /// <summary>Gets the limits of what the child may use (setrlimit(2)).</summary>
    /// <value>
    /// Empty, for those of this process, by default. Raising a hard limit requires CAP_SYS_RESOURCE. On Windows the
    /// soft limit applies to the child and to each of its descendants, nobody can raise it, and there are four of them;
    /// see <see cref="LimitedResource"/>. For the native backends.
    /// </value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">There is no such resource.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public IReadOnlyDictionary<LimitedResource, ResourceLimit> Limits
    {
        get => Extras.Limits;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            foreach (LimitedResource resource in value.Keys)
            {
                if (!Enum.IsDefined(resource))
                {
                    throw new ArgumentOutOfRangeException(nameof(value), resource, "There is no such resource.");
                }
            }

            Extras = Extras with { Limits = new ValueMap<LimitedResource, ResourceLimit>(value) };
        }
    }

    /// <summary>
    /// Gets the permissions that the child's new files and directories do not get: its file mode mask (umask(2)).
    /// </summary>
    /// <value>Null, for the mask of this process, by default. For Linux, with the native backend.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value has bits other than those of permissions.</exception>
    [SupportedOSPlatform("linux")]
    public UnixFileMode? FileModeMask
    {
        get => Extras.FileModeMask;
        init
        {
            if (value is UnixFileMode mask)
            {
                ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)mask, (uint)AllModes, nameof(value));
            }

            Extras = Extras with { FileModeMask = value };
        }
    }

    /// <summary>Gets the user as which the child runs.</summary>
    /// <value>
    /// Null, for that of this process, by default. Requires CAP_SETUID and CAP_SETGID, which root has. The child
    /// becomes the user before it opens its files, enters its directory and executes the program. For Linux, with the
    /// native backend.
    /// </value>
    [SupportedOSPlatform("linux")]
    public ProcessIdentity? Identity
    {
        get => Extras.Identity;
        init => Extras = Extras with { Identity = value };
    }

    /// <summary>Gets the process group that the child joins, in place of that of <see cref="GroupMode"/>.</summary>
    /// <value>
    /// Null by default; otherwise the id of a group of this process's session. A stop or a kill then reaches the child
    /// alone, and those of its descendants that carry its mark; the group goes on. For Linux, with the native backend.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or negative.</exception>
    [SupportedOSPlatform("linux")]
    public int? ProcessGroupId
    {
        get => Extras.ProcessGroupId;
        init
        {
            if (value is int group)
            {
                ArgumentOutOfRangeException.ThrowIfNegativeOrZero(group, nameof(value));
            }

            Extras = Extras with { ProcessGroupId = value };
        }
    }

    /// <summary>
    /// Creates a command with one more limit, in addition to those of this command. A limit of the same resource is
    /// replaced.
    /// </summary>
    /// <param name="resource">The resource.</param>
    /// <param name="limit">Its limit; a number is both the soft and the hard limit.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such resource.</exception>
    [SupportedOSPlatform("linux")]
    [SupportedOSPlatform("windows")]
    public ProcessCommand WithLimit(LimitedResource resource, ResourceLimit limit) =>
        this with { Limits = new Dictionary<LimitedResource, ResourceLimit>(Limits) { [resource] = limit } };

    /// <summary>
    /// Returns the text that stands for bytes that may not be text, as an argument or as the value of a variable. The
    /// child gets exactly these bytes on Linux, with the native backend. On Windows, where arguments are UTF-16, the
    /// surrogates stay what they are.
    /// </summary>
    /// <param name="bytes">The bytes.</param>
    /// <returns>
    /// The text in UTF-8. Each byte that does not belong to it is a lone surrogate from U+DC80 to U+DCFF, as in Python
    /// (PEP 383), which no text has.
    /// </returns>
    /// <exception cref="ArgumentException">There is a byte of zero, which ends a text of a program.</exception>
    [SupportedOSPlatform("linux")]
    public static string TextOf(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Contains((byte)0))
        {
            throw new ArgumentException("A byte of zero cannot be passed to a program.", nameof(bytes));
        }

        StringBuilder text = new(bytes.Length);
        while (!bytes.IsEmpty)
        {
            if (Rune.DecodeFromUtf8(bytes, out Rune rune, out int length) == OperationStatus.Done)
            {
                text.Append(rune);
            }
            else
            {
                length = 1;
                text.Append(LoneByte.ToChar(bytes[0]));
            }

            bytes = bytes[length..];
        }

        return text.ToString();
    }
}
