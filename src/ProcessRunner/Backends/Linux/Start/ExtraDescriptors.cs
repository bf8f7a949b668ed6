using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Faults;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents what few starts need beside the standard streams: the pipes of channels, and the caller's handles. Every
/// source is above the numbers of the child, so that no copy in the child overwrites the source of another one. The
/// starting thread owns it.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ExtraDescriptors
{
    private readonly SpawnChannel[] _channels;
    private readonly LinuxPipe[] _pipes;
    private readonly OwnedDescriptor[] _moved;
    private readonly List<SafeHandle> _handles = [];
    private readonly int _highest = SpawnRequest.StreamCount - 1;
    private int _movedCount;
    private LinuxChannels? _ours;

    private ExtraDescriptors(ILaunchSettings? settings)
    {
        int count = settings?.Channels.Length ?? 0;
        _channels = new SpawnChannel[count];
        _pipes = new LinuxPipe[count];
        _moved = new OwnedDescriptor[SpawnRequest.StreamCount + count];
        if (count > 0)
        {
            _highest = settings!.Channels[^1].Number;
        }
    }

    /// <summary>Gets the sources of the channels, in the order of their numbers.</summary>
    public ReadOnlySpan<SpawnChannel> Channels => _channels;

    /// <summary>Returns the object that a plan needs, or null.</summary>
    public static ExtraDescriptors? For(ILaunchPlan plan) =>
        plan.HasExtraStreams ? new ExtraDescriptors(plan.Settings) : null;

    /// <summary>Opens the channels that a plan asks for.</summary>
    /// <exception cref="LaunchException">A handle is closed.</exception>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public void Open(ILaunchSettings settings)
    {
        for (int i = 0; i < _channels.Length; i++)
        {
            LaunchChannel channel = settings.Channels[i];
            int source;
            if (channel.Binding.Handle is SafeHandle handle)
            {
                source = Borrow(handle, $"channel {channel.Number}");
            }
            else
            {
                _pipes[i] = LinuxPipe.Open(weRead: true);
                source = Above(_pipes[i].Theirs.Number);
            }

            _channels[i] = new SpawnChannel(channel.Number, source);
        }

        // After the start there may be no memory left, and nobody but this object has our ends.
        FaultPoint.AllocateManaged();
        int[] numbers = [.. _channels.Where((_, index) => _pipes[index].Ours.IsOpen).Select(channel => channel.Number)];
        _ours = numbers.Length == 0 ? null : new LinuxChannels(numbers);
    }

    /// <summary>Returns the descriptor of a caller's handle, which is held open until <see cref="Close"/>.</summary>
    /// <exception cref="LaunchException">The handle is closed.</exception>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public int Borrow(SafeHandle handle, string stream)
    {
        bool isHeld = false;
        try
        {
            handle.DangerousAddRef(ref isHeld);
            _handles.Add(handle);
        }
        catch (ObjectDisposedException)
        {
            throw new LaunchException(Errno.EBADF, LaunchStep.BadHandle, LaunchReason.BadHandle(stream));
        }

        int descriptor = (int)handle.DangerousGetHandle();
        return LibC.Fcntl(descriptor, LibC.F_GETFD, 0) >= 0
            ? Above(descriptor)
            : throw new LaunchException(Errno.EBADF, LaunchStep.BadHandle, LaunchReason.BadHandle(stream));
    }

    /// <summary>Returns the given descriptor, or a copy of it if a number of the child is not below it.</summary>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public int Above(int descriptor)
    {
        if (descriptor > _highest)
        {
            return descriptor;
        }

        int copy = LibC.Fcntl(descriptor, LibC.F_DUPFD_CLOEXEC, _highest + 1);
        _moved[_movedCount] = OwnedDescriptor.From(copy, "fcntl");
        return _moved[_movedCount++].Number;
    }

    /// <summary>Closes the child's ends, of which the child has copies.</summary>
    public void CloseTheirs()
    {
        for (int i = 0; i < _movedCount; i++)
        {
            _moved[i].Close();
        }

        for (int i = 0; i < _pipes.Length; i++)
        {
            _pipes[i].Theirs.Close();
        }
    }

    /// <summary>Transfers our ends to another owner. Allocates no memory.</summary>
    /// <returns>Null if there is none.</returns>
    public LinuxChannels? TakeOurs()
    {
        for (int i = 0; i < _pipes.Length; i++)
        {
            if (_pipes[i].Ours.IsOpen)
            {
                _ours!.Adopt(_channels[i].Number, _pipes[i].TakeOurs());
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
