//! Takes keys and passwords out of texts before a council reads them and the record keeps them.
//!
//! It knows the forms of common keys, values that are assigned to names such as `password`, passwords in URLs, private
//! keys, and the keys in this process's environment. It is a net, no proof: a secret of no known form goes through.

use synod_minds::{Env, Name, key_variables};

/// What stands where a secret stood.
const MASK: &str = "[masked]";

/// How keys begin, and the fewest characters that follow.
const PREFIXES: [(&str, usize); 30] = [
    ("sk-ant-", 20),
    ("sk-or-", 20),
    ("sk-proj-", 20),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("whsec_", 16),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AIza", 35),
    ("ya29.", 20),
    ("hf_", 30),
    ("npm_", 36),
    ("pypi-", 50),
    ("dop_v1_", 40),
    ("SG.", 40),
    ("gsk_", 40),
    ("AGE-SECRET-KEY-", 40),
];

/// Ends of names whose value is a secret, in lower case and without `-`, `_` and `.`.
const NAMES: [&str; 11] = [
    "password",
    "passwd",
    "secret",
    "apikey",
    "accesskey",
    "authtoken",
    "privatekey",
    "secretkey",
    "accesstoken",
    "clientsecret",
    "signingkey",
];

/// The text without secrets, and in how many places there was one.
pub(super) fn mask(text: &str) -> (String, u64) {
    mask_with(text, &Env::process())
}

fn mask_with(text: &str, env: &Env) -> (String, u64) {
    let (text, blocks) = private_keys(text);
    let (text, own) = environment(text, env);
    let mut out = String::with_capacity(text.len());
    let mut places = blocks + own;
    for line in text.split_inclusive('\n') {
        let (line, assigned) = assignment(line);
        let (line, urls) = passwords_in_urls(&line);
        let (line, keys) = known_keys(&line);
        out.push_str(&line);
        places += assigned + urls + keys;
    }
    (out, places)
}

/// Private keys, from their first line to their last.
fn private_keys(text: &str) -> (String, u64) {
    const BEGINS: &str = "-----BEGIN ";
    let (mut out, mut rest, mut places) = (String::with_capacity(text.len()), text, 0);
    while let Some(at) = rest.find(BEGINS) {
        let label = rest[at + BEGINS.len()..].split("-----").next().unwrap_or_default();
        let is_key =
            !label.contains('\n') && (label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK"));
        if !is_key {
            let (before, after) = rest.split_at(at + BEGINS.len());
            out.push_str(before);
            rest = after;
            continue;
        }
        out.push_str(&rest[..at]);
        out.push_str(MASK);
        places += 1;
        let end = format!("-----END {label}-----");
        // One that never ends is masked to the end of the text.
        rest = rest[at..].find(&end).map_or("", |to| &rest[at + to + end.len()..]);
    }
    out.push_str(rest);
    (out, places)
}

/// The keys that this process has.
fn environment(text: String, env: &Env) -> (String, u64) {
    let named = Name::ALL.into_iter().map(Some).chain([None]);
    let keys = named.flat_map(key_variables).filter_map(|name| env.get(name)).filter(|key| key.len() >= 8);
    keys.fold((text, 0), |(text, places), key| match text.matches(&key).count() {
        0 => (text, places),
        more => (text.replace(&key, MASK), places + more as u64),
    })
}

/// A character that a key may be made of.
fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Keys of a known form, wherever they stand.
fn known_keys(line: &str) -> (String, u64) {
    let (mut out, mut places, mut rest) = (String::with_capacity(line.len()), 0, line);
    while !rest.is_empty() {
        let to = rest.find(is_key_char).unwrap_or(rest.len());
        let (before, from) = rest.split_at(to);
        out.push_str(before);
        let (word, after) = from.split_at(from.find(|c| !is_key_char(c)).unwrap_or(from.len()));
        if is_key(word) {
            out.push_str(MASK);
            places += 1;
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    (out, places)
}

fn is_key(word: &str) -> bool {
    let prefixed = PREFIXES.iter().any(|(prefix, least)| {
        word.strip_prefix(prefix).is_some_and(|rest| rest.len() >= *least && is_random(rest))
    });
    let amazon = ["AKIA", "ASIA"].iter().any(|prefix| {
        let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        word.strip_prefix(prefix).is_some_and(|rest| rest.len() == 16 && rest.chars().all(upper))
    });
    // The three parts of a signed token.
    let parts: Vec<&str> = word.split('.').collect();
    let signed = word.starts_with("eyJ") && parts.len() == 3 && parts.iter().all(|part| part.len() >= 10);
    prefixed || amazon || signed
}

/// Whether a text is made up of letters and digits as a machine would make it, and not of words.
fn is_random(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit()) && text.chars().any(|c| c.is_ascii_alphabetic())
}

/// `https://user:password@host`.
fn passwords_in_urls(line: &str) -> (String, u64) {
    let (mut out, mut places, mut rest) = (String::with_capacity(line.len()), 0, line);
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '<' | '>'));
        let place = &after[..end.unwrap_or(after.len())];
        let password = place.rsplit_once('@').and_then(|(user, _)| user.split_once(':'));
        rest = after;
        if let Some((user, password)) = password.filter(|(_, password)| is_value(password)) {
            out.push_str(&format!("{user}:{MASK}"));
            rest = &after[user.len() + 1 + password.len()..];
            places += 1;
        }
    }
    out.push_str(rest);
    (out, places)
}

/// `password = "…"` and `API_KEY=…`: what is assigned to a name that says so, if it is written out.
fn assignment(line: &str) -> (String, u64) {
    let mut from = 0;
    while let Some(at) = line[from..].find(['=', ':']).map(|at| from + at) {
        from = at + 1;
        let name = line[..at].trim_end_matches([' ', '\t', '"', '\'', ':']);
        let start = name.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')));
        let name =
            &name[start.map_or(0, |start| start + name[start..].chars().next().map_or(1, char::len_utf8))..];
        let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        if !NAMES.iter().any(|known| plain.ends_with(known)) {
            continue;
        }
        let after = &line[at + 1..];
        let value = after.trim_start_matches(['=', ' ', '\t']);
        let begin = line.len() - value.len();
        let found = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].find(quote).map(|end| (begin + 1, begin + 1 + end)),
            Some(_) => {
                let end = value.find(char::is_whitespace).unwrap_or(value.len());
                let is_last = value[end..].trim().is_empty();
                (is_last && end >= 12 && is_random(&value[..end]) && value[..end].chars().all(is_bare))
                    .then_some((begin, begin + end))
            }
            None => None,
        };
        if let Some((begin, end)) = found.filter(|(begin, end)| is_value(&line[*begin..*end])) {
            return (format!("{}{MASK}{}", &line[..begin], &line[end..]), 1);
        }
    }
    (line.into(), 0)
}

/// A character of a value that stands without quotes. A call or a path is no value.
fn is_bare(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '-' | '_' | '+' | '/' | '=' | '!' | '@' | '#' | '%' | '^' | '&' | '*')
}

/// Whether something may be a secret: not too short, and not the name of one.
fn is_value(value: &str) -> bool {
    let lower = value.to_lowercase();
    let stands_in = ["example", "your", "xxxx", "changeme", "placeholder", "redacted", "masked", "***", "…"];
    value.chars().count() >= 6
        && !value.contains(char::is_whitespace)
        && !value.starts_with(['$', '<', '{', '%'])
        && !stands_in.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, masked: &str, places: u64) {
        let env = Env::of([("OPENAI_API_KEY", "the-key-of-this-process")]);
        assert_eq!(mask_with(text, &env), (masked.to_string(), places));
    }

    #[test]
    fn keys_of_known_forms_are_masked() {
        check("use sk-proj-abcdefghij0123456789XYZ now", "use [masked] now", 1);
        check("ghp_0123456789abcdefghijABCDEFGHIJ0123456789", "[masked]", 1);
        check("a=AKIAIOSFODNN7EXAMPLE,b", "a=[masked],b", 1);
        check(
            "it is the-key-of-this-process, twice: the-key-of-this-process",
            "it is [masked], twice: [masked]",
            2,
        );
        check("Bearer eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeKKF2QT4", "Bearer [masked]", 1);
        check(
            "a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb",
            "a\n[masked]\nb",
            1,
        );
    }

    #[test]
    fn values_of_secret_names_and_passwords_in_urls_are_masked() {
        check("+DB_PASSWORD=hunter2hunter2\n", "+DB_PASSWORD=[masked]\n", 1);
        check("  \"client_secret\": \"s3cr3t-value\",", "  \"client_secret\": \"[masked]\",", 1);
        check("let password = \"correct-horse\";", "let password = \"[masked]\";", 1);
        check("postgres://app:s3cretpw@db:5432/x", "postgres://app:[masked]@db:5432/x", 1);
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "let token = read_token(path)?;",
            "password = os.environ[\"DB_PASSWORD\"]",
            "api_key: String,",
            "password: \"your password here\"",
            "API_KEY=$OPENAI_API_KEY",
            "the secret: never tell anybody anything",
            "a sk-learn-like-name-without-digits-at-all",
            "see https://example.com:8080/a@b and http://127.0.0.1:1234/v1",
            "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
            "größe = \"ß\" // ünïcode: é=…",
        ] {
            check(text, text, 0);
        }
    }
}
