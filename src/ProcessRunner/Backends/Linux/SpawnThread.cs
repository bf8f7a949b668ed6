using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Linux;

/// <summary>
/// A thread that starts children and has a descriptor table of its own, which is all but empty. A new process begins with a
/// copy of its starter's table, and has it closed again before its exec: with thousands of children alive that is milliseconds
/// of work for descriptors that it must not have.
/// </summary>
/// <remarks>
/// <para>The three descriptors that a start needs come to it over a socket, as SCM_RIGHTS (unix(7)), and so does the answer go
/// back. The request itself lies in the memory of the thread that asks, which blocks until then. Whoever has rented it from
/// <see cref="SpawnThreads"/> is the only one who asks.</para>
/// <para>On this thread a number means another descriptor than anywhere else in the process, also to the runtime, which has
/// descriptors of its own: for memory that it compiles to, for random numbers, for the signals that it hands on. So once it
/// has its table nothing of the runtime may run here. All signals are blocked, and <see cref="Serve"/> is all that it does: a
/// method without calls but those of C functions, by pointers, that allocates nothing, and was compiled, and run once, before.
/// The end of a thread was rehearsed by another one.</para>
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SpawnThread
{
    /// <summary>Which numbers those three have there: the lowest free ones. This one becomes descriptor 0 of the child.</summary>
    public const int Input = 3;

    /// <summary>Becomes descriptor 1 of the child.</summary>
    public const int Output = 4;

    /// <summary>Becomes descriptor 2 of the child.</summary>
    public const int Error = 5;

    private const int StackSize = 256 * 1024;

    // What a message says: where the request is or, as an answer, whether it has been run.
    private const nint Done = 1;
    private const nint NotDone = 0;
    private const nint Stop = 0;

    // Where its end of the socket is in its own table, and what keeps 0, 1 and 2 from being given to what it receives.
    private const int OwnEnd = 0;

    private readonly Thread _thread;
    private readonly Functions _functions = Functions.Find();
    private OwnedDescriptor _socket;
    private OwnedDescriptor _theirs;

    private SpawnThread()
    {
        int* ends = stackalloc int[2];
        OwnedDescriptor.ThrowIfFailed(
            LibC.SocketPair(LibC.AF_UNIX, LibC.SOCK_SEQPACKET | LibC.SOCK_CLOEXEC, 0, ends), "socketpair");
        OwnedDescriptor.FromPair(ends[0], ends[1], out _socket, out _theirs);
        _thread = new Thread(Run, StackSize) { Name = "ProcessRunner spawn", IsBackground = true };
    }

    /// <summary>Starts such a thread.</summary>
    /// <returns>Null if there can be none here: close_range(2) is missing (Linux 5.9) or hidden by a seccomp profile.</returns>
    /// <exception cref="Win32Exception">Nothing is free for it now.</exception>
    public static SpawnThread? Open()
    {
        SpawnThread thread = new();
        thread.Start();

        // The first answer, and the end of serving, belong to the rehearsal.
        thread.SendStop();
        thread.Receive();
        bool isReady = thread.Receive() == Done;
        thread._theirs.Close();
        if (isReady)
        {
            return thread;
        }

        thread.Close();
        return null;
    }

    /// <summary>Has a child started.</summary>
    /// <param name="request">What to do, with <see cref="Input"/> and so on as the numbers of the streams.</param>
    /// <param name="input">What becomes <see cref="Input"/>.</param>
    /// <param name="output">What becomes <see cref="Output"/>.</param>
    /// <param name="error">What becomes <see cref="Error"/>.</param>
    /// <returns>False if nothing was done, for want of memory or because too many descriptors are under way in sockets.</returns>
    public bool TryRun(SpawnRequest* request, int input, int output, int error)
    {
        LibC.ThreeDescriptors control = LibC.ThreeDescriptors.Of(input, output, error);
        return Send((nint)request, &control) && Receive() == Done;
    }

    /// <summary>Ends the thread.</summary>
    public void Close()
    {
        SendStop();
        Uninterruptible.Do(_thread, static thread => thread.Join());
        _socket.Close();
    }

    private void Start()
    {
        try
        {
            Thread rehearsal = new(static () => { }, StackSize) { Name = _thread.Name, IsBackground = true };
            rehearsal.UnsafeStart();
            Uninterruptible.Do(rehearsal, static thread => thread.Join());
            _thread.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            _theirs.Close();
            _socket.Close();
            throw new Win32Exception(Errno.ENOMEM);
        }
    }

    private void Run()
    {
        LibC.BlockSignals();
        int theirs = _theirs.Number;
        Serve(_functions, theirs);
        Rehearse(_functions);
        bool hasOwnTable = TakeOwnTable(_functions, theirs);
        if (hasOwnTable)
        {
            Serve(_functions, OwnEnd);
        }
        else
        {
            nint word = NotDone;
            LibC.IoVector data = new() { Base = &word, Length = (nuint)sizeof(nint) };
            LibC.MessageHeader message = LibC.MessageHeader.Of(&data, null);
            _ = LibC.SendMessage(theirs, &message, LibC.MSG_NOSIGNAL);
        }
    }

    // Of a program without a name: an error, and nothing else happens.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Rehearse(Functions functions)
    {
        int processId;
        byte empty = 0;
        byte* none = null;
        _ = functions.Spawn(&processId, &empty, null, null, &none, &none);
        _ = functions.Close(-1);
    }

    // The copy goes no further than to the descriptor that is needed.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static bool TakeOwnTable(Functions functions, int theirs)
    {
        if (functions.SystemCall(LibC.SYS_close_range, theirs + 1, int.MaxValue, LibC.CLOSE_RANGE_UNSHARE, 0, 0) < 0)
        {
            return false;
        }

        _ = functions.Dup2(theirs, OwnEnd);
        _ = functions.SystemCall(LibC.SYS_close_range, 1, int.MaxValue, 0, 0, 0);
        _ = functions.Dup2(OwnEnd, 1);
        _ = functions.Dup2(OwnEnd, 2);
        return true;
    }

    // Says that it is ready, and answers each request until one says stop or the other end is gone.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Serve(Functions functions, int socket)
    {
        nint word = Done;
        LibC.IoVector data = new() { Base = &word, Length = (nuint)sizeof(nint) };
        LibC.ThreeDescriptors control = default;
        LibC.MessageHeader message = default;
        while (true)
        {
            // The one who asks is there until this thread has ended: what fails here does so for want of memory, for a moment.
            message = LibC.MessageHeader.Of(&data, null);
            while (functions.Send(socket, &message, LibC.MSG_NOSIGNAL) < 0)
            {
            }

            word = Stop;
            do
            {
                control.cmsg_len = 0;
                message = LibC.MessageHeader.Of(&data, &control);
            }
            while (functions.Receive(socket, &message, LibC.MSG_CMSG_CLOEXEC) < 0);

            if (word == Stop)
            {
                return;
            }

            // Fewer than three: the others found no room.
            bool hasAll = control.cmsg_len == LibC.ThreeDescriptors.Length
                && control.First == Input && control.Second == Output && control.Third == Error;
            if (hasAll)
            {
                SpawnRequest* request = (SpawnRequest*)word;
                request->Error = functions.Spawn(
                    &request->ProcessId, request->Path, request->Actions, request->Attributes, request->Arguments, request->Environment);
            }

            _ = functions.Close(Input);
            _ = functions.Close(Output);
            _ = functions.Close(Error);
            word = hasAll ? Done : NotDone;
        }
    }

    // By a message, since a process that other code has forked may hold a copy of our end. Whoever has no memory for so little
    // tries again: the thread would wait for ever.
    private void SendStop()
    {
        while (!Send(Stop, null) && Marshal.GetLastPInvokeError() is (Errno.ENOMEM or Errno.ENOBUFS))
        {
            Thread.Yield();
        }
    }

    private bool Send(nint word, LibC.ThreeDescriptors* control)
    {
        LibC.IoVector data = new() { Base = &word, Length = (nuint)sizeof(nint) };
        LibC.MessageHeader message = LibC.MessageHeader.Of(&data, control);
        nint count;
        do
        {
            count = LibC.SendMessage(_socket.Number, &message, LibC.MSG_NOSIGNAL);
        }
        while (count < 0 && Marshal.GetLastPInvokeError() == Errno.EINTR);
        return count == sizeof(nint);
    }

    // 0 as well if the other end is gone.
    private nint Receive()
    {
        nint word = 0;
        LibC.IoVector data = new() { Base = &word, Length = (nuint)sizeof(nint) };
        nint count;
        do
        {
            LibC.MessageHeader message = LibC.MessageHeader.Of(&data, null);
            count = LibC.ReceiveMessage(_socket.Number, &message, 0);
        }
        while (count < 0 && Marshal.GetLastPInvokeError() == Errno.EINTR);
        return count == sizeof(nint) ? word : 0;
    }

    /// <summary>The C functions that the thread calls once it has its own table.</summary>
    private readonly struct Functions
    {
        public delegate* unmanaged<int, LibC.MessageHeader*, int, nint> Send { get; private init; }

        public delegate* unmanaged<int, LibC.MessageHeader*, int, nint> Receive { get; private init; }

        public delegate* unmanaged<int*, byte*, void*, void*, byte**, byte**, int> Spawn { get; private init; }

        public delegate* unmanaged<int, int> Close { get; private init; }

        public delegate* unmanaged<int, int, int> Dup2 { get; private init; }

        public delegate* unmanaged<nint, nint, nint, nint, nint, nint, nint> SystemCall { get; private init; }

        public static Functions Find() => new()
        {
            Send = (delegate* unmanaged<int, LibC.MessageHeader*, int, nint>)LibC.Find("sendmsg"),
            Receive = (delegate* unmanaged<int, LibC.MessageHeader*, int, nint>)LibC.Find("recvmsg"),
            Spawn = (delegate* unmanaged<int*, byte*, void*, void*, byte**, byte**, int>)LibC.Find("posix_spawn"),
            Close = (delegate* unmanaged<int, int>)LibC.Find("close"),
            Dup2 = (delegate* unmanaged<int, int, int>)LibC.Find("dup2"),
            SystemCall = (delegate* unmanaged<nint, nint, nint, nint, nint, nint, nint>)LibC.Find("syscall"),
        };
    }
}
