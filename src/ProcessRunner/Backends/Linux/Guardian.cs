using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.Versioning;
using System.Text;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A small shell in a session of its own that outlives this process for a moment: its standard input is a pipe whose
/// other end only we hold, and at its end it kills children: their groups, and whatever carries their marks.
/// </summary>
/// <remarks>
/// <para>Owned by its family. It is told words: before its start, which it then gets as arguments, and after it, through the
/// pipe; by any thread, also with a child's gate held. <c>_gate</c> guards the words and the pipe; nothing is taken inside.</para>
/// <para>The shell knows a process by its id and its start time, so that it passes over a stranger who has got the id.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class Guardian : IDisposable
{
    // The words that it is told: +NUMBER, that the mark of that number is to be killed; -NUMBER, that it is to be spared;
    // NUMBER.ID.START.TARGET, a child, when it was started (field 22 in proc_pid_stat(5)), and what kill is to be given.
    // Where /proc is another namespace's, its numbers are strangers': nothing is done then.
    // A process can be forked while a pass looks elsewhere, so passes are made until two find nobody.
    // xargs, because the names of all processes can be more than one command line takes.
    private const string Script =
        """
        cd /
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        trap '' HUP INT QUIT TERM
        read -r stat </proc/self/stat && [ "${stat%% *}" = $$ ] || exit
        prefix=$1
        others=$2
        shift 2
        hear() {
            case $1 in
                +*) eval "mark_${1#+}=kill" ;;
                -*) eval "mark_${1#-}=spare" ;;
                *) later="$later $1" ;;
            esac
        }
        decide() { eval "verdict=\${mark_$1:-$others}"; }
        kill_child() {
            unset IFS
            decide "$1"
            [ "$verdict" = kill ] && read -r stat <"/proc/$2/stat" || return
            set -- "$3" "$4" ${stat##*) }
            [ "${22}" = "$1" ] && kill -KILL "$2"
        }
        marked() { printf '%s\n' /proc/[0-9]*/environ | xargs grep -o -a -H -e "$prefix[0-9a-f]\{8\}"; }
        later=
        for word do
            case $word in [+-]*) hear "$word" ;; esac
        done
        while read -r word; do hear "$word"; done
        exec 2>/dev/null
        for word in "$@" $later; do
            IFS=.
            case $word in [+-]*) ;; *) kill_child $word ;; esac
        done
        unset IFS
        passes=0
        while [ "$passes" -lt 50 ]; do
            passes=$((passes + 1))
            found=
            for line in $(marked); do
                process=${line#/proc/}
                decide "${line##*-}"
                [ "$verdict" = kill ] && kill -KILL "${process%%/*}" && found=yes
            done
            [ -z "$found" ] && [ "$passes" -gt 1 ] && break
        done
        """;

    private readonly object _gate = new();
    private readonly string _markPrefix;
    private List<string>? _unsaid = [];
    private OwnedDescriptor _pipe;
    private OwnedDescriptor _pidfd;

    /// <param name="markPrefix">What the marks of the engine begin with. All are of one length, so none is the beginning of another.</param>
    /// <param name="killsUntold">Whether it kills what carries a mark that it is not told of: it is there for good then.</param>
    public Guardian(string markPrefix, bool killsUntold)
    {
        _markPrefix = markPrefix;
        KillsUntold = killsUntold;
    }

    /// <summary>Whether it need not be told of each child.</summary>
    public bool KillsUntold { get; }

    /// <summary>The word that has whatever carries the mark of that number killed.</summary>
    public static string Kill(uint number) => string.Create(CultureInfo.InvariantCulture, $"+{number:x8}");

    /// <summary>The word that has a child, and whatever carries its mark, spared.</summary>
    public static string Spare(uint number) => string.Create(CultureInfo.InvariantCulture, $"-{number:x8}");

    /// <summary>The word that has a child killed, and its group if it leads one, whether or not it carries a mark.</summary>
    public static string Child(uint number, int processId, ulong startTime, bool leadsGroup) =>
        string.Create(CultureInfo.InvariantCulture, $"{number:x8}.{processId}.{startTime}.{(leadsGroup ? "-" : "")}{processId}");

    /// <summary>Starts it, once. After an exception there is nothing to dispose.</summary>
    /// <exception cref="ProcessStartException">There is no /bin/sh, or the system is out of something.</exception>
    public void Start(Spawner spawner)
    {
        string[] words;
        lock (_gate)
        {
            words = [.. _unsaid!];
            _unsaid.Clear();
        }

        Spawn(spawner, words);
        lock (_gate)
        {
            _unsaid.ForEach(Write);
            _unsaid = null;
        }
    }

    /// <summary>Tells it something.</summary>
    public void Tell(string word)
    {
        using (Uninterruptible.Lock(_gate))
        {
            if (_unsaid is not null)
            {
                _unsaid.Add(word);
            }
            else
            {
                Write(word);
            }
        }
    }

    /// <summary>Ends it before it has done anything, and waits for its end.</summary>
    public void LetGo()
    {
        _ = LibC.PidFdSendSignal(_pidfd.Number, LibC.SIGKILL);
        Dispose();
    }

    /// <summary>Lets it do its work, and waits until it has ended.</summary>
    public void Dispose()
    {
        using (Uninterruptible.Lock(_gate))
        {
            _pipe.Close();
        }

        PidFd.Reap(_pidfd.Number, out _);
        _pidfd.Close();
    }

    private void Spawn(Spawner spawner, string[] words)
    {
        ProcessCommand command = new ProcessCommand(
            "/bin/sh", "-c", Script, "processrunner-guardian", _markPrefix, KillsUntold ? "kill" : "spare")
        {
            Environment = ImmutableDictionary<string, string?>.Empty.Add(ChildMark.VariableName, null),
        }.WithArguments(words);
        int* ends = stackalloc int[2];
        OwnedDescriptor theirs = default;
        LinuxEnvironment inherited = LinuxEnvironment.Take();
        NativeStrings environment = LinuxEnvironment.Compose(inherited, command, default, default);
        try
        {
            OwnedDescriptor.ThrowIfFailed(LibC.Pipe2(ends, LibC.O_CLOEXEC), "pipe2");
            OwnedDescriptor.FromPair(ends[0], ends[1], out theirs, out _pipe);
            SpawnStream none = SpawnStream.Of(spawner.NullDevice);
            int processId = spawner.Spawn(
                command,
                ProcessGroupMode.Session,
                command.FileName,
                environment.ToArray(),
                inheritsLimit: false,
                [SpawnStream.Of(theirs.Number), none, none],
                progress: null,
                out _pidfd);
            PidFd.OpenOrKill(processId, ref _pidfd);
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

    // With the gate held.
    private void Write(string word)
    {
        byte[] line = Encoding.UTF8.GetBytes(word + "\n");
        fixed (byte* first = line)
        {
            // EPIPE: the guardian was killed. There is nobody left then who would kill or spare. EBADF: it is over.
            _ = LibC.Write(_pipe.Number, first, (nuint)line.Length);
        }
    }
}
