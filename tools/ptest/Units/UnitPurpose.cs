namespace PTest.Units;

/// <summary>Specifies why tests run.</summary>
internal enum UnitPurpose
{
    /// <summary>They have not run yet.</summary>
    First,

    /// <summary>Their process ended before they ran. None of them ran in it.</summary>
    Again,

    /// <summary>The test failed among others, or ran beside others when their process ended.</summary>
    Alone,

    /// <summary>The test failed among others, and may pass without them: the same others once more.</summary>
    Company,

    /// <summary>One of the tests left a process behind, and it is not known which.</summary>
    Leak,

    /// <summary>The test failed, and may run again.</summary>
    Retry,

    /// <summary>A process ended right after these tests: in what they share, or by something outside.</summary>
    Around,

    /// <summary>All tests of a process run together again, because none of them ended it alone.</summary>
    Together,
}
