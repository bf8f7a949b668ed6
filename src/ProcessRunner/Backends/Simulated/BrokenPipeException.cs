using System.IO;

namespace ProcessRunner.Backends.Simulated;

/// <summary>The exception for a write to a pipe that nobody reads any longer.</summary>
internal sealed class BrokenPipeException() : IOException("Nobody reads the pipe any longer.");
