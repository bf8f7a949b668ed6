using System;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A small shell in a session of its own that outlives this process for a moment: its standard input is a pipe whose
/// other end only we hold, and at its end it kills children: those on the roll with their groups, those in their start, and
/// whatever carries a mark.
/// </summary>
/// <remarks>
/// Owned by its family, which serializes all calls. The shell knows a process by its id and its start time, so that it passes over
/// a stranger who has got the id.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Guardian : IDisposable
{
    // It is given what marks begin with; what becomes of those that are not on the roll, kill or spare; the number by which the
    // children of the engine hold the roll, its standard output, until their exec; and our process id. We hold it as well, and are
    // still there if the engine is disposed: no child is in its start then.
    // Where /proc is another namespace's, its numbers are strangers': nothing is done then.
    // A process can be forked while a pass looks elsewhere, and has no environment in the middle of an exec, when its code begins
    // nowhere (proc_pid_stat(5)). So passes are made until two find nobody, and nobody who is unclear.
    // Of a name with a line break in it the last line is read. A live process has a group of its number only if it leads that.
    // All but grep is part of the shell. It gets some hundred names at a time: all can be more than one command line takes.
    private const string Script =
        """
        cd /
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin
        trap '' HUP INT QUIT TERM
        knows_us() {
            while read -r key value; do
                case $key in Tgid: | NStgid:) number=$value ;; esac
            done </proc/self/status
            [ "$number" = $$ ]
        }
        look() {
            fields=
            while read -r line; do fields=$line; done <"/proc/$1/stat" || return
            set -- ${fields##*) }
            state=$1
            flags=$7
            start=${20}
            code=${24}
        }
        lives() {
            look "$1" || return
            case $state in '' | [ZX]) return 1 ;; esac
            [ $((flags & (kernel_thread | exiting))) = 0 ]
        }
        kill_all() {
            kill -KILL "-$1"
            kill -KILL "$1" && clean=0
        }
        kill_marked() {
            for line in $(grep -o -a -H -e "$prefix[0-9a-f]\{8\}" "$@"); do
                process=${line#/proc/}
                eval "verdict=\${mark_${line##*-}:-$others}"
                [ "$verdict" = kill ] && kill_all "${process%%/*}"
            done
        }
        knows_us || exit
        prefix=$1
        others=$2
        roll=$3
        host=$4
        exiting=4
        kernel_thread=2097152
        read -r end
        exec 2>/dev/null
        lives "$host" && roll=
        while read -r verdict child id begin; do
            [ -n "$child" ] && eval "mark_$child=$verdict"
            [ -n "$id" ] && look "$id" && [ "$start" = "$begin" ] && kill_all "$id"
        done <&1
        clean=0
        passes=0
        while [ "$clean" -lt 2 ] && [ "$passes" -lt 50 ]; do
            clean=$((clean + 1))
            passes=$((passes + 1))
            count=0
            files=
            for process in /proc/[0-9]*; do
                [ -r "$process/environ" ] || continue
                if [ -n "$roll" ] && [ "$process" != "/proc/$host" ] && [ "$process/fd/$roll" -ef /proc/self/fd/1 ]; then
                    kill_all "${process#/proc/}"
                elif lives "${process#/proc/}" && [ "$code" = 0 ]; then
                    clean=0
                else
                    files="$files $process/environ"
                    count=$((count + 1))
                fi
                if [ "$count" -eq 500 ]; then
                    kill_marked $files
                    count=0
                    files=
                fi
            done
            kill_marked $files
        done
        """;

    private OwnedDescriptor _pipe;
    private readonly int _processId;
    private OwnedDescriptor _pidfd;

    /// <summary>Starts it.</summary>
    /// <param name="spawner">Starts programs.</param>
    /// <param name="markPrefix">What the marks of the engine begin with. All are of one length, so none is the beginning of another.</param>
    /// <param name="killsUntold">Whether it kills what carries a mark that is not on the roll.</param>
    /// <param name="roll">The descriptor of the roll.</param>
    /// <exception cref="ProcessStartException">There is no /bin/sh, or the system is out of something.</exception>
    public Guardian(Spawner spawner, string markPrefix, bool killsUntold, int roll)
    {
        string number = roll.ToString(CultureInfo.InvariantCulture);
        string host = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        ProcessCommand command = new(
            "/bin/sh", "-c", Script, "processrunner-guardian", markPrefix, killsUntold ? "kill" : "spare", number, host)
        {
            InheritEnvironment = false,
        };
        int* ends = stackalloc int[2];
        OwnedDescriptor theirs = default;
        NativeStrings environment = LinuxEnvironment.Compose(null, command, default, default);
        try
        {
            OwnedDescriptor.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
            OwnedDescriptor.FromPair(ends[0], ends[1], out theirs, out _pipe);
            _processId = spawner.Spawn(
                command,
                ProcessGroupMode.Session,
                command.FileName,
                environment.ToArray(),
                inheritsLimit: false,
                [SpawnStream.Of(theirs.Number), SpawnStream.Of(roll), SpawnStream.Of(spawner.NullDevice)],
                kept: -1,
                progress: null,
                out _pidfd);
            PidFd.OpenOrKill(_processId, ref _pidfd);
        }
        catch (Exception exception)
        {
            _pipe.Close();
            throw exception is Win32Exception error ? StartDiagnosis.Explain(command, command.FileName, error) : exception;
        }
        finally
        {
            theirs.Close();
            environment.Dispose();
        }
    }

    /// <summary>Ends it before it has done anything, and waits for its end.</summary>
    public void LetGo()
    {
        // If it lived on, it would take the end of the pipe for ours.
        _ = !PidFd.IsTaken(_pidfd.Number) && PidFd.Signal(_pidfd.Number, _processId, LibC.SIGKILL);
        Dispose();
    }

    /// <summary>Lets it do its work, and waits until it has ended.</summary>
    public void Dispose()
    {
        _pipe.Close();
        PidFd.Reap(_pidfd.Number, out _);
        _pidfd.Close();
    }
}
