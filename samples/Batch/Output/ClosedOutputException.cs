using System.IO;

namespace Batch.Output;

/// <summary>Whoever read our output is gone, as <c>head</c> after ten lines: no error of anybody's.</summary>
internal sealed class ClosedOutputException() : IOException("Nobody reads the output any more.");
