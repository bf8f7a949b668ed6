using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace PTest.Configuration;

/// <summary>Finds and reads ptest.json. Each error names the file, the line and the key.</summary>
internal static partial class ConfigurationReader
{
    private const string FileName = "ptest.json";

    /// <summary>Reads the file that is nearest, from a folder upwards.</summary>
    /// <returns>The file, or an empty one if there is none.</returns>
    /// <exception cref="UsageException">It is invalid.</exception>
    public static (ConfigurationFile File, string Path) Find(string folder)
    {
        for (DirectoryInfo? current = new(folder); current is not null; current = current.Parent)
        {
            string path = Path.Combine(current.FullName, FileName);
            if (File.Exists(path))
            {
                return (Read(path), path);
            }
        }

        return (new ConfigurationFile(), FileName);
    }

    private static ConfigurationFile Read(string path)
    {
        string text = File.ReadAllText(path);
        try
        {
            ConfigurationFile file = JsonSerializer.Deserialize(text, ConfigurationJson.Default.ConfigurationFile)
                ?? throw new UsageException($"{path}:1: an object is expected.");
            Check(file, path, text);
            return file;
        }
        catch (JsonException exception)
        {
            throw new UsageException(
                $"{path}:{(exception.LineNumber ?? 0) + 1}: {Key(exception.Path)}{Reason(exception)}.");
        }
    }

    private static void Check(ConfigurationFile file, string path, string text)
    {
        foreach ((string name, Profile? profile) in file.Profiles ?? [])
        {
            Refuse(profile is null, $"{path}: profiles.{name}");
            foreach (Override? one in profile!.Overrides ?? [])
            {
                Refuse(one?.Filter is null, $"{path}: profiles.{name}.overrides");
                if (one!.Group is string group && file.Groups?.ContainsKey(group) != true)
                {
                    Match place = Regex.Match(text, $"\"group\"\\s*:\\s*\"{Regex.Escape(group)}\"");
                    int line = text.AsSpan(0, place.Index).Count('\n') + 1;
                    string known = string.Join(", ", (file.Groups ?? []).Keys.Order(StringComparer.Ordinal));
                    throw new UsageException(
                        $"{path}:{line}: profiles.{name}.overrides.group: there is no group '{group}' in \"groups\""
                        + $"{(known.Length > 0 ? $": {known}" : "")}.");
                }
            }
        }

        for (int index = 0; index < file.Setup?.Length; index++)
        {
            Refuse(file.Setup[index]?.Command is null, $"{path}: setup[{index}]");
            string?[] command = file.Setup[index].Command;
            string? reason = command is [] or [""] or ["", ..] ? "a program is missing"
                : command.Contains(null) ? "null is not a word of a command"
                : null;
            if (reason is not null)
            {
                int place = Regex.Matches(text, "\"command\"\\s*:")[index].Index;
                throw new UsageException(
                    $"{path}:{text.AsSpan(0, place).Count('\n') + 1}: setup[{index}].command: {reason}.");
            }
        }
    }

    private static void Refuse(bool isNull, string place)
    {
        if (isNull)
        {
            throw new UsageException($"{place}: null stands where a value is expected.");
        }
    }

    private static string Key(string? path) => path is null or "$" ? "" : $"{path[1..].TrimStart('.')}: ";

    private static string Reason(JsonException exception)
    {
        if (UnknownKey().Match(exception.Message) is { Success: true } unknown)
        {
            return $"there is no key '{unknown.Groups[1].Value}'";
        }

        if (exception.Message.Contains("could not be converted", StringComparison.Ordinal))
        {
            return "a value of another kind is expected";
        }

        string message = exception.Message.Split(" Path: ")[0].Split(" LineNumber: ")[0];
        return message.TrimEnd('.', ' ', '|');
    }

    [GeneratedRegex("property '(.*)' could not be mapped")]
    private static partial Regex UnknownKey();
}
