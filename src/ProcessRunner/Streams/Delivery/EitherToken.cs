using System;
using System.Diagnostics.CodeAnalysis;
using System.Threading;

namespace ProcessRunner.Streams.Delivery;

/// <summary>Represents a token that is canceled as soon as one of two tokens is.</summary>
[SuppressMessage("Reliability", "CA2000", Justification = "The owner of the token disposes the source with it.")]
internal readonly struct EitherToken : IDisposable
{
    private readonly CancellationTokenSource? _source;

    public EitherToken(CancellationToken first, CancellationToken second)
    {
        bool needsSource = first.CanBeCanceled && second.CanBeCanceled && first != second;
        _source = needsSource ? CancellationTokenSource.CreateLinkedTokenSource(first, second) : null;
        Token = _source?.Token ?? (first.CanBeCanceled ? first : second);
    }

    public CancellationToken Token { get; }

    public void Dispose() => _source?.Dispose();
}
