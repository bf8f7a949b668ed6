using System;
using System.Collections.Generic;
using System.Linq;

namespace PTest.Hosts;

/// <summary>Formats a failure of xunit, which has an exception and those inside it.</summary>
internal static class FailureText
{
    private const string Assertions = "Xunit.Sdk.";

    /// <summary>Gets the messages, each with the type of its exception, unless that is one of an assertion.</summary>
    public static string Message(IEnumerable<string> messages, IEnumerable<string?> types) => string.Join(
        "\n",
        messages.Zip(types, (text, type) =>
            type is null || type.StartsWith(Assertions, StringComparison.Ordinal) ? text : $"{type}: {text}"));

    /// <summary>Gets the stack traces; null if there are none.</summary>
    public static string? Stack(IEnumerable<string?> traces) =>
        string.Join("\n", traces.Where(trace => trace is not null)) is { Length: > 0 } text ? text : null;
}
