using System.Collections.Generic;
using System.Linq;
using System.Threading;
using ProcessRunner;

namespace PTest.Configuration;

/// <summary>Runs the setup commands, one after another. Each sees the variables of those before it.</summary>
internal static class SetupRunner
{
    /// <summary>Gets the variables that the commands write to their output, a line <c>NAME=VALUE</c> each.</summary>
    /// <exception cref="UsageException">A command fails, or writes something else.</exception>
    public static IReadOnlyDictionary<string, string?> Run(IEnumerable<SetupCommand> commands)
    {
        Dictionary<string, string?> variables = [];
        foreach (SetupCommand setup in commands)
        {
            string text = string.Join(' ', setup.Command);
            ProcessResult result = (new ProcessCommand(setup.Command[0], setup.Command.Skip(1)) with
            {
                StandardError = OutputTarget.Inherit,

                // It may start what the tests need, such as a database.
                Descendants = DescendantPolicy.Leave,
                Timeout = setup.Timeout ?? Timeout.InfiniteTimeSpan,
            }).WithEnvironment(variables).Run();
            if (!result.IsSuccess)
            {
                throw new UsageException($"the setup command failed: {result}");
            }

            foreach (string line in result.StandardOutput.Lines().Where(line => line.Length > 0))
            {
                int equals = line.IndexOf('=');
                if (equals <= 0)
                {
                    throw new UsageException($"the setup command '{text}' wrote no NAME=VALUE: {line}");
                }

                variables[line[..equals]] = line[(equals + 1)..];
            }
        }

        return variables;
    }
}
