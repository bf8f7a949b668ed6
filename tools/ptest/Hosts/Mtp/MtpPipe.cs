using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Pipes;
using System.Text;
using System.Threading;

namespace PTest.Hosts.Mtp;

/// <summary>
/// Represents the end of a pipe that a program of Microsoft.Testing.Platform reports to, as it does to "dotnet test"
/// (protocol dotnettestcli). Its reports become events in the file of its process. A program may have helpers that
/// connect as well, so there is a thread for each connection.
/// </summary>
internal sealed class MtpPipe : IDisposable
{
    private const int Handshake = 9;
    private const int VersionsProperty = 4;
    private const int IsIdeProperty = 9;

    /// <summary>
    /// The longest path of a socket, in bytes: macOS takes 104 (sun_path in unix(4)), Linux 108, with a zero at the
    /// end.
    /// </summary>
    private const int MaxPath = 100;

    /// <summary>All versions from this one on have what is read here.</summary>
    private const string Version = "1.0.0";

    /// <summary>No message of a test is longer. A length beyond it comes from something else.</summary>
    private const int MaxFrame = 256 * 1024 * 1024;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    private readonly CancellationTokenSource _end = new();
    private readonly List<Thread> _readers = [];
    private readonly EventWriter _events;
    private readonly MtpMessages _messages;
    private readonly Thread _acceptor;
    private NamedPipeServerStream _next;

    public MtpPipe(WorkFolder folder, Func<string, string?> classOf)
    {
        Name = OperatingSystem.IsWindows() ? $"ptest-{Guid.NewGuid():n}"
            : Encoding.UTF8.GetByteCount(folder.PipeFile) <= MaxPath ? folder.PipeFile
            : $"/tmp/ptest-{Guid.NewGuid():n}";
        _events = new EventWriter(folder.EventFile);
        _messages = new MtpMessages(_events, classOf);
        _next = NewServer();
        _acceptor = new Thread(Accept) { IsBackground = true, Name = "ptest pipe" };
        _acceptor.Start();
    }

    /// <summary>Gets the name by which the program connects.</summary>
    public string Name { get; }

    /// <summary>Takes what has been reported, and ends the connections. The program has ended before.</summary>
    public void Dispose()
    {
        _end.Cancel();
        _acceptor.Join();
        foreach (Thread reader in _readers)
        {
            // A process that the tests left behind may hold the connection open.
            reader.Join(s_patience);
        }

        _end.Dispose();
        _events.Dispose();
    }

    private NamedPipeServerStream NewServer() => new(
        Name,
        PipeDirection.InOut,
        NamedPipeServerStream.MaxAllowedServerInstances,
        PipeTransmissionMode.Byte,
        PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly);

    private void Accept()
    {
        while (true)
        {
            NamedPipeServerStream connection = _next;
            try
            {
                connection.WaitForConnectionAsync(_end.Token).GetAwaiter().GetResult();
                _next = NewServer();
            }
            catch (Exception)
            {
                // The end, or a lack of descriptors or of memory: the program then ends without its last event.
                connection.Dispose();
                return;
            }

            Thread reader = new(() => Serve(connection)) { IsBackground = true, Name = "ptest pipe reader" };
            _readers.Add(reader);
            reader.Start();
        }
    }

    private void Serve(NamedPipeServerStream connection)
    {
        using (connection)
        {
            try
            {
                while (Frame(connection) is byte[] frame)
                {
                    int kind = BinaryPrimitives.ReadInt32LittleEndian(frame);
                    _messages.On(kind, frame.AsSpan(sizeof(int)));
                    Reply(connection, kind);
                }
            }
            catch (Exception)
            {
                // A program that dies leaves half a message, and a test may write anything. Earlier messages count.
            }
        }
    }

    private static byte[]? Frame(NamedPipeServerStream connection)
    {
        byte[] length = new byte[sizeof(int)];
        if (connection.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) < length.Length)
        {
            return null;
        }

        int size = BinaryPrimitives.ReadInt32LittleEndian(length);
        if (size is < sizeof(int) or > MaxFrame)
        {
            throw new IOException($"a message of {size} bytes");
        }

        byte[] frame = new byte[size];
        connection.ReadExactly(frame);
        return frame;
    }

    /// <summary>Answers a message: the program waits for that before it reports on.</summary>
    private static void Reply(NamedPipeServerStream connection, int kind)
    {
        using MemoryStream frame = new();
        using BinaryWriter writer = new(frame);
        writer.Write(0);
        writer.Write(kind == Handshake ? Handshake : 0);
        if (kind == Handshake)
        {
            // Only an IDE gets reports of the start of each test, and of classes.
            writer.Write((ushort)2);
            Write(writer, VersionsProperty, Version);
            Write(writer, IsIdeProperty, "true");
        }

        writer.Flush();
        byte[] bytes = frame.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length - sizeof(int));
        connection.Write(bytes);
        connection.Flush();
    }

    private static void Write(BinaryWriter writer, byte property, string value)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(value);
        writer.Write(property);
        writer.Write(bytes.Length);
        writer.Write(bytes);
    }
}
