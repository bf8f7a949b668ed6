using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using PTest.CommandLine;
using PTest.Running;
using PTest.Suites;

namespace PTest.Configuration;

/// <summary>
/// Brings together what the command line, the profile, the profile "default" and ptest itself say, in this order. An
/// override comes before its profile, and the first one that chooses a test and has the key before later ones.
/// </summary>
internal sealed class EffectiveSettings
{
    private const string Default = "default";

    private readonly Profile[] _profiles;
    private readonly Override[] _overrides;
    private readonly Settings _settings;
    private readonly ConcurrentDictionary<TestCase, TestPolicy> _policies = new();

    /// <summary>Reads the nearest ptest.json.</summary>
    /// <exception cref="UsageException">It is invalid, or there is no such profile.</exception>
    public EffectiveSettings(Settings settings)
    {
        (File, string path) = ConfigurationReader.Find(Directory.GetCurrentDirectory());
        Dictionary<string, Profile> known = File.Profiles ?? [];
        if (settings.Profile is string name && name != Default && !known.ContainsKey(name))
        {
            throw new UsageException(known.Count > 0
                ? $"{path} has no profile '{name}': {string.Join(", ", known.Keys)}."
                : $"there is no profile '{name}': no ptest.json here or above has one.");
        }

        _profiles =
        [
            .. new[] { settings.Profile, Default }.OfType<string>().Distinct().Select(known.GetValueOrDefault)
                .OfType<Profile>(),
        ];
        _overrides = [.. _profiles.SelectMany(profile => profile.Overrides ?? [])];
        _settings = settings;
        Settings = settings with
        {
            Isolation = settings.Isolation ?? Of(profile => profile.Isolation),
            Jobs = settings.Jobs ?? Of(profile => profile.Jobs),
            RunTimeout = settings.RunTimeout ?? Of(profile => profile.RunTimeout),
            HangDump = settings.HangDump ?? Of(profile => profile.HangDump),
            FailFast = settings.FailFast ?? Of(profile => profile.FailFast),
            Precompiles = settings.Precompiles ?? Of(profile => profile.Precompile),
            Reports = settings.Reports.Count > 0
                ? settings.Reports
                : _profiles.Select(profile => profile.Report).FirstOrDefault(report => report is not null) ?? [],
        };
    }

    public ConfigurationFile File { get; }

    /// <summary>Gets whether an override goes by traits.</summary>
    public bool UsesTraits => _overrides.Any(one => one.Filter.UsesTraits);

    /// <summary>Gets what holds for the whole run.</summary>
    public Settings Settings { get; }

    /// <summary>Gets what holds for a test. Called by several threads.</summary>
    public TestPolicy PolicyOf(TestCase test) => _policies.GetOrAdd(test, Policy);

    private TestPolicy Policy(TestCase test)
    {
        TestPolicy standard = new();
        Override[] overrides = [.. _overrides.Where(one => one.Filter.Chooses(test))];
        TestKeys[] all = [.. overrides, .. _profiles];
        T? Pick<T>(T? given, Func<TestKeys, T?> value)
            where T : struct => given ?? all.Select(value).FirstOrDefault(one => one is not null);
        return standard with
        {
            Timeout = Pick(_settings.Timeout, keys => keys.Timeout) ?? standard.Timeout,
            Slow = Pick(_settings.Slow, keys => keys.Slow) ?? standard.Slow,
            Retries = Pick(_settings.Retries, keys => keys.Retries) ?? standard.Retries,
            RetryDelay = Pick(_settings.RetryDelay, keys => keys.RetryDelay) ?? standard.RetryDelay,
            FlakyFails = Pick(_settings.FlakyFails, keys => keys.FlakyFails),
            Leaks = Pick(_settings.Leaks, keys => keys.Leaks) ?? standard.Leaks,
            Group = overrides.Select(one => one.Group).FirstOrDefault(group => group is not null),
            Slots = overrides.Select(one => one.Slots).FirstOrDefault(slots => slots is not null) ?? standard.Slots,
        };
    }

    private T? Of<T>(Func<Profile, T?> value)
        where T : struct =>
        _profiles.Select(value).FirstOrDefault(one => one is not null);
}
