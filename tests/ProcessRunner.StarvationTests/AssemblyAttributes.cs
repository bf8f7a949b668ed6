using Xunit;

// The tests set limits of the process-wide ThreadPool and count the process's own threads and descriptors.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
