namespace ProcessRunner.TestChild;

/// <summary>Maps the signal names of kill(1) to the numbers of Linux on x64 and arm64.</summary>
internal static class SignalNames
{
    public const int Kill = 9;
    public const int Stop = 19;

    /// <summary>Gets the number of a signal, or 0 for an unknown name.</summary>
    public static int Number(string name) => name switch
    {
        "HUP" => 1,
        "INT" => 2,
        "QUIT" => 3,
        "ILL" => 4,
        "TRAP" => 5,
        "ABRT" => 6,
        "BUS" => 7,
        "FPE" => 8,
        "KILL" => Kill,
        "USR1" => 10,
        "SEGV" => 11,
        "USR2" => 12,
        "PIPE" => 13,
        "ALRM" => 14,
        "TERM" => 15,
        "CHLD" => 17,
        "CONT" => 18,
        "STOP" => Stop,
        "TSTP" => 20,
        "TTIN" => 21,
        "TTOU" => 22,
        "WINCH" => 28,
        "SYS" => 31,
        _ => 0,
    };
}
