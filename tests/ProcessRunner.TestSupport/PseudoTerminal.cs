using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace ProcessRunner.TestSupport;

/// <summary>
/// Represents a terminal whose keyboard and screen belong to the test (pty(7)). Its own thread reads the screen, so
/// that no program that writes to it ever waits.
/// </summary>
public sealed unsafe class PseudoTerminal : IDisposable
{
    /// <summary>The key Ctrl-C, which sends SIGINT to the foreground group.</summary>
    public const string CtrlC = "\x03";

    /// <summary>The key Ctrl-\, which sends SIGQUIT to the foreground group.</summary>
    public const string CtrlBackslash = "\x1c";

    /// <summary>The key Ctrl-Z, which sends SIGTSTP to the foreground group.</summary>
    public const string CtrlZ = "\x1a";

    private readonly int _master;
    private readonly int _slave;
    private readonly Thread _reader;
    private readonly StringBuilder _screen = new();
    private volatile bool _isClosing;
    private bool _isClosed;

    public PseudoTerminal()
    {
        _master =
            Check(NativeMethods.OpenTerminal(NativeMethods.O_RDWR | NativeMethods.O_NOCTTY | NativeMethods.O_CLOEXEC));
        Check(NativeMethods.Grant(_master));
        Check(NativeMethods.Unlock(_master));
        byte* name = stackalloc byte[128];
        Check(NativeMethods.NameOf(_master, name, 128));
        Path = Marshal.PtrToStringUTF8((nint)name)!;

        // The screen could not be read while no program has the terminal open.
        _slave =
            Check(NativeMethods.Open(Path, NativeMethods.O_RDWR | NativeMethods.O_NOCTTY | NativeMethods.O_CLOEXEC));
        _reader = new Thread(ReadScreen) { IsBackground = true, Name = "screen" };
        _reader.Start();
    }

    /// <summary>Gets the path of the file that programs open.</summary>
    public string Path { get; }

    /// <summary>Gets all text that has been written to the screen so far, including typed text.</summary>
    public string Screen
    {
        get
        {
            lock (_screen)
            {
                return _screen.ToString();
            }
        }
    }

    /// <summary>
    /// Creates a command that leads a session with this controlling terminal, and all three standard streams on it: the
    /// first terminal that a session leader opens becomes its own (tty_open in the kernel, credentials(7)).
    /// </summary>
    public ProcessCommand Leading(ProcessCommand command) =>
        new ProcessCommand(
            "/bin/sh", "-c", "terminal=$1; shift; exec \"$@\" 0<>\"$terminal\" 1>&0 2>&0", "sh", Path, command.FileName)
        {
            GroupMode = ProcessGroupMode.Session,
            Environment = command.Environment,
            Descendants = command.Descendants,
            DrainGrace = command.DrainGrace,
        }.WithArguments(command.Arguments);

    /// <summary>Types on the keyboard.</summary>
    public void Type(string keys)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(keys);
        fixed (byte* first = bytes)
        {
            Check((int)NativeMethods.Write(_master, first, (nuint)bytes.Length));
        }
    }

    /// <summary>Waits until a text is on the screen.</summary>
    public void WaitFor(string text) =>
        Eventually.Is(
            () => Screen.Contains(text, StringComparison.Ordinal), $"'{text}' is written; there is: {Screen}");

    /// <summary>
    /// Closes the window: the kernel hangs up and sends SIGHUP to the session's leader and to the foreground group.
    /// </summary>
    public void HangUp()
    {
        if (!_isClosed)
        {
            // A pending read would keep the terminal open.
            _isClosed = _isClosing = true;
            _reader.Join();
            Check(NativeMethods.Close(_master));
            Check(NativeMethods.Close(_slave));
        }
    }

    public void Dispose() => HangUp();

    private static int Check(int result) => result >= 0 ? result : throw new Win32Exception();

    private void ReadScreen()
    {
        Decoder decoder = Encoding.UTF8.GetDecoder();
        byte* bytes = stackalloc byte[4096];
        char* characters = stackalloc char[4096];
        NativeMethods.PollDescriptor polled = new() { Descriptor = _master, Events = NativeMethods.POLLIN };
        while (!_isClosing)
        {
            nint count = NativeMethods.Poll(&polled, 1, 20) > 0 ? NativeMethods.Read(_master, bytes, 4096) : 0;
            if (count > 0)
            {
                int length = decoder.GetChars(bytes, (int)count, characters, 4096, flush: false);
                lock (_screen)
                {
                    _screen.Append(characters, length);
                }
            }
        }
    }
}
