using System;
using System.Collections.Generic;

namespace ProcessRunner.Backends;

/// <summary>
/// What a backend reports of a child, with the child's gate held: on its reactor's thread, on the one that serves it
/// (<see cref="BackendChild.Serve"/>), or in <see cref="BackendChild.Begin"/>.
/// </summary>
internal interface IChildEvents
{
    /// <summary>Bytes have come out of a pipe; on whichever thread has read them.</summary>
    void OnOutput();

    /// <summary>The last writer of the stream has closed it.</summary>
    void OnEndOfOutput();

    /// <summary>The child has ended; it stays a zombie until it is released. Reported once.</summary>
    void OnExit(ExitStatus status);

    /// <summary>
    /// The child was released by the event before, and nothing more is reported; not after <see cref="BackendChild.Begin"/>.
    /// Comes with no lock held, and on the reactor's thread where nobody serves the child: the one place to start another child
    /// on it. Also comes for a child that was never started, and was released by its deadline.
    /// </summary>
    void OnReleased();

    /// <summary>The instant of <see cref="BackendChild.SetDeadline"/> has passed; there is none set any more.</summary>
    void OnDeadline(long now);

    /// <summary>
    /// An event could not be handled to its end for want of memory, and is not reported again. Takes no memory itself.
    /// </summary>
    void OnOutOfMemory(OutOfMemoryException exception);

    /// <summary>
    /// An answer to <see cref="BackendChild.Survey"/>: descendants that live now. The one event that comes on the survey's
    /// thread instead of the reactor's.
    /// </summary>
    /// <param name="descendants">Those that have been found so far.</param>
    /// <param name="isLast">False if the look goes on: others may have been hidden by the moment.</param>
    void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast);
}
