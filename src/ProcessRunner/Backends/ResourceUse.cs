using System;

namespace ProcessRunner.Backends;

/// <summary>What the kernel has counted for a child.</summary>
/// <param name="UserTime">Processor time in user mode.</param>
/// <param name="SystemTime">Processor time in the kernel.</param>
/// <param name="PeakWorkingSet">The largest resident set, in bytes.</param>
internal readonly record struct ResourceUse(TimeSpan UserTime, TimeSpan SystemTime, long PeakWorkingSet);
