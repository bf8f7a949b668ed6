using System;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.Versioning;
using System.Text;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A small shell in a session of its own that outlives this process for a moment: its standard input is a pipe whose
/// other end only we hold, and at its end it kills whatever carries the engine's mark. No message is sent for a child,
/// so its cost does not grow with their number, and no process id is remembered that could be a stranger's by then.
/// What is sent are the marks of detached children, which it spares.
/// </summary>
/// <remarks>Owned by its backend. Writes to the pipe are short and so atomic (pipe(7)); any thread may make them.</remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Guardian : IDisposable
{
    // A process can be forked while a pass looks elsewhere, so passes are made until two find nobody.
    // $1 is what the marks of the engine begin with. All marks are of one length, so none is the beginning of another.
    // xargs, because the names of all processes can be more than one command line takes.
    private const string Script =
        """
        trap '' HUP INT TERM
        spared=
        while read -r mark; do spared="$spared -e $mark"; done
        marked() { printf '%s\n' /proc/[0-9]*/environ | xargs grep -l -a -F "$@" 2>/dev/null; }
        passes=0
        while [ "$passes" -lt 50 ]; do
            passes=$((passes + 1))
            found=
            let_go=
            [ -n "$spared" ] && let_go=" $(marked $spared | tr '\n' ' ')"
            for file in $(marked -e "$1"); do
                case "$let_go" in *" $file "*) continue ;; esac
                process=${file#/proc/}
                kill -KILL "${process%/environ}" 2>/dev/null && found=yes
            done
            [ -z "$found" ] && [ "$passes" -gt 1 ] && break
        done
        """;

    private readonly int _processId;
    private OwnedDescriptor _pipe;
    private OwnedDescriptor _pidfd;

    /// <summary>Starts the guardian of the engine whose marks begin with <paramref name="markPrefix"/>.</summary>
    /// <exception cref="ProcessStartException">There is no /bin/sh, or the system is out of something.</exception>
    public Guardian(Spawner spawner, string markPrefix)
    {
        ProcessCommand command = new("/bin/sh", "-c", Script, "processrunner-guardian", markPrefix)
        {
            Environment = ImmutableDictionary<string, string?>.Empty.Add(ChildMark.VariableName, null),
            WorkingDirectory = "/",
        };
        int* ends = stackalloc int[2];
        OwnedDescriptor theirs = default;
        LinuxEnvironment inherited = LinuxEnvironment.Take();
        NativeStrings environment = LinuxEnvironment.Compose(inherited, command, default, default);
        try
        {
            OwnedDescriptor.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
            OwnedDescriptor.FromPair(ends[0], ends[1], out theirs, out _pipe);
            SpawnStream none = SpawnStream.Of(spawner.NullDevice);
            _processId = spawner.Spawn(
                command,
                ProcessGroupMode.Session,
                command.FileName,
                environment.ToArray(),
                [SpawnStream.Of(theirs.Number), none, none],
                progress: null,
                out _pidfd);
            PidFd.OpenOrKill(_processId, ref _pidfd);
        }
        catch (Win32Exception exception)
        {
            _pipe.Close();
            throw StartDiagnosis.Explain(command, command.FileName, exception);
        }
        finally
        {
            theirs.Close();
            environment.Dispose();
            GC.KeepAlive(inherited);
        }
    }

    /// <summary>Has it spare the child of that mark and its descendants.</summary>
    public void Spare(string mark)
    {
        byte[] line = Encoding.UTF8.GetBytes(mark + "\n");
        fixed (byte* first = line)
        {
            // EPIPE: the guardian was killed. There is nobody left then who would not spare the child.
            _ = LibC.Write(_pipe.Number, first, (nuint)line.Length);
        }
    }

    /// <summary>Lets it do its work, and waits until it has ended.</summary>
    public void Dispose()
    {
        _pipe.Close();
        PidFd.Reap(_pidfd.Number, out _);
        _pidfd.Close();
    }
}
