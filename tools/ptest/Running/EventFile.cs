using System;
using System.IO;
using System.Text;
using PTest.Hosts;

namespace PTest.Running;

/// <summary>Reads the events that a host has written to its file since the last time.</summary>
internal static class EventFile
{
    /// <summary>Gives the new events to their run. One thread reads at a time.</summary>
    public static void Read(UnitRun run)
    {
        lock (run.Folder)
        {
            try
            {
                using FileStream file =
                    new(run.Folder.EventFile, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
                if (file.Length > run.ReadTo)
                {
                    file.Position = run.ReadTo;
                    byte[] bytes = new byte[file.Length - run.ReadTo];
                    int length = file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
                    run.ReadTo += Take(run, bytes.AsSpan(0, length));
                }
            }
            catch (FileNotFoundException)
            {
                // Its host does not write one.
            }
        }
    }

    private static int Take(UnitRun run, ReadOnlySpan<byte> bytes)
    {
        int taken = 0;
        while (bytes[taken..].IndexOf((byte)'\n') is >= 0 and int length)
        {
            if (HostEvent.Parse(Encoding.UTF8.GetString(bytes.Slice(taken, length))) is HostEvent happening)
            {
                run.On(happening);
            }

            taken += length + 1;
        }

        return taken;
    }
}
