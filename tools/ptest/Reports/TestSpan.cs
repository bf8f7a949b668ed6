using System;

namespace PTest.Reports;

/// <summary>Represents one run of a test in a process.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Started">When it started.</param>
/// <param name="Ended">When it, or its process, ended.</param>
/// <param name="Outcome">What its framework said, or the verdict about its process.</param>
internal sealed record TestSpan(string Name, DateTime Started, DateTime Ended, string Outcome);
