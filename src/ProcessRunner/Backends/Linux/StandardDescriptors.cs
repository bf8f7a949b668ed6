using System;
using System.ComponentModel;
using System.IO;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// The descriptors that become a child's standard streams, and our ends of those that are pipes. Opened before the
/// start by the starting thread, which owns them: it closes the child's ends after the start and hands ours over.
/// </summary>
[SupportedOSPlatform("linux")]
internal struct StandardDescriptors
{
    private Pipe _input;
    private Pipe _output;
    private Pipe _error;
    private NearDescriptors.Three? _near;

    /// <summary>The number that becomes descriptor 0 of the child.</summary>
    public int Input { readonly get; private set; }

    /// <summary>The number that becomes descriptor 1 of the child.</summary>
    public int Output { readonly get; private set; }

    /// <summary>The number that becomes descriptor 2 of the child.</summary>
    public int Error { readonly get; private set; }

    /// <summary>Opens what a command asks for.</summary>
    /// <exception cref="Win32Exception">Out of descriptors.</exception>
    /// <exception cref="ProcessStartException">A file cannot be opened.</exception>
    public void Open(ProcessCommand command, int nullDevice, NearDescriptors near)
    {
        Input = Open(command, command.StandardInput.Binding, 0, nullDevice, ref _input);
        Output = Open(command, command.StandardOutput.Binding, 1, nullDevice, ref _output);
        Error = command.StandardError.Binding.Kind == StreamBindingKind.Output
            ? Output
            : Open(command, command.StandardError.Binding, 2, nullDevice, ref _error);
        _near = near.RentFor(Math.Max(Input, Math.Max(Output, Error)));
        if (_near is not null)
        {
            Input = _near.Hold(0, Input);
            Output = _near.Hold(1, Output);
            Error = _near.Hold(2, Error);
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

    private static int Open(ProcessCommand command, StreamBinding binding, int standardNumber, int nullDevice, ref Pipe pipe)
    {
        switch (binding.Kind)
        {
            case StreamBindingKind.Pipe:
                pipe = Pipe.Open(weRead: standardNumber != 0);
                return pipe.Theirs.Number;

            case StreamBindingKind.File:
                pipe.Theirs = OpenFile(command, binding, isInput: standardNumber == 0);
                return pipe.Theirs.Number;

            case StreamBindingKind.Connection:
                return ((LinuxPipeConnection)binding.Connection!).EndFor(standardNumber);

            // Where a standard stream of this process was closed, its number is free or was given to something else,
            // which is close-on-exec as a standard stream never is.
            case StreamBindingKind.Inherit when LibC.Fcntl(standardNumber, LibC.F_GETFD, 0) == 0:
                return standardNumber;

            default:
                return nullDevice;
        }
    }

    private static OwnedDescriptor OpenFile(ProcessCommand command, StreamBinding binding, bool isInput)
    {
        const uint ReadWriteForAll = 0b110_110_110;
        int flags = isInput
            ? LibC.O_RDONLY
            : LibC.O_WRONLY | LibC.O_CREAT | (binding.Append ? LibC.O_APPEND : LibC.O_TRUNC);
        string path = Path.GetFullPath(binding.Path!);
        try
        {
            return OwnedDescriptor.From(LibC.Open(path, flags | LibC.O_CLOEXEC, ReadWriteForAll), "open");
        }
        catch (Win32Exception exception) when (exception.NativeErrorCode is not (Errno.EMFILE or Errno.ENFILE or Errno.ENOMEM))
        {
            throw StartDiagnosis.StreamFile(command, path, isInput, exception.NativeErrorCode);
        }
    }
}
