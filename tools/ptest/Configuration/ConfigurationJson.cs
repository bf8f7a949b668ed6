using System.Text.Json;
using System.Text.Json.Serialization;

namespace PTest.Configuration;

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    ReadCommentHandling = JsonCommentHandling.Skip,
    AllowTrailingCommas = true)]
[JsonSerializable(typeof(ConfigurationFile))]
internal sealed partial class ConfigurationJson : JsonSerializerContext;
