using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using FluentAssertions;
using ProcessRunner.Interop;
using ProcessRunner.Tests.Support;
using ProcessRunner.TestSupport;
using ProcessRunner.TestSupport.Platforms;
using Xunit;

namespace ProcessRunner.Tests.Interop;

/// <summary>
/// Verifies the numbers that the library has copied from C, for both processors, against the C compilers of this
/// machine or, without a compiler, against a second copy.
/// </summary>
[OnlyOn(Systems.Linux, "the declarations are those of the C library of Linux")]
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

    // Numbers that the headers of C do not have, or only recent headers. On a kernel that has them, tests of their
    // behaviour use them.
    private static readonly string[] s_notInEveryHeader =
    [
        "PIDFD_GET_INFO", "PIDFD_INFO_EXIT", "PR_SET_VMA", "PR_SET_VMA_ANON_NAME", "CLOSE_RANGE_UNSHARE",
        "SYS_close_range", "CLONE_PIDFD", "SYS_pidfd_open", "SYS_pidfd_send_signal",
    ];

    // Structs of C, except those of the kernel that no header has: pidfd_info and kernel_sigaction.
    private static readonly Dictionary<Type, string> s_structs = new()
    {
        [typeof(LibC.SignalInfo)] = "siginfo_t",
        [typeof(LibC.SignalAction)] = "struct sigaction",
        [typeof(LibC.ResourceUsage)] = "struct rusage",
        [typeof(LibC.LimitPair)] = "struct rlimit",
        [typeof(LibC.StatusX)] = "struct statx",
        [typeof(LibC.IoVector)] = "struct iovec",
        [typeof(LibC.PollDescriptor)] = "struct pollfd",
        [typeof(LibC.UserEntry)] = "struct passwd",
    };

    private static readonly Type[] s_structsWithoutHeader =
        [typeof(LibC.PidFdInfo), typeof(SystemCall.KernelSignalAction)];

    // Members that have another name in C#.
    private static readonly Dictionary<string, string> s_members = new()
    {
        ["ru_utime_sec"] = "ru_utime.tv_sec",
        ["ru_utime_usec"] = "ru_utime.tv_usec",
        ["ru_stime_sec"] = "ru_stime.tv_sec",
        ["ru_stime_usec"] = "ru_stime.tv_usec",
        ["Base"] = "iov_base",
        ["Length"] = "iov_len",
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
        ["offsetof(struct epoll_event, events)"] = 0,
        ["sizeof(struct passwd)"] = 48,
        ["offsetof(struct passwd, pw_uid)"] = 16,
        ["offsetof(struct passwd, pw_gid)"] = 20,
        ["sizeof(struct rlimit)"] = 16,
        ["offsetof(struct rlimit, rlim_cur)"] = 0,
        ["offsetof(struct rlimit, rlim_max)"] = 8,
        ["offsetof(struct dirent, d_name)"] = 19,
        ["sizeof(posix_spawnattr_t)"] = 336,
        ["sizeof(posix_spawn_file_actions_t)"] = 80,
        ["sizeof(sigset_t)"] = 128,
    };

    [Theory]
    [ArchitectureData(Architecture.X64, "gcc", "objcopy")]
    [ArchitectureData(Architecture.Arm64, "gcc", "objcopy")]
    public void Constants_AreWhatTheCompilerSays(Architecture architecture) => Guard.Run(() =>
    {
        Dictionary<string, long> constants = Constants(architecture);
        constants.Should().HaveCountGreaterThan(100);
        IReadOnlyDictionary<string, long> facts =
            CompilerFacts.Ask(architecture, constants.Keys.Select(Expression));
        string[] wrong =
        [
            .. constants
                .Where(constant => facts.TryGetValue(Expression(constant.Key), out long fact) && fact != constant.Value)
                .Select(
                    constant => $"{constant.Key} is {constant.Value} here, but {facts[Expression(constant.Key)]} in C"),
        ];
        wrong.Should().BeEmpty();
        constants.Keys.Where(name => !facts.ContainsKey(Expression(name))).Should().BeSubsetOf(s_notInEveryHeader);
    });

    [Theory]
    [ArchitectureData(Architecture.X64, "gcc", "objcopy")]
    [ArchitectureData(Architecture.Arm64, "gcc", "objcopy")]
    public void SecondCopy_IsWhatTheCompilerSays(Architecture architecture) => Guard.Run(() =>
    {
        Dictionary<string, long> copy = SecondCopy(architecture);
        CompilerFacts.Ask(architecture, copy.Keys).Should().Equal(copy);
    });

    [Fact]
    public void Structs_LieAsInTheSecondCopy()
    {
        foreach ((Type type, string name) in s_structs)
        {
            s_second[$"sizeof({name})"].Should().Be(Marshal.SizeOf(type), name);
            foreach (FieldInfo field in type.GetFields(BindingFlags.Instance | BindingFlags.Public))
            {
                string member = $"{name}, {s_members.GetValueOrDefault(field.Name, field.Name)}";
                s_second[$"offsetof({member})"].Should().Be(Marshal.OffsetOf(type, field.Name), member);
            }
        }

        s_second["offsetof(struct dirent, d_name)"].Should().Be(LibC.DirectoryEntryName);
    }

    [Fact]
    public void Structs_AreAllCompared() =>
        typeof(LibC).GetNestedTypes(Anything).Concat(typeof(SystemCall).GetNestedTypes(Anything))
            .Where(type => type.IsLayoutSequential || type.IsExplicitLayout)
            .Should().BeEquivalentTo(s_structs.Keys.Concat(s_structsWithoutHeader));

    [Theory]
    [InlineData(Architecture.X64)]
    [InlineData(Architecture.Arm64)]
    public void EpollEvents_HaveTheSizeOfTheSecondCopy(Architecture architecture)
    {
        Dictionary<string, long> copy = SecondCopy(architecture);
        On(architecture, EpollEvents.Size).Should().Be((int)copy["sizeof(struct epoll_event)"]);
        On(architecture, EpollEvents.DataOffset).Should().Be((int)copy["offsetof(struct epoll_event, data)"]);
    }

    [Fact]
    public void EpollEvents_LieWhereTheKernelPutsThem()
    {
        int size = EpollEvents.Size;
        int dataAt = EpollEvents.DataOffset;
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
    private static Dictionary<string, long> Constants(Architecture architecture)
    {
        Dictionary<string, long> constants = [];
        Type[] ofWindows = [typeof(Kernel32), typeof(NtDll), typeof(User32), typeof(Win32Error)];
        foreach (Type type in typeof(LibC).Assembly.GetTypes()
            .Where(type => type.Namespace == "ProcessRunner.Interop" && !ofWindows.Contains(type)))
        {
            foreach (FieldInfo field in type.GetFields(Anything).Where(field => field.IsLiteral && IsCName(field.Name)))
            {
                constants[field.Name] = ValueOf(architecture, field.GetRawConstantValue()!);
            }

            foreach (PropertyInfo property in type.GetProperties(Anything).Where(property => IsCName(property.Name)))
            {
                constants[property.Name] = ValueOf(architecture, property.GetValue(null)!);
            }
        }

        return constants;
    }

    private static bool IsCName(string name) =>
        name.StartsWith("SYS_", StringComparison.Ordinal)
        || name.All(c => char.IsAsciiLetterUpper(c) || char.IsAsciiDigit(c) || c == '_');

    private static long ValueOf(Architecture architecture, object value) => value switch
    {
        PerArchitecture number => On(architecture, number),
        nint native => native,
        _ => Convert.ToInt64(value, CultureInfo.InvariantCulture),
    };

    private static int On(Architecture architecture, PerArchitecture number) =>
        architecture == Architecture.X64 ? number.X64 : number.Arm64;

    private static Dictionary<string, long> SecondCopy(Architecture architecture) => new(s_second)
    {
        ["sizeof(struct epoll_event)"] = architecture == Architecture.X64 ? 12 : 16,
        ["offsetof(struct epoll_event, data)"] = architecture == Architecture.X64 ? 4 : 8,
    };

    private static string Expression(string name) => s_enumerators.GetValueOrDefault(name, name);
}
