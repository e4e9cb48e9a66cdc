//! Words by which models and their makers are known, and words that show that one is meant. All folded.

/// Words that mean nothing but a model.
pub(super) const MODELS: [&str; 16] = [
    "chatgpt",
    "gpt",
    "deepseek",
    "qwen",
    "mixtral",
    "codestral",
    "chatglm",
    "gemma",
    "claudeai",
    "davinci",
    "чатгпт",
    "клод",
    "通义千问",
    "文心一言",
    "豆包",
    "千问",
];
/// Words that mean nothing but a maker.
pub(super) const VENDORS: [&str; 8] =
    ["openai", "anthropic", "xai", "zhipu", "deepmind", "huggingface", "антропик", "опенаи"];
/// Words that are also names of people, animals, winds, stars and letters, or a verb.
pub(super) const AMBIGUOUS: [&str; 24] = [
    "claude",
    "gemini",
    "llama",
    "grok",
    "mistral",
    "bard",
    "copilot",
    "cohere",
    "phi",
    "nova",
    "falcon",
    "yi",
    "glm",
    "perplexity",
    "moonshot",
    "minimax",
    "ernie",
    "opus",
    "sonnet",
    "haiku",
    "kimi",
    "o1",
    "o3",
    "o4",
];
/// Those of them that are models only with a size or a version behind.
pub(super) const NUMBERED: [&str; 3] = ["falcon", "yi", "glm"];
/// Names of two words, written with capitals, and whether they are a maker.
pub(super) const PAIRS: [(&str, &str, bool); 17] = [
    ("open", "ai", true),
    ("meta", "ai", true),
    ("google", "deepmind", true),
    ("google", "ai", true),
    ("mistral", "ai", true),
    ("moonshot", "ai", true),
    ("alibaba", "cloud", true),
    ("zhipu", "ai", true),
    ("anthropic", "pbc", true),
    ("deep", "seek", false),
    ("chat", "gpt", false),
    ("le", "chat", false),
    ("command", "r", false),
    ("nova", "pro", false),
    ("ernie", "bot", false),
    ("perplexity", "sonar", false),
    ("grok", "ai", false),
];
/// Pairs that are hidden however they are written: they mean nothing else.
pub(super) const PLAIN_PAIRS: [&str; 2] = ["chat", "deep"];
/// What follows the name of a model and belongs to it, besides numbers.
pub(super) const FAMILY: [&str; 35] = [
    "opus", "sonnet", "haiku", "instant", "code", "pro", "flash", "ultra", "nano", "ai", "large", "small",
    "medium", "mini", "turbo", "instruct", "chat", "advanced", "coder", "max", "plus", "preview", "thinking",
    "lite", "nemo", "omni", "reasoner", "next", "exp", "vl", "distill", "scout", "maverick", "four", "five",
];
/// Companies that are hidden as makers only: they are what many questions are about.
pub(super) const MAKERS: [&str; 10] =
    ["google", "meta", "microsoft", "alibaba", "amazon", "baidu", "nvidia", "apple", "facebook", "tencent"];
/// What is said of makers.
pub(super) const MADE: [&str; 19] = [
    "trained",
    "made",
    "created",
    "developed",
    "built",
    "designed",
    "provided",
    "released",
    "maker",
    "creator",
    "trainiert",
    "entwickelt",
    "gebaut",
    "erstellt",
    "geschaffen",
    "hersteller",
    "entraîné",
    "entrenado",
    "обучен",
];
/// What stands between a thing and who made it.
pub(super) const BY: [&str; 6] = ["by", "from", "von", "par", "por", "от"];
/// Words of somebody who speaks of a model, often of itself.
pub(super) const MODEL: [&str; 17] = [
    "model",
    "modell",
    "models",
    "assistant",
    "assistent",
    "assistentin",
    "llm",
    "ki",
    "chatbot",
    "based",
    "basiert",
    "basierter",
    "sprachmodell",
    "language",
    "trained",
    "模型",
    "モデル",
];
/// Words of somebody who speaks of themselves.
pub(super) const SELF: [&str; 11] =
    ["i", "me", "my", "myself", "ich", "mich", "mein", "meine", "mir", "we", "я"];
/// What stands before a name by which somebody introduces themselves.
pub(super) const AM: [&str; 18] = [
    "as", "am", "i'm", "i", "m", "bin", "als", "ich", "suis", "soy", "sono", "я", "me", "named", "called",
    "我是", "私は", "저는",
];
/// What somebody does or has who takes part in a debate.
pub(super) const SPEAKS: [&str; 65] = [
    "here",
    "hier",
    "speaks",
    "speaking",
    "says",
    "said",
    "thinks",
    "thought",
    "agrees",
    "agreed",
    "disagrees",
    "believes",
    "argues",
    "argued",
    "votes",
    "voted",
    "would",
    "will",
    "recommends",
    "suggests",
    "suggested",
    "prefers",
    "concurs",
    "noted",
    "notes",
    "wrote",
    "writes",
    "claims",
    "claimed",
    "objects",
    "meint",
    "meinte",
    "sagt",
    "sagte",
    "spricht",
    "denkt",
    "glaubt",
    "findet",
    "würde",
    "stimmt",
    "empfiehlt",
    "schreibt",
    "schrieb",
    "view",
    "opinion",
    "answer",
    "argument",
    "arguments",
    "point",
    "points",
    "position",
    "proposal",
    "objection",
    "reasoning",
    "meinung",
    "antwort",
    "ansicht",
    "argumente",
    "vorschlag",
    "einwand",
    "sure",
    "certain",
    "sicher",
    "thinking",
    "です",
];
/// Words that one passes over to find what somebody does.
pub(super) const PASSED: [&str; 6] = ["s", "is", "ist", "has", "hat", "clearly"];
/// Words after `GPT` that show it to be a table of a disk.
pub(super) const DISKS: [&str; 6] = ["partition", "partitions", "disk", "disks", "table", "header"];
