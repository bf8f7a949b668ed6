using System;
using System.Collections.Generic;
using ProcessRunner.TestChild.Words;

namespace ProcessRunner.TestChild;

/// <summary>Lists all words, in the order of the usage.</summary>
internal static class WordRegistry
{
    // The table holds functions instead of words, so that only the words of the command line cost start-up time.
    private static readonly KeyValuePair<string, Func<Word>>[] s_words =
    [
        new(EchoWord.Id, static () => new EchoWord()),
        new(ErrWord.Id, static () => new ErrWord()),
        new(PrintWord.Id, static () => new PrintWord()),
        new(PrintErrWord.Id, static () => new PrintErrWord()),
        new(FillWord.Id, static () => new FillWord()),
        new(FillErrWord.Id, static () => new FillErrWord()),
        new(SeqWord.Id, static () => new SeqWord()),
        new(SeqErrWord.Id, static () => new SeqErrWord()),
        new(NumbersWord.Id, static () => new NumbersWord()),
        new(NumbersErrWord.Id, static () => new NumbersErrWord()),
        new(ZerosWord.Id, static () => new ZerosWord()),
        new(RepeatWord.Id, static () => new RepeatWord()),
        new(RepeatErrWord.Id, static () => new RepeatErrWord()),
        new(YesWord.Id, static () => new YesWord()),
        new(YesErrWord.Id, static () => new YesErrWord()),
        new(CatWord.Id, static () => new CatWord()),
        new(CatErrWord.Id, static () => new CatErrWord()),
        new(SleepWord.Id, static () => new SleepWord()),
        new(ReturnWord.Id, static () => new ReturnWord()),
        new(StdinWord.Id, static () => new StdinWord()),
        new(StdinErrWord.Id, static () => new StdinErrWord()),
        new(StdinLengthWord.Id, static () => new StdinLengthWord()),
        new(StdinReadWord.Id, static () => new StdinReadWord()),
        new(StdinLineWord.Id, static () => new StdinLineWord()),
        new(AnswerWord.Id, static () => new AnswerWord()),
        new(TeeWord.Id, static () => new TeeWord()),
        new(PrintHexWord.Id, static () => new PrintHexWord()),
        new(EnvWord.Id, static () => new EnvWord()),
        new(EnvAllWord.Id, static () => new EnvAllWord()),
        new(Env0Word.Id, static () => new Env0Word()),
        new(CwdWord.Id, static () => new CwdWord()),
        new(ArgsWord.Id, static () => new ArgsWord()),
        new(PidWord.Id, static () => new PidWord()),
        new(OwnNameWord.Id, static () => new OwnNameWord()),
        new(SpawnWord.Id, static () => new SpawnWord()),
        new(WaitWord.Id, static () => new WaitWord()),
        new(SpawnWaitWord.Id, static () => new SpawnWaitWord()),
        new(SpawnAwayWord.Id, static () => new SpawnAwayWord()),
        new(SessionWord.Id, static () => new SessionWord()),
        new(ParentsGroupWord.Id, static () => new ParentsGroupWord()),
        new(CloseStdioWord.Id, static () => new CloseStdioWord()),
        new(CloseInputWord.Id, static () => new CloseInputWord()),
        new(CloseOutputWord.Id, static () => new CloseOutputWord()),
        new(CloseErrorWord.Id, static () => new CloseErrorWord()),
        new(IgnoreWord.Id, static () => new IgnoreWord()),
        new(ResetWord.Id, static () => new ResetWord()),
        new(OnSignalWord.Id, static () => new OnSignalWord()),
        new(SignalWord.Id, static () => new SignalWord()),
        new(AbortWord.Id, static () => new AbortWord()),
        new(OpenWindowWord.Id, static () => new OpenWindowWord()),
        new(AwaitCloseWord.Id, static () => new AwaitCloseWord()),
        new(TouchWord.Id, static () => new TouchWord()),
        new(WaitFileWord.Id, static () => new WaitFileWord()),
        new(WriteForeverWord.Id, static () => new WriteForeverWord()),
        new(TickWord.Id, static () => new TickWord()),
        new(AlternateWord.Id, static () => new AlternateWord()),
    ];

    public static Word? Create(string name)
    {
        foreach (KeyValuePair<string, Func<Word>> word in s_words)
        {
            if (word.Key == name)
            {
                return word.Value();
            }
        }

        return null;
    }

    public static Word[] CreateAll() => Array.ConvertAll(s_words, static word => word.Value());
}
