using System.Runtime.Versioning;

namespace ProcessRunner.Backends.Linux;

/// <summary>Sees SIGHUP by <see cref="HangUp"/>, whose state belongs to the process.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxHangUpWatch : HangUpWatch
{
    public override void Note() => HangUp.Note();

    public override bool Take() => HangUp.Take();

    public override void EndUnlessHandled() => HangUp.EndUnlessHandled();
}
