//! Values that are assigned to a name which says that they are secret: `DB_PASSWORD=…`, `"token": "…"`,
//! `--password=…`, `Passwort: …`, `the root password is …`.
//!
//! How much a value has to look like one depends on where it stands. In an environment file anything is one. In quotes
//! anything that is no placeholder is one. In code a bare word is a variable or a type, so it has to look made by a
//! machine or at least to hold a digit.

/// Ends of names whose value is a secret, in lower case and without `-`, `_` and `.`.
const NAMES: [&str; 22] = [
    "password",
    "passwd",
    "passphrase",
    "passwort",
    "kennwort",
    "pwd",
    "secret",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "secretkey",
    "signingkey",
    "masterkey",
    "encryptionkey",
    "apischlüssel",
    "geheimschlüssel",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];
/// The same of names that are also used for other things: a token of a parser, a test that may pass.
const WEAK: [&str; 4] = ["token", "credential", "credentials", "zugangsdaten"];
/// The same, where they are a whole word of the name.
const WEAK_WORDS: [&str; 4] = ["pass", "auth", "pw", "authorization"];
/// Words that stand between a name and its value in a sentence.
const IS: [&str; 5] = ["is", "was", "lautet", "ist", "est"];
/// Words of values that only stand for one.
const STANDS_IN: [&str; 40] = [
    "example",
    "your",
    "my",
    "the",
    "changeme",
    "change",
    "placeholder",
    "redacted",
    "masked",
    "dummy",
    "todo",
    "insert",
    "replace",
    "here",
    "null",
    "none",
    "nil",
    "undefined",
    "false",
    "true",
    "required",
    "optional",
    "string",
    "password",
    "secret",
    "token",
    "passwd",
    "default",
    "empty",
    "unset",
    "hidden",
    "forgot",
    "vault",
    "environ",
    "getenv",
    "process",
    "config",
    "settings",
    "invalid",
    "missing",
];
/// How words begin that name a way to keep secrets, and no secret.
const METHODS: [&str; 19] = [
    "sha", "md5", "aes", "rsa", "base64", "base32", "utf", "argon2", "pbkdf", "oauth", "hmac", "bcrypt",
    "uint", "int", "float", "ed25519", "x509", "http", "iso",
];

/// How surely a name says that its value is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    Surely,
    Perhaps,
}

/// Where secret values stand in a line: begin and end of each, rising.
pub(super) fn values(line: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while let Some((from, to)) = next_name(line, at) {
        at = to;
        let Some(says) = says(&line[from..to]) else { continue };
        if let Some(value) = value_of(line, from, to, says) {
            at = value.1;
            found.push(value);
        }
    }
    found
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn next_name(line: &str, at: usize) -> Option<(usize, usize)> {
    let from = at + line[at..].find(is_name_char)?;
    let to = line[from..].find(|c| !is_name_char(c)).map_or(line.len(), |more| from + more);
    Some((from, to))
}

fn says(name: &str) -> Option<Says> {
    // `password2`, `TOKEN_1`
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '_' | '-' | '.'));
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let ends = |known: &[&str]| known.iter().any(|end| plain.ends_with(end));
    let humped = |word: &str| {
        let hump = format!("{}{}", word[..1].to_uppercase(), &word[1..]);
        name.ends_with(&hump) && name.len() > hump.len()
    };
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or(name).to_lowercase();
    if ends(&NAMES) {
        return Some(Says::Surely);
    }
    let word = |word: &&str| last == **word || humped(word);
    (ends(&WEAK) || WEAK_WORDS.iter().any(word)).then_some(Says::Perhaps)
}

/// Where the value of a name at `from..to` stands, if it is written out.
fn value_of(line: &str, from: usize, to: usize, says: Says) -> Option<(usize, usize)> {
    let tied = line[to..].trim_start_matches(['\\', '"', '\'', '`', ']', '*']);
    let after = tied.trim_start_matches([' ', '\t']);
    let sign = ["=>", ":=", "==", "=", ":", "："].iter().find(|sign| after.starts_with(**sign));
    let Some(sign) = sign else { return in_a_sentence(line, to) };
    let value = after[sign.len()..].trim_start_matches([' ', '\t', '\\']);
    let begin = line.len() - value.len();
    let name = &line[from..to];
    let glued = *sign == "=" && line[to..].starts_with('=') && !line[to + 1..].starts_with([' ', '\t']);
    let shouted = glued && name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    match value.chars().next()? {
        quote @ ('"' | '\'' | '`') => {
            let inside = &value[1..value[1..].find(quote)? + 1];
            let inside = inside.trim_end_matches('\\');
            quoted(inside, name, says).then_some((begin + 1, begin + 1 + inside.len()))
        }
        _ if shouted => {
            let value = value.split([' ', '\t', '\n', '\r', '"', '\'', '`']).next().unwrap_or_default();
            let value = value.trim_end_matches([',', ';', ')']);
            shouted_one(value, says).then_some((begin, begin + value.len()))
        }
        _ => {
            let end = value.find(|c: char| !is_bare(c)).unwrap_or(value.len());
            let (value, rest) = value.split_at(end);
            bare(value, rest, line[..from].trim(), says).then_some((begin, begin + value.len()))
        }
    }
}

/// `password S3cret…` of `.netrc`, `--token 8f14…`, `the password is Tr0ub4dor…`.
fn in_a_sentence(line: &str, to: usize) -> Option<(usize, usize)> {
    let after = line[to..].strip_prefix([' ', '\t'])?.trim_start();
    let first = after.split_whitespace().next()?;
    let after =
        if IS.contains(&first.to_lowercase().as_str()) { after[first.len()..].trim_start() } else { after };
    let begin = line.len() - after.len();
    let word = after.split_whitespace().next()?.trim_matches(['"', '\'', '`', '.', ',', ';', ')']);
    let begin = begin + after.find(word)?;
    let is_one = word.chars().count() >= 10 && count(word, |c| c.is_ascii_digit()) >= 3 && looks_made(word);
    (is_one && word.chars().all(|c| !matches!(c, '(' | ')' | '<' | '>' | '{' | '}' | ':')))
        .then_some((begin, begin + word.len()))
}

/// In quotes stands a text: a secret, unless it stands for one or is a label.
fn quoted(value: &str, name: &str, says: Says) -> bool {
    let phrase = name.to_lowercase().ends_with("passphrase") && value.split_whitespace().nth(2).is_some();
    if value.contains(char::is_whitespace) {
        return phrase && !stands_in(value);
    }
    let path =
        value.contains(['/', '.', ':']) && !value.chars().any(|c| c.is_ascii_digit() || c.is_uppercase());
    is_value(value) && !path && (says == Says::Surely || looks_made(value))
}

/// In an environment file everything is text.
fn shouted_one(value: &str, says: Says) -> bool {
    let long = || value.len() >= 16 && !value.contains(['/', '.', '_', '-']);
    is_value(value) && (says == Says::Surely || looks_made(value) || long())
}

/// A character of a value that stands without quotes. A call or a path is no value.
fn is_bare(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '-' | '_' | '+' | '/' | '=' | '!' | '@' | '#' | '%' | '^' | '&' | '*' | '$' | '~' | '?'
        )
}

/// A bare word in code is a name. `rest` follows it, `before` stands before the name.
fn bare(value: &str, rest: &str, before: &str, says: Says) -> bool {
    if !is_value(value) || !looks_made(value) {
        return false;
    }
    let ends = rest
        .chars()
        .next()
        .is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '}' | ')' | '`'));
    let in_code = rest.trim_start().starts_with([',', ';', ')', '}']) || before.contains(['(', '{']);
    let marked =
        before.trim_start_matches(['+', '-', '>', '*', ' ', '\t']).is_empty() || before.ends_with("--");
    if value.starts_with(['/', '~']) {
        return false;
    }
    let sure = says == Says::Surely && marked && !in_code;
    ends && (sure || is_random(value))
}

/// Whether a value may be a secret: long enough, and nothing that stands for one.
pub(super) fn is_value(value: &str) -> bool {
    value.chars().count() >= 6 && !value.contains(char::is_whitespace) && !stands_in(value)
}

fn stands_in(value: &str) -> bool {
    let lower = value.to_lowercase();
    let filler = count(value, |c| matches!(c, 'x' | 'X' | '*' | '.' | '…' | '•' | '-' | '_'));
    let digits = count(value, |c| c.is_ascii_digit());
    let variable = value
        .strip_prefix('$')
        .is_some_and(|name| digits < 4 && name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let worded = digits < 3 && words().any(|word| STANDS_IN.contains(&word));
    let glued = digits == 0
        && ["your", "example", "changeme", "placeholder", "dummy"].iter().any(|word| lower.starts_with(word));
    ["${", "$(", "<", "{", "%(", "%{", "[", "&", "changeme"].iter().any(|start| lower.starts_with(start))
        || 2 * filler >= value.chars().count()
        || lower.contains("example.com")
        || variable
        || worded
        || glued
        || is_call(value)
}

/// `read_token(path)?`, `env::var("X")`, `settings.password`.
fn is_call(value: &str) -> bool {
    let path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '!' | '&' | '*');
    let named = value.find(|c| !path(c)).is_some_and(|at| at > 0 && value[at..].starts_with(['(', '[']));
    let dotted = value.contains('.')
        && value.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        });
    named || dotted
}

fn count(value: &str, holds: impl Fn(char) -> bool) -> usize {
    value.chars().filter(|c| holds(*c)).count()
}

/// Whether a value holds what words do not: digits among letters, or capitals anywhere.
fn looks_made(value: &str) -> bool {
    let lower = value.to_lowercase();
    let digits = count(value, |c| c.is_ascii_digit());
    let letters = count(value, char::is_alphabetic);
    // `token_v2`, `sha256`, `OAuth2-based`
    let parts: Vec<&str> = value.split(['_', '-', '/']).filter(|part| !part.is_empty()).collect();
    let versioned = parts.len() > 1
        && parts.iter().all(|part| part.len() < 12)
        && parts.iter().all(|part| {
            part.trim_start_matches(['v', 'V']).chars().all(|c| c.is_ascii_digit())
                || part.chars().all(char::is_alphabetic)
        });
    let method = METHODS.iter().any(|start| lower.starts_with(start)) && value.chars().count() < 20;
    !method && !versioned && ((digits > 0 && letters > 0) || is_mixed(value))
}

/// Whether a machine made it up.
fn is_random(value: &str) -> bool {
    let digits = count(value, |c| c.is_ascii_digit());
    let cases = value.chars().any(char::is_uppercase) && value.chars().any(char::is_lowercase);
    value.chars().count() >= 10
        && (digits >= 3 || (digits >= 1 && cases && value.len() >= 12) || is_mixed(value))
}

/// Capitals all over it, as no word has them.
pub(super) fn is_mixed(value: &str) -> bool {
    let length = value.chars().count();
    length >= 16
        && 4 * count(value, char::is_uppercase) >= length
        && 4 * count(value, char::is_lowercase) >= length
}
