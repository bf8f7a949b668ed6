using System;
using System.Buffers;
using System.IO;
using ProcessRunner;

namespace Cookbook;

/// <summary>Sends bytes to a program and gets bytes back.</summary>
internal static class Binary
{
    public static void Run(TextWriter output)
    {
        byte[] bytes = [0, 255, 10, 13, 0];
        ProcessCommand gzip = new("gzip") { StandardInput = InputSource.FromBytes(bytes) };
        byte[] compressed = gzip.Run().EnsureSuccess().StandardOutput.Bytes.ToArray();
        ProcessCommand gunzip = new("gzip", "-d") { StandardInput = InputSource.FromBytes(compressed) };
        byte[] again = gunzip.Run().EnsureSuccess().StandardOutput.Bytes.ToArray();
        output.WriteLine(Convert.ToHexString(again));
    }
}
