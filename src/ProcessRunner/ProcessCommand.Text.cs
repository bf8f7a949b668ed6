using System;
using System.Text;
using ProcessRunner.Backends;
using ProcessRunner.Execution;
using ProcessRunner.Streams;

namespace ProcessRunner;

/// <content>The text of the single streams.</content>
public sealed partial record ProcessCommand
{
    /// <summary>Gets the encoding of text for the standard input.</summary>
    /// <value>Null, for <see cref="Encoding"/>, by default.</value>
    public Encoding? StandardInputEncoding
    {
        get => Extras.InputEncoding;
        init => Extras = Extras with { InputEncoding = value };
    }

    /// <summary>Gets the encoding of the standard output as text.</summary>
    /// <value>
    /// Null, for <see cref="Encoding"/>, by default. A standard error that is merged into the output has its encoding.
    /// </value>
    public Encoding? StandardOutputEncoding
    {
        get => Extras.OutputEncoding;
        init => Extras = Extras with { OutputEncoding = value };
    }

    /// <summary>Gets the encoding of the standard error as text.</summary>
    /// <value>Null, for <see cref="Encoding"/>, by default.</value>
    public Encoding? StandardErrorEncoding
    {
        get => Extras.ErrorEncoding;
        init => Extras = Extras with { ErrorEncoding = value };
    }

    /// <summary>
    /// Gets whether output that its encoding cannot decode is an error: <see cref="OutputDecodingException"/>.
    /// </summary>
    /// <value>
    /// False by default: such bytes become U+FFFD. With true, <see cref="CapturedOutput.Text"/> throws, and a reader of
    /// live lines gets the exception after the lines before it. If lines go to a callback, or the text to a writer, the
    /// wait for the run throws it after the lines or the text before it. The child goes on in each case.
    /// </value>
    public bool StrictDecoding
    {
        get => Extras.DecodesStrictly;
        init => Extras = Extras with { DecodesStrictly = value };
    }

    /// <summary>Gets the encoding of text for the input.</summary>
    internal Encoding InputEncoding => _extras?.InputEncoding ?? Encoding;

    /// <summary>
    /// Gets whether an encoding or its fallback is not one of .NET's own, so that its members are code of the user.
    /// </summary>
    internal bool HasUserEncoding =>
        IsOfUser(Encoding)
        || (_extras is CommandExtras extras
            && (IsOfUser(extras.InputEncoding) || IsOfUser(extras.OutputEncoding) || IsOfUser(extras.ErrorEncoding)));

    /// <summary>Returns how an output is decoded.</summary>
    internal Decoding DecodingOf(ChildOutput stream)
    {
        Encoding? own = stream switch
        {
            ChildOutput.Output => _extras?.OutputEncoding,
            ChildOutput.Error => _extras?.ErrorEncoding,
            _ => null,
        };
        return new Decoding(own ?? Encoding, _extras is { DecodesStrictly: true });
    }

    private static bool IsOfUser(Encoding? encoding) =>
        encoding is not null
        && (IsOfUser(encoding.GetType())
            || IsOfUser(encoding.EncoderFallback.GetType())
            || IsOfUser(encoding.DecoderFallback.GetType()));

    private static bool IsOfUser(Type type) => type.Assembly != typeof(Encoding).Assembly;
}
