using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Interop;
using ProcessRunner.TestSupport;
using Xunit;

namespace ProcessRunner.Tests.Interop;

/// <summary>
/// Verifies the numbers that the library has copied from C against the machine's C compiler or, without a compiler,
/// against a second copy.
/// </summary>
public sealed unsafe class AbiTests
{
    private const BindingFlags Anything = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static;

    // The preprocessor does not know enumerators.
    private static readonly Dictionary<string, string> s_enumerators = new()
    {
        ["P_PID"] = "(P_PID)",
        ["SIG_DFL"] = "(long)SIG_DFL",
        ["SIG_IGN"] = "(long)SIG_IGN",
        ["P_PIDFD"] = "(P_PIDFD)",
    };

    private static readonly Dictionary<string, long> s_second = new()
    {
        ["sizeof(siginfo_t)"] = 128,
        ["offsetof(siginfo_t, si_code)"] = 8,
        ["offsetof(siginfo_t, si_pid)"] = 16,
        ["offsetof(siginfo_t, si_status)"] = 24,
        ["sizeof(struct sigaction)"] = 152,
        ["offsetof(struct sigaction, sa_handler)"] = 0,
        ["sizeof(struct rusage)"] = 144,
        ["offsetof(struct rusage, ru_utime.tv_sec)"] = 0,
        ["offsetof(struct rusage, ru_utime.tv_usec)"] = 8,
        ["offsetof(struct rusage, ru_stime.tv_sec)"] = 16,
        ["offsetof(struct rusage, ru_stime.tv_usec)"] = 24,
        ["offsetof(struct rusage, ru_maxrss)"] = 32,
        ["sizeof(struct statx)"] = 256,
        ["offsetof(struct statx, stx_mode)"] = 28,
        ["sizeof(struct iovec)"] = 16,
        ["offsetof(struct iovec, iov_base)"] = 0,
        ["offsetof(struct iovec, iov_len)"] = 8,
        ["sizeof(struct pollfd)"] = 8,
        ["offsetof(struct pollfd, fd)"] = 0,
        ["offsetof(struct pollfd, events)"] = 4,
        ["offsetof(struct pollfd, revents)"] = 6,
        ["sizeof(struct epoll_event)"] = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16,
        ["offsetof(struct epoll_event, data)"] = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 4 : 8,
        ["offsetof(struct epoll_event, events)"] = 0,
        ["sizeof(posix_spawnattr_t)"] = 336,
        ["sizeof(posix_spawn_file_actions_t)"] = 80,
        ["sizeof(sigset_t)"] = 128,
    };

    [Fact]
    public void Constants_AreWhatTheCompilerSays() => Guard.Run(() =>
    {
        if (!NativeFacts.CanAsk)
        {
            return;
        }

        Dictionary<string, long> constants = Constants();
        constants.Should().HaveCountGreaterThan(30);
        IReadOnlyDictionary<string, long> facts = NativeFacts.Ask(constants.Keys.Select(Expression));
        string[] wrong =
        [
            .. constants
                .Where(constant => facts.TryGetValue(Expression(constant.Key), out long fact) && fact != constant.Value)
                .Select(
                    constant => $"{constant.Key} is {constant.Value} here, but {facts[Expression(constant.Key)]} in C"),
        ];
        wrong.Should().BeEmpty();
        facts.Count.Should().BeGreaterThan(constants.Count / 2, "most names are in the headers");
    });

    [Fact]
    public void SecondCopy_IsWhatTheCompilerSays() => Guard.Run(() =>
    {
        if (NativeFacts.CanAsk)
        {
            NativeFacts.Ask(s_second.Keys).Should().Equal(s_second);
        }
    });

    [Theory]
    [InlineData(typeof(LibC.SignalInfo), "siginfo_t")]
    [InlineData(typeof(LibC.SignalAction), "struct sigaction")]
    [InlineData(typeof(LibC.ResourceUsage), "struct rusage")]
    [InlineData(typeof(LibC.StatusX), "struct statx")]
    [InlineData(typeof(LibC.IoVector), "struct iovec")]
    [InlineData(typeof(LibC.PollDescriptor), "struct pollfd")]
    public void Struct_HasTheSizeOfTheCStruct(Type type, string name) =>
        Marshal.SizeOf(type).Should().Be((int)s_second[$"sizeof({name})"]);

    [Theory]
    [InlineData(typeof(LibC.SignalInfo), "si_code", "siginfo_t, si_code")]
    [InlineData(typeof(LibC.SignalInfo), "si_pid", "siginfo_t, si_pid")]
    [InlineData(typeof(LibC.SignalInfo), "si_status", "siginfo_t, si_status")]
    [InlineData(typeof(LibC.SignalAction), "sa_handler", "struct sigaction, sa_handler")]
    [InlineData(typeof(LibC.ResourceUsage), "ru_utime_sec", "struct rusage, ru_utime.tv_sec")]
    [InlineData(typeof(LibC.ResourceUsage), "ru_utime_usec", "struct rusage, ru_utime.tv_usec")]
    [InlineData(typeof(LibC.ResourceUsage), "ru_stime_sec", "struct rusage, ru_stime.tv_sec")]
    [InlineData(typeof(LibC.ResourceUsage), "ru_stime_usec", "struct rusage, ru_stime.tv_usec")]
    [InlineData(typeof(LibC.ResourceUsage), "ru_maxrss", "struct rusage, ru_maxrss")]
    [InlineData(typeof(LibC.StatusX), "stx_mode", "struct statx, stx_mode")]
    [InlineData(typeof(LibC.IoVector), "Base", "struct iovec, iov_base")]
    [InlineData(typeof(LibC.IoVector), "Length", "struct iovec, iov_len")]
    [InlineData(typeof(LibC.PollDescriptor), "fd", "struct pollfd, fd")]
    [InlineData(typeof(LibC.PollDescriptor), "events", "struct pollfd, events")]
    [InlineData(typeof(LibC.PollDescriptor), "revents", "struct pollfd, revents")]
    public void Field_HasTheOffsetOfTheCField(Type type, string field, string name) =>
        Marshal.OffsetOf(type, field).Should().Be((nint)s_second[$"offsetof({name})"]);

    [Fact]
    public void EpollEvents_LieWhereTheKernelPutsThem()
    {
        int size = (int)s_second["sizeof(struct epoll_event)"];
        int dataAt = (int)s_second["offsetof(struct epoll_event, data)"];
        EpollEvents.Size.Should().Be(size);
        byte[] memory = new byte[3 * size];
        fixed (byte* first = memory)
        {
            EpollEvents events = new(first);
            events.Set(1, 0x01020304, 0x1122334455667788);
            events.Data(1).Should().Be(0x1122334455667788);
        }

        BitConverter.ToUInt32(memory, size).Should().Be(0x01020304);
        BitConverter.ToUInt64(memory, size + dataAt).Should().Be(0x1122334455667788);
        memory.AsSpan(0, size).ToArray().Should().OnlyContain(value => value == 0);
        memory.AsSpan(2 * size).ToArray().Should().OnlyContain(value => value == 0);
    }

    [Theory]
    [InlineData(LibC.SpawnAttributesSize, "posix_spawnattr_t")]
    [InlineData(LibC.SpawnFileActionsSize, "posix_spawn_file_actions_t")]
    [InlineData(LibC.SignalSetSize, "sigset_t")]
    public void RoomForAnOpaqueType_IsEnough(int room, string name) =>
        room.Should().BeGreaterThanOrEqualTo((int)s_second[$"sizeof({name})"]);

    // The names follow the conventions of C: capitals denote a macro or an enumerator; SYS_ names keep their small
    // letters.
    private static Dictionary<string, long> Constants()
    {
        Dictionary<string, long> constants = [];
        Type[] ofWindows = [typeof(Kernel32), typeof(NtDll), typeof(Win32Error)];
        foreach (Type type in typeof(LibC).Assembly.GetTypes()
            .Where(type => type.Namespace == "ProcessRunner.Interop" && !ofWindows.Contains(type)))
        {
            foreach (FieldInfo field in type.GetFields(Anything).Where(field => field.IsLiteral && IsCName(field.Name)))
            {
                constants[field.Name] = ValueOf(field.GetRawConstantValue() ?? field.GetValue(null)!);
            }

            foreach (PropertyInfo property in type.GetProperties(Anything).Where(property => IsCName(property.Name)))
            {
                constants[property.Name] = ValueOf(property.GetValue(null)!);
            }
        }

        return constants;
    }

    private static bool IsCName(string name) =>
        name.StartsWith("SYS_", StringComparison.Ordinal)
        || name.All(c => char.IsAsciiLetterUpper(c) || char.IsAsciiDigit(c) || c == '_');

    private static long ValueOf(object value) =>
        value is nint native ? native : Convert.ToInt64(value, CultureInfo.InvariantCulture);

    private static string Expression(string name) => s_enumerators.GetValueOrDefault(name, name);
}
