using System.IO;

namespace Batch.Output;

/// <summary>
/// The exception that is thrown when the reader of our output is gone, as <c>head</c> after ten lines. It is not an
/// error.
/// </summary>
internal sealed class ClosedOutputException() : IOException("The output has no reader.");
