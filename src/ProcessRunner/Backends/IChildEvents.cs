using System;
using System.Collections.Generic;

namespace ProcessRunner.Backends;

/// <summary>
/// Receives the reports of a backend about a child, with the child's gate held except in <see cref="OnReleased"/>, on a
/// thread of the backend, on the thread that serves the child (<see cref="BackendChild.Serve"/>), or in
/// <see cref="BackendChild.Begin"/>.
/// </summary>
internal interface IChildEvents
{
    /// <summary>Reports that bytes have been read from a pipe; on the thread that has read them.</summary>
    void OnOutput();

    /// <summary>Reports that the last writer of the stream has closed it.</summary>
    void OnEndOfOutput();

    /// <summary>Reports once that the child has ended. Its id stays reserved until it is released.</summary>
    void OnExit(ExitStatus status);

    /// <summary>
    /// Reports that the previous event released the child; nothing further is reported. Not reported for a release
    /// inside <see cref="BackendChild.Begin"/>. Comes with no lock held, and on the reactor's thread unless another
    /// thread serves the child. This is the one place to start another child on that thread. Also comes for a child
    /// that was never started and was released by its deadline.
    /// </summary>
    void OnReleased();

    /// <summary>
    /// Reports that the instant of <see cref="BackendChild.SetDeadline"/> has passed. No instant is set from then on.
    /// </summary>
    void OnDeadline(long now);

    /// <summary>
    /// Reports that an event could not be handled completely, because there was no memory. The event is not repeated.
    /// The implementation takes no memory itself.
    /// </summary>
    void OnOutOfMemory(OutOfMemoryException exception);

    /// <summary>
    /// Reports an answer to <see cref="BackendChild.Survey"/>: descendants that live now. This event and the next one
    /// come on the survey's thread instead of the reactor's.
    /// </summary>
    /// <param name="descendants">The descendants that have been found so far.</param>
    /// <param name="isLast">False if the survey continues, because it could not see others at that moment.</param>
    void OnSurvey(IReadOnlyList<Descendant> descendants, bool isLast);

    /// <summary>
    /// Reports that a descendant has not been asked to end, although
    /// <see cref="BackendChild.RequestStop(Descendant, System.Runtime.InteropServices.PosixSignal)"/> said that it
    /// would be: the check of its id was impossible at that moment.
    /// </summary>
    void OnStopNotSent(Descendant descendant);
}
