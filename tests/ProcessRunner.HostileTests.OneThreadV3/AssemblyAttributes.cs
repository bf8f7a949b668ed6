using Xunit.v3;

[assembly: Parallelization(MaxThreads = 1)]
