//! What looks like a secret: files that are never read for a seat, and never given to one.

/// Names of files and folders that are never read, in lower case.
const SECRET: [&str; 53] = [
    ".git",
    ".synod",
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".vault-token",
    "kubeconfig",
    "application_default_credentials.json",
    "credentials",
    "credentials.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
    "env",
    "service-account.json",
    "service_account.json",
    "serviceaccount.json",
    "client_secret.json",
    "terraform.tfvars",
    "wp-config.php",
    ".m2",
    ".terraform.d",
    ".terraformrc",
    "credentials.tfrc.json",
    ".password-store",
    ".dockercfg",
    ".dockerconfigjson",
    ".my.cnf",
    ".mylogin.cnf",
    ".s3cfg",
    ".boto",
    "rclone.conf",
    "_netrc",
    "local.settings.json",
    "gcloud.json",
    "wallet.dat",
    "fish_history",
    "tokens.txt",
    ".passwd",
    ".credentials.json",
    ".claude.json",
    "auth.json",
    "oauth_creds.json",
];
/// How names begin of files that are never read.
const SECRET_STARTS: [&str; 8] =
    [".env", ".netrc", ".git-credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "ssh_host_"];
/// How they end.
const SECRET_ENDS: [&str; 16] = [
    ".env",
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".tfstate",
    ".tfvars",
    ".tfvars.json",
    ".ovpn",
    ".token",
    ".keytab",
    "_history",
];
/// Names that say what is in a file of data, whatever kind of data it is. Source code and guides of these names are read.
const SECRET_STEMS: [&str; 13] = [
    "secret",
    "secrets",
    "token",
    "password",
    "passwords",
    "passwd",
    "credential",
    "credentials",
    "apikey",
    "apikeys",
    "api_key",
    "api_keys",
    "api-keys",
];
/// How files of data end.
const DATA_ENDS: [&str; 13] =
    ["txt", "json", "yaml", "yml", "toml", "ini", "cfg", "conf", "csv", "xml", "properties", "enc", "bak"];
/// For what environments the variables of `env.NAME` are.
const ENVIRONMENTS: [&str; 9] =
    ["production", "prod", "staging", "stage", "development", "dev", "local", "test", "live"];
/// Folders and what is secret in them, where the name alone says nothing.
const SECRET_WITHIN: [(&str, &str); 6] = [
    ("gh", "hosts.yml"),
    (".config", "gcloud"),
    (".gem", "credentials"),
    (".local", "state"),
    ("synod", "key"),
    ("witness", "key"),
];

/// Whether a name says that something secret is in there.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET.contains(&name.as_str())
        || SECRET_STARTS.iter().any(|start| name.starts_with(start))
        || SECRET_ENDS.iter().any(|end| name.ends_with(end))
        || name.contains("firebase-adminsdk")
        || name.split_once('.').is_some_and(|(stem, rest)| is_secret_data(stem, rest))
}

fn is_secret_data(stem: &str, rest: &str) -> bool {
    let kind = rest.rsplit('.').next().unwrap_or(rest);
    (SECRET_STEMS.contains(&stem) && DATA_ENDS.contains(&kind))
        || (stem == "env" && ENVIRONMENTS.contains(&rest))
        // `appsettings.json` is for everybody; those of one place hold its connection strings.
        || (stem == "appsettings" && rest != "json" && kind == "json")
}

/// Whether any name of a path, or a folder with what lies in it, says so.
pub fn is_secret_path<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    let mut before = String::new();
    names.into_iter().any(|name| {
        let folded = name.to_lowercase();
        let within = SECRET_WITHIN.contains(&(before.as_str(), folded.as_str()));
        before = folded;
        within || is_secret(name)
    })
}

/// Whether a text holds a private key, whatever its file is called and whatever stands around it: in JSON a key is
/// one long string. A text that only speaks of one is not read either; that cannot be told for certain.
pub fn holds_key(text: &str) -> bool {
    const BEGINS: &str = "-----BEGIN ";
    text.match_indices(BEGINS).any(|(at, _)| {
        let label = text[at + BEGINS.len()..].split("-----").next().unwrap_or_default();
        !label.contains('\n') && (label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK"))
    })
}

#[cfg(test)]
mod tests {
    use super::{is_secret, is_secret_path};

    #[test]
    fn files_that_hold_secrets_are_known_by_name() {
        for name in
            [".env.local", "prod.env", "env", "service-account.json", "terraform.tfvars", "x.auto.tfvars"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "token.txt",
            "hub.token",
            "secret.txt",
            "secrets.prod.yaml",
            "passwords.txt",
            ".dockercfg",
            ".bash_history",
            ".zsh_history",
            ".my.cnf",
            "credentials.toml",
            ".terraform.d",
            ".m2",
            "appsettings.Production.json",
            "local.settings.json",
            "env.production",
            ".netrc.txt",
            "wallet.dat",
            "gcloud.json",
            ".git-credentials.old",
            "ssh_host_ed25519_key",
            ".credentials.json",
            "auth.json",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for path in [
            ".config/gh/hosts.yml",
            ".cargo/credentials",
            ".m2/settings.xml",
            "home/.config/gcloud/x.db",
            ".local/state/synod/key",
        ] {
            assert!(is_secret_path(path.split('/')), "{path}");
        }
        for path in ["ansible/hosts.yml", "src/gh/api.rs", "tools/gcloud/main.py", "docs/settings.xml"] {
            assert!(!is_secret_path(path.split('/')), "{path}");
        }
        for name in [
            "token.rs",
            "tokens.json",
            "secrets.md",
            "secret.go",
            "appsettings.json",
            "history.md",
            "password.py",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        for name in ["environment.md", "env.rs", "envelope.txt", "accounts.json", "main.tf", "keys.md"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
