using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using FluentAssertions;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.CleanChild;

/// <summary>Verifies the settings of a child as values, on any system.</summary>
public sealed class SettingValueTests
{
    [Fact]
    public void TextOf_Text_IsThatText()
    {
        const string Text = "plain, ä, 漢, 😀";
        ProcessCommand.TextOf(Encoding.UTF8.GetBytes(Text)).Should().Be(Text);
        FluentActions.Invoking(() => ProcessCommand.TextOf([1, 0])).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void Values_ThatAreNone_AreRefused()
    {
        ProcessCommand command = new("true");
        Action[] refused =
        [
            () => _ = command with { Nice = 20 },
            () => _ = command with { Nice = -21 },
            () => _ = command with { Priority = (ProcessPriorityClass)1 },
            () => _ = command with { Processors = [-1] },
            () => _ = command with { Processors = default },
            () => _ = command with { FileModeMask = (UnixFileMode)0x1000 },
            () => _ = command with { ProcessGroupId = 0 },
            () => _ = command with { ArgumentZero = "a\0b" },
            () => _ = command.WithLimit((LimitedResource)99, 1),
            () => _ = new ResourceLimit(2, 1),
            () => _ = new ResourceLimit(-1, 1),
            () => _ = new ResourceLimit(-2, -1),
            () => _ = ProcessIdentity.OfUser("a\0b"),
        ];
        Array.ForEach(refused, one => one.Should().Throw<ArgumentException>());
    }

    [Fact]
    public void Settings_CountForTheEqualityOfCommands()
    {
        ProcessCommand command = new("true");
        Func<ProcessCommand>[] variants =
        [
            () => command with { ArgumentZero = "a" },
            () => command with { Nice = 1 },
            () => command with { Priority = ProcessPriorityClass.Idle },
            () => command with { Processors = [1, 0] },
            () => command.WithLimit(LimitedResource.OpenFiles, 9),
            () => command with { FileModeMask = UnixFileMode.OtherWrite },
            () => command with { Identity = new ProcessIdentity(1, 2, 3) },
            () => command with { ProcessGroupId = 5 },
            () => command with { FurtherStops = [new StopStep(PosixSignal.SIGINT, default)] },
        ];
        HashSet<ProcessCommand> all = [command];
        foreach (Func<ProcessCommand> variant in variants)
        {
            variant().Should().Be(variant());
            variant().GetHashCode().Should().Be(variant().GetHashCode());
            all.Add(variant()).Should().BeTrue();
        }
    }

    [Fact]
    public void Text_OfACommand_TellsItsSettingsInARemark()
    {
        ProcessCommand command = new ProcessCommand("a", ProcessCommand.TextOf([0x27, 0xFF]))
        {
            ArgumentZero = "b c",
            Nice = 7,
            Processors = [2, 0],
            FileModeMask = (UnixFileMode)0b000_010_010,
            Identity = ProcessIdentity.OfUser("nobody"),
            ProcessGroupId = 5,
        }.WithLimit(LimitedResource.OpenFiles, new ResourceLimit(1, 2)).WithChannel(3, OutputTarget.Capture());
        command.ToString().Should().Be(
            "a $'\\'\\xFF' # as 'b c', nice 7, processors 0,2, OpenFiles 1:2, umask 22, user nobody, group 5, "
            + "channels 3");
    }

    [Fact]
    public void PortableBackend_RefusesThem() => Guard.Run(() =>
    {
        using ProcessEngine portable = new(new ProcessEngineOptions { Backend = EngineBackend.Portable });
        ProcessCommand command = new("true");
        ProcessCommand[] refused =
        [
            command with { ArgumentZero = "a" },
            command with { Nice = 1 },
            command with { Priority = ProcessPriorityClass.Idle },
            command with { Processors = [0] },
            command.WithLimit(LimitedResource.OpenFiles, 9),
            command with { FileModeMask = UnixFileMode.OtherWrite },
            command with { Identity = new ProcessIdentity(1, 2) },
            command with { ProcessGroupId = 5 },
            command.WithArguments(ProcessCommand.TextOf([0xFF])),
        ];
        foreach (ProcessCommand one in refused)
        {
            FluentActions.Invoking(() => one.Run(portable)).Should().Throw<PlatformNotSupportedException>();
        }
    });
}
