using System;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.Versioning;
using ProcessRunner.Backends.Linux.Io;
using ProcessRunner.Backends.Linux.Start;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux.Descendants;

/// <summary>
/// Represents a small shell in a session of its own that briefly outlives this process. Its standard input is a pipe
/// whose other end only this process holds. At the end of that pipe it kills children: those on the roll with their
/// groups, those still being started, and every process that carries a mark.
/// </summary>
/// <remarks>
/// The family owns the guardian and serializes all calls. The shell identifies a process by its id and its start time,
/// so that it skips a stranger that has received the id.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Guardian
{
    // Arguments: the prefix of all marks; the verdict, kill or spare, for children that are not on the roll; the number
    // under which the children of the engine hold the roll until their exec; and the id of this process. The roll is
    // the shell's standard output. This process holds the roll under the same number, so the shell compares no
    // descriptors while this process lives: then only the engine was disposed, and no child is being started.
    // If /proc belongs to another pid namespace, its numbers belong to strangers, and the shell does nothing.
    // A process can be forked while a pass looks elsewhere. In the middle of an exec it has no environment, and its
    // code start is zero (proc_pid_stat(5)). The passes therefore repeat until two in a row find no child and no
    // process that is unclear.
    // The environment of a process whose first thread has ended is visible only in its other threads.
    // If a process name contains a line break, the last line is the one that is read. A live process has a group of its
    // own number only if it leads that group.
    // Everything except grep is built into the shell. grep receives a few hundred names at a time, because all of them
    // can exceed the limit of one command line.
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
            threads=${18}
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
                if [ -n "$roll" ] && [ "$process" != "/proc/$host" ] &&
                    [ "$process/fd/$roll" -ef /proc/self/fd/1 ]; then
                    kill_all "${process#/proc/}"
                elif lives "${process#/proc/}" && [ "$code" = 0 ]; then
                    clean=0
                else
                    [ "$state" = Z ] && [ "$threads" -gt 1 ] && process=$process/task/*
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

    /// <summary>Starts the guardian.</summary>
    /// <param name="spawner">The spawner that starts the shell.</param>
    /// <param name="markPrefix">
    /// The prefix of the engine's marks. All prefixes have the same length, so none is the beginning of another.
    /// </param>
    /// <param name="killsUnlisted">
    /// Whether the guardian kills processes that carry a mark that is not on the roll.
    /// </param>
    /// <param name="roll">The descriptor of the roll.</param>
    /// <exception cref="LaunchException">There is no /bin/sh, or the system is out of a resource.</exception>
    public Guardian(Spawner spawner, string markPrefix, bool killsUnlisted, int roll)
    {
        string number = roll.ToString(CultureInfo.InvariantCulture);
        string host = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        Shell shell = new(
            ["-c", Script, "processrunner-guardian", markPrefix, killsUnlisted ? "kill" : "spare", number, host]);
        OwnedDescriptor theirs = default;
        NativeStrings environment = default;
        try
        {
            OwnedDescriptor.OpenPipe(out theirs, out _pipe);
            SpawnRequest request = new()
            {
                Program = shell,
                File = shell.FileName,
                Environment = environment.ToArray(),
                Group = LaunchGroup.Session,
                Kept = -1,
                Streams =
                [
                    SpawnStream.Of(theirs.Number), SpawnStream.Of(roll), SpawnStream.Of(spawner.NullDevice),
                ],
            };
            _processId = spawner.Spawn(in request, out _pidfd);
        }
        catch (Exception exception)
        {
            _pipe.Close();
            throw exception is Win32Exception error ? StartDiagnosis.ExplainGuardian(shell.FileName, error) : exception;
        }
        finally
        {
            theirs.Close();
            environment.Dispose();
        }
    }

    /// <summary>Ends the guardian before it has done anything.</summary>
    public void Cancel()
    {
        // A guardian that lived on would take the closing of the pipe for the end of this process.
        Kill();
        _pipe.Close();
        Release();
    }

    /// <summary>Lets the guardian do its work, and waits until it has ended.</summary>
    /// <param name="patience">The time after which it is killed: it hangs in the kernel, or is suspended.</param>
    public void Finish(TimeSpan patience)
    {
        _pipe.Close();
        if (!PidFd.AwaitExit(_pidfd.Number, patience))
        {
            Kill();
        }

        Release();
    }

    // The shell leads a session of its own, to which what it starts belongs.
    private void Kill()
    {
        if (!PidFd.IsTaken(_pidfd.Number))
        {
            _ = LibC.Kill(-_processId, LibC.SIGKILL);
        }
    }

    private void Release()
    {
        if (PidFd.AwaitKilled(_pidfd.Number))
        {
            PidFd.Reap(_pidfd.Number, out _);
        }

        _pidfd.Close();
    }

    private sealed record Shell(ImmutableArray<string> Arguments) : IProgram
    {
        public string FileName => "/bin/sh";

        public string? ArgumentZero => null;

        public string? WorkingDirectory => null;
    }
}
