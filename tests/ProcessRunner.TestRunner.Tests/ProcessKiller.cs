using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;

namespace ProcessRunner.TestRunner.Tests;

/// <summary>Kills some of the children of a process, each at a random moment of its life.</summary>
internal sealed class ProcessKiller : IDisposable
{
    // A process of the tests lives about this long.
    private const int MaxDelay = 150;

    private readonly int _parent;
    private readonly string _name;
    private readonly Random _random;
    private readonly int _oneIn;
    private readonly HashSet<int> _seen = [];
    private readonly PriorityQueue<int, long> _doomed = new();
    private readonly Thread _thread;
    private int _count;
    private int _victim;
    private volatile bool _isDisposed;

    /// <param name="parent">The id of their parent.</param>
    /// <param name="name">A part of their command line.</param>
    /// <param name="random">Decides.</param>
    /// <param name="oneIn">Of so many, one is killed.</param>
    public ProcessKiller(int parent, string name, Random random, int oneIn)
    {
        (_parent, _name, _random, _oneIn) = (parent, name, random, oneIn);
        _victim = random.Next(oneIn);
        _thread = new Thread(Loop) { IsBackground = true, Name = "killer" };
        _thread.Start();
    }

    public int Seen => _seen.Count;

    public int Killed { get; private set; }

    public void Dispose()
    {
        _isDisposed = true;
        _thread.Join();
    }

    private void Loop()
    {
        while (!_isDisposed)
        {
            foreach (int child in Children().Where(_seen.Add).ToArray())
            {
                // One in each series of them, at a random place. The first process lists the tests: without it there is
                // no run.
                if (_count++ > 0 && _count % _oneIn == _victim)
                {
                    _victim = _random.Next(_oneIn);
                    _doomed.Enqueue(child, Environment.TickCount64 + _random.Next(MaxDelay));
                }
            }

            while (_doomed.TryPeek(out int victim, out long due) && due <= Environment.TickCount64)
            {
                _doomed.Dequeue();
                Kill(victim);
            }

            Thread.Sleep(5);
        }
    }

    private void Kill(int victim)
    {
        try
        {
            if (Children().Contains(victim))
            {
                using Process process = Process.GetProcessById(victim);
                process.Kill();
                Killed++;
            }
        }
        catch (ArgumentException)
        {
            // It has ended by itself.
        }
    }

    private IEnumerable<int> Children()
    {
        try
        {
            return
            [
                .. Directory.EnumerateDirectories($"/proc/{_parent}/task")
                    .SelectMany(task => File.ReadAllText($"{task}/children").Split(' '))
                    .Where(child => child.Length > 0)
                    .Select(int.Parse)
                    .Where(child => File.ReadAllText($"/proc/{child}/cmdline").Contains(_name)),
            ];
        }
        catch (IOException)
        {
            // A thread or a child of it ends: the next look sees the others.
            return [];
        }
    }
}
