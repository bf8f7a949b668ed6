using System.Text;

namespace ProcessRunner.Streams;

/// <summary>
/// Represents how a stream is decoded. An encoding can be code of the user, so its members are not called on a reactor.
/// </summary>
/// <param name="Encoding">The encoding.</param>
/// <param name="IsStrict">Whether bytes that it cannot decode are an error.</param>
internal readonly record struct Decoding(Encoding Encoding, bool IsStrict = false)
{
    /// <summary>Returns the encoding, with <see cref="StrictFallback"/> if it is to be strict.</summary>
    public Encoding Make() => IsStrict ? StrictFallback.In(Encoding) : Encoding;
}
