using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Starts;
using ProcessRunner.Backends.Windows.Io;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the sources of a child's standard streams, and this process's ends of those that are pipes. The starting
/// thread opens and owns them: it closes all but our ends after the start, and transfers those. In the same way it
/// opens the connection that the child writes to, and owns it until the child exists.
/// </summary>
/// <remarks>
/// A child receives inheritable duplicates, which exist only around the call that starts it. A process that other code
/// starts in that moment, without a list of handles, inherits them too, and can hold a pipe open.
/// </remarks>
[SupportedOSPlatform("windows")]
internal struct StandardHandles
{
    private const int Count = 3;

    private WindowsPipe _input;
    private WindowsPipe _output;
    private WindowsPipe _error;
    private WindowsPipeConnection? _connection;
    private ThreeHandles _files;
    private ThreeHandles _inheritable;

    // The sources, which others own. Zero for the child's own standard output.
    private nint _inputSource;
    private nint _outputSource;
    private nint _errorSource;
    private ExtraHandles? _extra;

    /// <summary>Gets the child's standard input.</summary>
    public readonly nint Input => _inheritable[0].Value;

    /// <summary>Gets the child's standard output.</summary>
    public readonly nint Output => _inheritable[1].Value;

    /// <summary>Gets the child's standard error.</summary>
    public readonly nint Error => _inheritable[2].IsOpen ? _inheritable[2].Value : Output;

    /// <summary>Gets the channels, and the handles of the caller; null if there are none.</summary>
    public readonly ExtraHandles? Extra => _extra;

    /// <summary>Opens the streams that a plan asks for.</summary>
    /// <exception cref="LaunchException">A file cannot be opened, or a handle of the caller is closed.</exception>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void Open(ILaunchPlan plan)
    {
        if (plan.Output.Connection is WindowsPipeConnection connection)
        {
            connection.Open();
            _connection = connection;
        }

        _extra = ExtraHandles.For(plan);
        _inputSource = OpenInput(plan.Input);
        _outputSource = OpenOutput(plan.Output, Kernel32.STD_OUTPUT_HANDLE, "output", ref _output, ref _files[1]);
        _errorSource = plan.Error.Kind == StreamBindingKind.Output
            ? 0
            : OpenOutput(plan.Error, Kernel32.STD_ERROR_HANDLE, "error", ref _error, ref _files[2]);
        _extra?.Open();
    }

    /// <summary>Creates the duplicates that the child inherits, right before the call that starts it.</summary>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public void MakeInheritable()
    {
        Duplicate(_inputSource, ref _inheritable[0]);
        Duplicate(_outputSource, ref _inheritable[1]);
        if (_errorSource != 0)
        {
            Duplicate(_errorSource, ref _inheritable[2]);
        }

        _extra?.MakeInheritable();
    }

    /// <summary>Closes what the child has inherited.</summary>
    public void CloseTheirs()
    {
        for (int number = 0; number < Count; number++)
        {
            _inheritable[number].Close();
            _files[number].Close();
        }

        _input.Theirs.Close();
        _output.Theirs.Close();
        _error.Theirs.Close();
        _extra?.CloseTheirs();
    }

    /// <summary>Transfers our ends to another owner and gives up the connection, because the child exists.</summary>
    public void TakeOurs(ref StartedProcess started)
    {
        _connection = null;
        started.Input = _input.Ours.Take();
        started.Output = _output.Ours.Take();
        started.Error = _error.Ours.Take();
        started.Channels = _extra?.TakeOurs();
    }

    /// <summary>Closes everything that is still owned here.</summary>
    public void Close()
    {
        CloseTheirs();
        _input.Close();
        _output.Close();
        _error.Close();
        _connection?.Dispose();
        _extra?.Close();
    }

    private nint OpenInput(StreamBinding binding)
    {
        switch (binding.Kind)
        {
            case StreamBindingKind.Pipe:
                _input = WindowsPipe.Open(weRead: false);
                return _input.Theirs.Value;

            case StreamBindingKind.File:
                _files[0] = StreamFile.OpenInput(binding.Path!);
                return _files[0].Value;

            case StreamBindingKind.Connection:
                return ((WindowsPipeConnection)binding.Connection!).ReadEnd;

            case StreamBindingKind.Handle:
                return _extra!.Borrow(binding.Handle!, "standard input");

            default:
                return Shared(binding, Kernel32.STD_INPUT_HANDLE);
        }
    }

    private readonly nint OpenOutput(
        StreamBinding binding, uint standard, string stream, ref WindowsPipe pipe, ref OwnedHandle file)
    {
        switch (binding.Kind)
        {
            case StreamBindingKind.Pipe:
                pipe = WindowsPipe.Open(weRead: true);
                return pipe.Theirs.Value;

            case StreamBindingKind.File:
                file = StreamFile.OpenOutput(binding.Path!, binding.Append, stream);
                return file.Value;

            case StreamBindingKind.Connection:
                return ((WindowsPipeConnection)binding.Connection!).WriteEnd;

            case StreamBindingKind.Handle:
                return _extra!.Borrow(binding.Handle!, $"standard {stream}");

            default:
                return Shared(binding, standard);
        }
    }

    // A stream that this process has closed may still have its number.
    private static nint Shared(StreamBinding binding, uint standard)
    {
        nint ours = binding.Kind == StreamBindingKind.Inherit ? OwnConsole.StandardHandle(standard) : 0;
        return Kernel32.IsHandle(ours) ? ours : NullDevice.Handle;
    }

    private static void Duplicate(nint source, ref OwnedHandle duplicate) =>
        duplicate = OwnedHandle.From(Kernel32.DuplicateHandle(source, isInheritable: true), "DuplicateHandle");

    [InlineArray(Count)]
    private struct ThreeHandles
    {
        private OwnedHandle _first;
    }
}
