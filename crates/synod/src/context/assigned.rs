//! Values that are assigned to a name which says that they are secret: `DB_PASSWORD=…`, `"token": "…"`,
//! `--password=…`, `Passwort: …`, `the root password is …`.
//!
//! How much a value has to look like one depends on where it stands. In an environment file anything is one. In quotes
//! anything that is no placeholder is one. In code a bare word is a variable or a type, so it has to look made by a
//! machine or at least to hold a digit.

/// Ends of names whose value is a secret, in lower case and without `-`, `_` and `.`.
const NAMES: [&str; 34] = [
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
    "secretkeybase",
    "licensekey",
    "licencekey",
    "sharedkey",
    "contraseña",
    "wachtwoord",
    "senha",
    "lösenord",
    "hasło",
    "adgangskode",
    "motdepasse",
    "zugangscode",
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
const WEAK_WORDS: [&str; 8] =
    ["pass", "auth", "pw", "authorization", "session", "sessionid", "jsessionid", "phpsessid"];
/// Names of a query in an address whose value is a key if it is long and made by a machine.
const QUERIES: [&str; 5] = ["key", "sig", "signature", "apikey", "sas"];
/// Words that stand alone behind a name and are what it is or how it is, and not its value.
const STATES: [&str; 52] = [
    "abgelaufen",
    "accepted",
    "any",
    "boolean",
    "buffer",
    "bytes",
    "changed",
    "clear",
    "confirm",
    "correct",
    "disabled",
    "enabled",
    "encrypted",
    "expired",
    "external",
    "falsch",
    "forgotten",
    "geheim",
    "generated",
    "geändert",
    "hashed",
    "incorrect",
    "input",
    "integer",
    "known",
    "leaked",
    "managed",
    "nothing",
    "number",
    "object",
    "option",
    "pending",
    "plaintext",
    "policy",
    "prompt",
    "protected",
    "random",
    "rejected",
    "reset",
    "revoked",
    "rotated",
    "rotation",
    "secretstr",
    "sensitive",
    "stored",
    "strong",
    "unchanged",
    "unknown",
    "username",
    "varchar",
    "vergessen",
    "verified",
];
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
        let value = match says(&line[from..to]) {
            Some(says) => value_of(line, from, to, says),
            None => in_query(line, from, to),
        };
        if let Some(value) = value {
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
    // `mot de passe`
    if ends(&NAMES) || last == "passe" {
        return Some(Says::Surely);
    }
    let word = |word: &&str| last == **word || humped(word);
    (ends(&WEAK) || WEAK_WORDS.iter().any(word)).then_some(Says::Perhaps)
}

/// `?key=0123…`: a key in an address.
fn in_query(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let named = QUERIES.contains(&line[from..to].to_lowercase().as_str());
    let value = line[to..].strip_prefix('=').filter(|_| named && line[..from].ends_with(['?', '&']))?;
    let end = value.find(|c: char| !is_bare(c) || c == '&').unwrap_or(value.len());
    let is_key = end >= 20 && is_random(&value[..end]) && is_value(&value[..end]);
    is_key.then_some((to + 1, to + 1 + end))
}

/// `<password>…</password>`
fn in_a_tag(line: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let inside = line[to..].strip_prefix('>').filter(|_| line[..from].ends_with('<'))?;
    let (value, _) = inside.split_once("</")?;
    let long = value.chars().count() >= 4 && !value.contains(['<', '\n']);
    (long && !stands_in(value.trim()) && !is_state(value.trim())).then_some((to + 1, to + 1 + value.len()))
}

/// `Kennwort für den Server: xq7Lm29Zp`: a few words between a name and its value.
fn behind_words(line: &str, to: usize) -> Option<(usize, usize)> {
    let (words, value) = line[to..].split_once([':', '：'])?;
    let few = words.split_whitespace().count() <= 4
        && words.starts_with(' ')
        && words.chars().all(|c| c.is_alphanumeric() || c == ' ' || c == '-');
    let value = value.trim_start_matches([' ', '\t']);
    let begin = line.len() - value.len();
    let end = value.find(|c: char| !is_bare(c)).unwrap_or(value.len());
    let is_one = few && is_value(&value[..end]) && looks_made(&value[..end]);
    // Nothing else stands on the line.
    let alone = value[end..].trim().chars().all(|c| !c.is_alphanumeric());
    (is_one && alone).then_some((begin, begin + end))
}

/// The value of `"password": {"value": "…"}`, or what stands there.
fn held(value: &str) -> &str {
    let inner =
        value.strip_prefix('{').map(str::trim_start).and_then(|inner| inner.strip_prefix("\"value\""));
    inner.map_or(value, |inner| inner.trim_start_matches([' ', '\t', ':']))
}

/// Where the value of a name at `from..to` stands, if it is written out.
fn value_of(line: &str, from: usize, to: usize, says: Says) -> Option<(usize, usize)> {
    if let Some(value) = in_a_tag(line, from, to).filter(|_| says == Says::Surely) {
        return Some(value);
    }
    let tied = line[to..].trim_start_matches(['\\', '"', '\'', '`', ']', '*']);
    let after = tied.trim_start_matches([' ', '\t']);
    let sign = ["=>", ":=", "==", "=", ":", "："].iter().find(|sign| after.starts_with(**sign));
    let Some(sign) = sign else {
        let behind = || behind_words(line, to).filter(|_| says == Says::Surely);
        return in_a_sentence(line, to, says).or_else(behind);
    };
    let value = after[sign.len()..].trim_start_matches([' ', '\t', '\\']);
    let value = held(value);
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
            let read = BareValue { value, rest, before: line[..from].trim(), sign: glued_or(sign, glued) };
            read.is_secret(says).then_some((begin, begin + value.len()))
        }
    }
}

/// `password S3cret…` of `.netrc`, `--token 8f14…`, `the password is Tr0ub4dor…`.
fn in_a_sentence(line: &str, to: usize, says: Says) -> Option<(usize, usize)> {
    let after = line[to..].strip_prefix([' ', '\t'])?.trim_start();
    let first = after.split_whitespace().next()?;
    let is = IS.contains(&first.to_lowercase().as_str());
    let after = if is { after[first.len()..].trim_start() } else { after };
    let begin = line.len() - after.len();
    let word = after.split_whitespace().next()?.trim_matches(['"', '\'', '`', '.', ',', ';', ')']);
    let begin = begin + after.find(word)?;
    let long = word.chars().count() >= 10 && count(word, |c| c.is_ascii_digit()) >= 3;
    // `the password is` says what follows.
    let is_one = (long || is && says == Says::Surely && is_value(word)) && looks_made(word);
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

/// What stands between a name and a value without quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assignment {
    /// `password: value`, as in a settings file or in a sentence.
    Colon,
    /// `password=value`
    Glued,
    /// `password = value`, as in code.
    Apart,
}

fn glued_or(sign: &str, glued: bool) -> Assignment {
    match sign {
        ":" | "：" => Assignment::Colon,
        _ if glued => Assignment::Glued,
        _ => Assignment::Apart,
    }
}

/// A value without quotes. `rest` follows it, `before` stands before its name.
struct BareValue<'a> {
    value: &'a str,
    rest: &'a str,
    before: &'a str,
    sign: Assignment,
}

impl BareValue<'_> {
    /// A bare word in code is a name.
    fn is_secret(&self, says: Says) -> bool {
        let (value, rest, before) = (self.value, self.rest, self.before);
        if !is_value(value) || value.starts_with(['/', '~']) {
            return false;
        }
        if !looks_made(value) {
            // `db-credentials` is where a secret is kept.
            let named = value.contains(['-', '_']);
            return says == Says::Surely && !named && self.stands_alone() && !is_state(value);
        }
        let ends = rest
            .chars()
            .next()
            .is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '\'' | '}' | ')' | '`' | '.'));
        let in_code = rest.trim_start().starts_with([',', ';', ')', '}']) || before.contains(['(', '{']);
        let marked = before.trim_start_matches(['+', '-', '>', '*', ' ', '\t']).is_empty()
            || before.ends_with("--")
            || before.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '/'));
        let sure = says == Says::Surely && marked && !in_code;
        ends && (sure || is_random(value))
    }

    /// Whether name and value are the whole line, as in a settings file, or a pair of a query. A word that stands apart from `=`
    /// is code.
    fn stands_alone(&self) -> bool {
        let marks = self.before.trim_start_matches(['+', '-', '>', '*', ' ', '\t', '"', '\'']);
        let starts = marks.is_empty() || marks == "export";
        let ends = self.rest.trim().is_empty() || self.rest.trim_start().starts_with('#');
        let in_query = self.sign == Assignment::Glued && self.before.ends_with(['?', '&']);
        in_query && self.before.contains('=') | self.before.contains('/')
            || starts && ends && self.sign != Assignment::Apart
    }
}

/// Whether a word says how a secret is, or of which type, and is none. A name that ends like one is another name for it.
fn is_state(value: &str) -> bool {
    let lower = value.to_lowercase();
    STATES.contains(&lower.as_str())
        || ["password", "passwd", "passwort", "secret", "string", "_key", "input", "field", "value_here"]
            .iter()
            .any(|end| lower.ends_with(end))
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
