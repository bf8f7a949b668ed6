using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace PTest.Hosts;

/// <summary>
/// Finds the tests of the list again. A row whose data differ in each process, such as a new GUID, has another id in
/// each. Of the rows of a method that the list does not have, the first stands for the first one of the list that is
/// missing here, the second for the second.
/// </summary>
internal sealed class CaseIds
{
    private readonly HashSet<string> _wanted;
    private readonly Dictionary<string, string> _listed = [];

    /// <param name="job">The job, with the tests that it wants.</param>
    /// <param name="found">The ids and the methods of all tests that this process finds, in their order.</param>
    public CaseIds(Job job, IEnumerable<(string Id, string Method)> found)
    {
        _wanted = job.Cases;
        (string Id, string Method)[] here = [.. found];
        HashSet<string> ids = [.. here.Select(test => test.Id)];
        if (_wanted.IsSubsetOf(ids))
        {
            return;
        }

        (string Id, string Method)[] listed = [.. File.ReadLines(job.List).Select(Split)];
        ILookup<string, string> missing = listed.Where(test => !ids.Contains(test.Id)).ToLookup(
            test => test.Method, test => test.Id);
        HashSet<string> known = [.. listed.Select(test => test.Id)];
        foreach (IGrouping<string, string> strangers in here.Where(test => !known.Contains(test.Id)).GroupBy(
            test => test.Method, test => test.Id))
        {
            foreach ((string id, string old) in strangers.Zip(missing[strangers.Key], (id, old) => (id, old)))
            {
                _listed[id] = old;
            }
        }
    }

    /// <summary>Gets the id in the list of a test that has an id in this process.</summary>
    public string Of(string id) => _listed.TryGetValue(id, out string? listed) ? listed : id;

    /// <summary>Returns whether the job wants a test, by its id in this process.</summary>
    public bool IsWanted(string id) => _wanted.Count == 0 || _wanted.Contains(Of(id));

    private static (string Id, string Method) Split(string line)
    {
        int tab = line.IndexOf('\t');
        return (line.Substring(0, tab), line.Substring(tab + 1));
    }
}
