using System.Text;

namespace ProcessRunner.TestChild;

internal static class Program
{
    private const string Name = "ProcessRunner.TestChild";

    private static int Main(string[] arguments)
    {
        try
        {
            foreach (Word word in Parser.Parse(arguments))
            {
                word.Run();
            }

            return ExitCodes.Success;
        }
        catch (UsageException exception)
        {
            Complain(exception.Message + "\n\n" + Usage());
            return ExitCodes.Usage;
        }
        catch (WordFailedException exception)
        {
            Complain(exception.Message);
            return exception.ExitCode;
        }
    }

    /// <summary>Writes a message to standard error, if it still has a reader.</summary>
    public static void Complain(string message)
    {
        try
        {
            StandardStreams.WriteLine(StandardStreams.Error, Name + ": " + message);
        }
        catch (WordFailedException)
        {
            // Only the exit code is left to report the failure.
        }
    }

    private static string Usage()
    {
        var text = new StringBuilder();
        text.Append("usage: ").Append(Name).Append(" WORD...\n");
        text.Append("The words run from left to right:\n");
        foreach (Word word in WordRegistry.CreateAll())
        {
            string synopsis = word.Name + " " + word.Values;
            text.Append("  ").Append(synopsis.PadRight(24)).Append(word.Description).Append('\n');
        }

        text.Append("Exit codes: 0 at the end of the words, 1 if a word failed, 2 for a wrong command line,\n");
        text.Append("3 if a standard stream is closed.");
        return text.ToString();
    }
}
