using System;
using PTest.CommandLine;
using PTest.Running;
using PTest.Selection;
using PTest.Units;

namespace PTest.Configuration;

internal sealed class DurationConverter() : ValueConverter<TimeSpan?>(text => Values.Duration(text));

internal sealed class CountConverter() : ValueConverter<int?>(text => Values.Count(text));

internal sealed class PositiveConverter() : ValueConverter<int?>(text => Values.Count(text, 1));

internal sealed class IsolationConverter() : ValueConverter<Isolation?>(text => Units.Isolation.Parse(text));

internal sealed class DumpKindConverter() : ValueConverter<DumpKind?>(text => Values.Choice<DumpKind>(text));

internal sealed class LeakPolicyConverter() : ValueConverter<LeakPolicy?>(text => Values.Choice<LeakPolicy>(text));

internal sealed class FlakyConverter() : ValueConverter<bool?>(text => Values.FlakyFails(text));

internal sealed class FilterConverter() : ValueConverter<TestFilter>(TestFilter.Parse);
