using System;
using System.ComponentModel;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using ProcessRunner.Interop;

namespace ProcessRunner.Backends.Windows.Start;

/// <summary>
/// Represents the list of attributes of one start: the only handles that the child inherits, however many threads start
/// others, and the job in which it begins. The list refers to both, so the caller keeps them in place.
/// </summary>
/// <remarks>A local variable of the start, never copied, and disposed.</remarks>
[SupportedOSPlatform("windows")]
internal unsafe ref struct AttributeList : IDisposable
{
    private const int AttributeCount = 2;

    private void* _list;

    /// <summary>Gets the list, for CreateProcess.</summary>
    public readonly void* Pointer => _list;

    /// <summary>Gets whether the system takes a job.</summary>
    public bool HasJob { get; private set; }

    /// <summary>Creates the list. Nothing needs disposing if that fails.</summary>
    /// <param name="handles">The handles, each once.</param>
    /// <param name="count">The number of the handles.</param>
    /// <param name="job">The job.</param>
    /// <exception cref="Win32Exception">The system lacks memory.</exception>
    public static AttributeList Create(nint* handles, int count, nint* job)
    {
        nuint size = 0;
        _ = Kernel32.InitializeProcThreadAttributeList(null, AttributeCount, &size);
        AttributeList list = new() { _list = NativeMemory.Alloc(size) };
        if (!Kernel32.InitializeProcThreadAttributeList(list._list, AttributeCount, &size))
        {
            Win32Exception failure = SystemError.Of("InitializeProcThreadAttributeList");
            NativeMemory.Free(list._list);
            throw failure;
        }

        if (!Kernel32.UpdateProcThreadAttribute(
            list._list, Kernel32.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles, count))
        {
            Win32Exception failure = SystemError.Of("UpdateProcThreadAttribute");
            list.Dispose();
            throw failure;
        }

        list.HasJob =
            Kernel32.UpdateProcThreadAttribute(list._list, Kernel32.PROC_THREAD_ATTRIBUTE_JOB_LIST, job, 1);
        return list;
    }

    public void Dispose()
    {
        Kernel32.DeleteProcThreadAttributeList(_list);
        NativeMemory.Free(_list);
        _list = null;
    }
}
