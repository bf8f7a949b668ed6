using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Start;

/// <summary>
/// Represents the sources of a child's standard streams, and this process's ends of those that are pipes. The starting
/// thread opens and owns them: it closes the child's ends after the start and transfers our ends. In the same way it
/// opens the connection that the child writes to, and owns it until the child exists. The child itself opens files.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct StandardDescriptors
{
    private static readonly string[] s_names = ["input", "output", "error"];

    private LinuxPipe _input;
    private LinuxPipe _output;
    private LinuxPipe _error;
    private LinuxPipeConnection? _connection;
    private ThreeStreams _streams;
    private LowDescriptorPool.Lease? _lowDescriptors;
    private ExtraDescriptors? _extra;

    /// <summary>Gets the sources of the child's descriptors 0, 1 and 2.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<SpawnStream> Streams => _streams;

    /// <summary>Gets the sources of the channels.</summary>
    public readonly ReadOnlySpan<SpawnChannel> Channels => _extra is null ? default : _extra.Channels;

    /// <summary>Gets whether ends of the child are open here, which are closed once it runs.</summary>
    public readonly bool HasTheirs => _input.Theirs.IsOpen || _output.Theirs.IsOpen || _error.Theirs.IsOpen;

    /// <summary>Opens the streams that a plan asks for.</summary>
    /// <exception cref="LaunchException">A handle of the caller is closed.</exception>
    /// <exception cref="Win32Exception">The process or the system is out of descriptors.</exception>
    public void Open(ILaunchPlan plan, int nullDevice, LowDescriptorPool lowDescriptors)
    {
        _extra = ExtraDescriptors.For(plan);
        _streams[0] = Open(plan.Input, 0, nullDevice, ref _input);
        if (plan.Output.Connection is LinuxPipeConnection connection)
        {
            connection.Open();
            _connection = connection;
        }

        _streams[1] = Open(plan.Output, 1, nullDevice, ref _output);
        _streams[2] = Open(plan.Error, 2, nullDevice, ref _error);
        if (_extra is not null)
        {
            OpenExtra(plan);
            return;
        }

        int highest = Math.Max(_streams[0].Descriptor, Math.Max(_streams[1].Descriptor, _streams[2].Descriptor));
        _lowDescriptors = lowDescriptors.RentFor(highest, GivenNumber);
        for (int number = 0; _lowDescriptors is not null && number < SpawnRequest.StreamCount; number++)
        {
            if (_streams[number].Descriptor is int descriptor and >= 0)
            {
                _streams[number] = SpawnStream.Of(_lowDescriptors.Hold(number, descriptor));
            }
        }
    }

    /// <summary>Closes the child's ends, of which the child has copies.</summary>
    public void CloseTheirs()
    {
        _input.Theirs.Close();
        _output.Theirs.Close();
        _error.Theirs.Close();
        _extra?.CloseTheirs();
        ReturnNear();
    }

    /// <summary>Transfers our ends to another owner and gives up the connection, because the child exists.</summary>
    public void TakeOurs(out OwnedDescriptor input, out OwnedDescriptor output, out OwnedDescriptor error)
    {
        _connection = null;
        input = _input.TakeOurs();
        output = _output.TakeOurs();
        error = _error.TakeOurs();
    }

    /// <summary>Transfers our ends of the channels to another owner.</summary>
    /// <returns>Null if there is none.</returns>
    public readonly LinuxChannels? TakeChannels() => _extra?.TakeOurs();

    /// <summary>Closes everything that is still owned here.</summary>
    public void Close()
    {
        _input.Close();
        _output.Close();
        _error.Close();
        _connection?.Dispose();
        _extra?.Close();
        ReturnNear();
    }

    // A stream of this process that the child inherits keeps its number, and so overwrites nothing.
    private void OpenExtra(ILaunchPlan plan)
    {
        if (plan.Settings is ILaunchSettings settings)
        {
            _extra!.Open(settings);
        }

        for (int number = 0; number < SpawnRequest.StreamCount; number++)
        {
            if (_streams[number].Descriptor is int descriptor and >= 0 && descriptor != number)
            {
                _streams[number] = SpawnStream.Of(_extra!.Above(descriptor));
            }
        }
    }

    private readonly int GivenNumber =>
        _output.Theirs.IsOpen ? _output.Theirs.Number
        : _error.Theirs.IsOpen ? _error.Theirs.Number
        : _input.Theirs.IsOpen ? _input.Theirs.Number
        : int.MaxValue;

    private void ReturnNear()
    {
        _lowDescriptors?.Return();
        _lowDescriptors = null;
    }

    private readonly SpawnStream Open(StreamBinding binding, int standardNumber, int nullDevice, ref LinuxPipe pipe)
    {
        switch (binding.Kind)
        {
            case StreamBindingKind.Pipe:
                pipe = LinuxPipe.Open(weRead: standardNumber != 0);
                return SpawnStream.Of(pipe.Theirs.Number);

            case StreamBindingKind.File when standardNumber == 0:
                return SpawnStream.From(StreamFile.PathFor(binding.Path!));

            case StreamBindingKind.File:
                return SpawnStream.To(StreamFile.PathFor(binding.Path!), binding.Append);

            case StreamBindingKind.Connection when standardNumber == 0:
                return SpawnStream.Of(((LinuxPipeConnection)binding.Connection!).ReadEnd);

            case StreamBindingKind.Connection:
                return SpawnStream.Of(((LinuxPipeConnection)binding.Connection!).WriteEnd);

            case StreamBindingKind.Handle:
                return SpawnStream.Of(_extra!.Borrow(binding.Handle!, $"standard {s_names[standardNumber]}"));

            case StreamBindingKind.Output:
                return SpawnStream.Output;

            // If a standard stream of this process was closed, its number is free or has been reused by a descriptor
            // that is close-on-exec, which a standard stream never is.
            case StreamBindingKind.Inherit when LibC.Fcntl(standardNumber, LibC.F_GETFD, 0) == 0:
                return SpawnStream.Of(standardNumber);

            default:
                return SpawnStream.Of(nullDevice);
        }
    }

    [InlineArray(SpawnRequest.StreamCount)]
    private struct ThreeStreams
    {
        private SpawnStream _first;
    }
}
