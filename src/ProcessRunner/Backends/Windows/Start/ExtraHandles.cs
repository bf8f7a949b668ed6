using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents what few starts need beside the standard streams: the pipes of channels, and the caller's handles. The
/// starting thread owns it. A child learns the values of its handles from its environment.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class ExtraHandles
{
    private const string Variable = "PROCESSRUNNER_CHANNEL_";

    private readonly LaunchChannel[] _channels;
    private readonly WindowsPipe[] _pipes;
    private readonly nint[] _sources;
    private readonly OwnedHandle[] _inheritable;
    private readonly List<SafeHandle> _handles = [];
    private WindowsChannels? _ours;

    private ExtraHandles(LaunchChannel[] channels)
    {
        _channels = channels;
        _pipes = new WindowsPipe[channels.Length];
        _sources = new nint[channels.Length];
        _inheritable = new OwnedHandle[channels.Length];
    }

    /// <summary>Gets the number of channels.</summary>
    public int Count => _channels.Length;

    /// <summary>Gets the variables that pass the handles to the child, once they are inheritable.</summary>
    public KeyValuePair<string, string?>[] Variables =>
    [
        .. _channels.Select((channel, index) => KeyValuePair.Create<string, string?>(
            string.Create(CultureInfo.InvariantCulture, $"{Variable}{channel.Number}"),
            _inheritable[index].Value.ToString(CultureInfo.InvariantCulture))),
    ];

    /// <summary>Returns the object that a plan needs, or null.</summary>
    public static ExtraHandles? For(ILaunchPlan plan) =>
        plan.HasExtraStreams ? new ExtraHandles([.. plan.Settings?.Channels ?? []]) : null;

    /// <summary>Opens the channels.</summary>
    /// <exception cref="LaunchException">A handle is closed.</exception>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Open()
    {
        for (int i = 0; i < _channels.Length; i++)
        {
            if (_channels[i].Binding.Handle is SafeHandle handle)
            {
                _sources[i] = Borrow(handle, $"channel {_channels[i].Number}");
            }
            else
            {
                _pipes[i] = WindowsPipe.Open(weRead: true);
                _sources[i] = _pipes[i].Theirs.Value;
            }
        }

        // Here, because nothing may fail once the child exists.
        int[] pipes = [.. Enumerable.Range(0, _pipes.Length).Where(index => _pipes[index].Ours.IsOpen)];
        _ours = pipes.Length == 0
            ? null
            : new WindowsChannels(Array.ConvertAll(pipes, index => _channels[index].Number));
    }

    /// <summary>Returns the value of a caller's handle, which is held open until <see cref="Close"/>.</summary>
    /// <exception cref="LaunchException">The handle is closed, or stands for no object.</exception>
    public nint Borrow(SafeHandle handle, string stream)
    {
        bool isHeld = false;
        try
        {
            handle.DangerousAddRef(ref isHeld);
            _handles.Add(handle);
        }
        catch (ObjectDisposedException)
        {
            throw new LaunchException(
                Win32Error.ERROR_INVALID_HANDLE, LaunchStep.BadHandle, LaunchReason.BadHandle(stream));
        }

        nint value = handle.DangerousGetHandle();
        return Kernel32.IsHandle(value)
            ? value
            : throw new LaunchException(
                Win32Error.ERROR_INVALID_HANDLE, LaunchStep.BadHandle, LaunchReason.BadHandle(stream));
    }

    /// <summary>Creates the duplicates that the child inherits, right before the call that starts it.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void MakeInheritable()
    {
        for (int i = 0; i < _sources.Length; i++)
        {
            nint duplicate = Kernel32.DuplicateHandle(_sources[i], isInheritable: true);
            _inheritable[i] = OwnedHandle.From(duplicate, "DuplicateHandle");
        }
    }

    /// <summary>Returns the handle that the child inherits for the channel at an index.</summary>
    public nint At(int index) => _inheritable[index].Value;

    /// <summary>Closes what the child has inherited.</summary>
    public void CloseTheirs()
    {
        for (int i = 0; i < _channels.Length; i++)
        {
            _inheritable[i].Close();
            _pipes[i].Theirs.Close();
        }
    }

    /// <summary>Transfers our ends to another owner.</summary>
    /// <returns>Null if there is none.</returns>
    public WindowsChannels? TakeOurs()
    {
        for (int i = 0; i < _pipes.Length; i++)
        {
            if (_pipes[i].Ours.IsOpen)
            {
                _ours!.Adopt(_channels[i].Number, ref _pipes[i].Ours);
            }
        }

        return _ours;
    }

    /// <summary>Closes everything that is still owned here.</summary>
    public void Close()
    {
        CloseTheirs();
        for (int i = 0; i < _pipes.Length; i++)
        {
            _pipes[i].Close();
        }

        _handles.ForEach(static handle => handle.DangerousRelease());
        _handles.Clear();
    }
}
