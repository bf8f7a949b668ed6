using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// What becomes a child's standard streams, and our ends of those that are pipes. Opened before the start by the starting
/// thread, which owns them: it closes the child's ends after the start and hands ours over. Files are opened by the child.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct StandardDescriptors
{
    private Pipe _input;
    private Pipe _output;
    private Pipe _error;
    private ThreeStreams _streams;
    private NearDescriptors.Three? _near;

    /// <summary>What becomes the descriptors 0, 1 and 2 of the child.</summary>
    [UnscopedRef]
    public readonly ReadOnlySpan<SpawnStream> Streams => _streams;

    /// <summary>Opens what a command asks for.</summary>
    /// <exception cref="Win32Exception">Out of descriptors.</exception>
    public void Open(ProcessCommand command, int nullDevice, NearDescriptors near)
    {
        _streams[0] = Open(command.StandardInput.Binding, 0, nullDevice, ref _input);
        _streams[1] = Open(command.StandardOutput.Binding, 1, nullDevice, ref _output);
        _streams[2] = Open(command.StandardError.Binding, 2, nullDevice, ref _error);
        int highest = Math.Max(_streams[0].Descriptor, Math.Max(_streams[1].Descriptor, _streams[2].Descriptor));
        _near = near.RentFor(highest);
        for (int number = 0; _near is not null && number < SpawnRequest.StreamCount; number++)
        {
            if (_streams[number].Descriptor is int descriptor and >= 0)
            {
                _streams[number] = SpawnStream.Of(_near.Hold(number, descriptor));
            }
        }
    }

    /// <summary>Closes the child's ends, of which the child has copies.</summary>
    public void CloseTheirs()
    {
        _input.Theirs.Close();
        _output.Theirs.Close();
        _error.Theirs.Close();
        ReturnNear();
    }

    /// <summary>Hands our ends over to another owner.</summary>
    public void TakeOurs(out OwnedDescriptor input, out OwnedDescriptor output, out OwnedDescriptor error)
    {
        input = _input.TakeOurs();
        output = _output.TakeOurs();
        error = _error.TakeOurs();
    }

    /// <summary>Closes whatever is still owned here.</summary>
    public void Close()
    {
        _input.Close();
        _output.Close();
        _error.Close();
        ReturnNear();
    }

    private void ReturnNear()
    {
        _near?.Return();
        _near = null;
    }

    private static SpawnStream Open(StreamBinding binding, int standardNumber, int nullDevice, ref Pipe pipe)
    {
        switch (binding.Kind)
        {
            case StreamBindingKind.Pipe:
                pipe = Pipe.Open(weRead: standardNumber != 0);
                return SpawnStream.Of(pipe.Theirs.Number);

            case StreamBindingKind.File when standardNumber == 0:
                return SpawnStream.From(StreamFile.PathFor(binding.Path!));

            case StreamBindingKind.File:
                return SpawnStream.To(StreamFile.PathFor(binding.Path!), binding.Append);

            case StreamBindingKind.Connection:
                return SpawnStream.Of(((LinuxPipeConnection)binding.Connection!).EndFor(standardNumber));

            case StreamBindingKind.Output:
                return SpawnStream.Output;

            // Where a standard stream of this process was closed, its number is free or was given to something else,
            // which is close-on-exec as a standard stream never is.
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
