using System;
using System.Collections.Generic;
using System.Globalization;

namespace PTest.Hosts.Mtp;

/// <summary>Turns the messages of Microsoft.Testing.Platform into events.</summary>
/// <param name="events">Where they go.</param>
/// <param name="classOf">Gets the class of a test by its id, whose name the messages of a run lack.</param>
internal sealed class MtpMessages(EventWriter events, Func<string, string?> classOf)
{
    private const int Discovered = 5;
    private const int Results = 6;
    private const int Session = 8;
    private const int InProgress = 10;

    private const int SuccessList = 3;
    private const int FailureList = 4;

    private const byte Passed = 1;
    private const byte Skipped = 2;
    private const byte Running = 7;

    private const byte SessionStart = 0;
    private const byte SessionEnd = 1;

    /// <summary>Handles a message.</summary>
    /// <param name="kind">Its id in the protocol; others than these four are of no interest.</param>
    /// <param name="body">Its fields.</param>
    public void On(int kind, ReadOnlySpan<byte> body)
    {
        if (kind is not (Discovered or Results or Session or InProgress))
        {
            return;
        }

        MtpReader message = new(body);
        for (int left = message.Count(); left > 0; left--)
        {
            int id = message.Field(out ReadOnlySpan<byte> value);
            if (kind == Session && id == 1 && value[0] is (SessionStart or SessionEnd))
            {
                events.Write(value[0] == SessionStart ? EventNames.Ready : EventNames.RunEnded);
            }
            else if (kind == Discovered && id == SuccessList)
            {
                MtpReader.List(value, OnDiscovered);
            }
            else if (kind is Results or InProgress && id is SuccessList or FailureList)
            {
                bool hasFailed = id == FailureList;
                byte state = kind == InProgress ? Running : default;
                MtpReader.List(value, (ref MtpReader element) => OnTest(ref element, hasFailed, state));
            }
        }
    }

    private void OnDiscovered(ref MtpReader element)
    {
        string[] texts = new string[8];
        Dictionary<string, List<string>> traits = [];
        for (int left = element.Count(); left > 0; left--)
        {
            int id = element.Field(out ReadOnlySpan<byte> value);
            if (id is 1 or 2 or 5 or 6 or 7)
            {
                texts[id] = MtpReader.Text(value);
            }
            else if (id == 8)
            {
                MtpReader.List(value, (ref MtpReader trait) => OnTrait(ref trait, traits));
            }
        }

        string name = texts[6] is not { Length: > 0 } type ? ""
            : texts[5] is { Length: > 0 } space ? $"{space}.{type}"
            : type;
        events.Write(
            EventNames.Found,
            traits,
            ("case", texts[1]),
            ("class", name),
            ("method", texts[7]),
            ("test", Full(name, texts[2] ?? texts[1])),
            ("collection", name));
    }

    private static void OnTrait(ref MtpReader element, Dictionary<string, List<string>> traits)
    {
        (string key, string text) = ("", "");
        for (int left = element.Count(); left > 0; left--)
        {
            int id = element.Field(out ReadOnlySpan<byte> value);
            if (id == 1)
            {
                key = MtpReader.Text(value);
            }
            else if (id == 2)
            {
                text = MtpReader.Text(value);
            }
        }

        if (!traits.TryGetValue(key, out List<string>? values))
        {
            traits[key] = values = [];
        }

        values.Add(text);
    }

    private void OnTest(ref MtpReader element, bool hasFailed, byte state)
    {
        string?[] texts = new string?[14];
        long ticks = 0;
        bool isSuperseded = false;
        List<(string? Message, string? Stack)> failures = [];
        for (int left = element.Count(); left > 0; left--)
        {
            int id = element.Field(out ReadOnlySpan<byte> value);
            if (id == 3)
            {
                state = value[0];
            }
            else if (id == 4)
            {
                ticks = MtpReader.Long(value);
            }
            else if (id == 6 && hasFailed)
            {
                MtpReader.List(value, (ref MtpReader failure) => failures.Add(Failure(ref failure)));
            }
            else if (id == (hasFailed ? 13 : 10))
            {
                // The framework itself tries the test again.
                isSuperseded = value[0] != 0;
            }
            else if (id < texts.Length && id != (hasFailed ? 12 : 9))
            {
                texts[id] = MtpReader.Text(value);
            }
        }

        string test = texts[1]!;
        string name = Full(classOf(test) ?? "", texts[2] ?? test);
        if (state == Running)
        {
            events.Write(EventNames.Started, ("case", test), ("test", name));
        }
        else if (isSuperseded)
        {
            events.Write(EventNames.Superseded, ("case", test), ("outcome", Outcome(state)));
        }
        else
        {
            string output = hasFailed ? texts[7] + texts[8] : texts[6] + texts[7];
            (string? message, string? stack) = failures.Count > 0 ? failures[0] : (texts[5], null);
            events.Write(
                EventNames.Ended,
                ("case", test),
                ("test", name),
                ("outcome", Outcome(state)),
                ("seconds", TimeSpan.FromTicks(ticks).TotalSeconds.ToString(CultureInfo.InvariantCulture)),
                ("message", message is { Length: > 0 } ? message : null),
                ("stack", stack is { Length: > 0 } ? stack : null),
                ("output", output is { Length: > 0 } ? output : null));
            events.Write(EventNames.CaseEnded, ("case", test));
        }
    }

    private static string Outcome(byte state) => state switch
    {
        Passed => OutcomeNames.Passed,
        Skipped => OutcomeNames.Skipped,
        _ => OutcomeNames.Failed,
    };

    private static (string? Message, string? Stack) Failure(ref MtpReader element)
    {
        string?[] texts = new string?[4];
        for (int left = element.Count(); left > 0; left--)
        {
            int id = element.Field(out ReadOnlySpan<byte> value);
            if (id < texts.Length)
            {
                texts[id] = MtpReader.Text(value);
            }
        }

        return (texts[1], texts[3]);
    }

    private static string Full(string className, string name) =>
        className.Length == 0 || name.StartsWith($"{className}.", StringComparison.Ordinal)
            ? name
            : $"{className}.{name}";
}
