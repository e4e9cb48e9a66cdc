//! What looks like a secret: files that are never read for a seat, and never given to one.

/// Names of files and folders that are never read, in lower case.
const SECRET: [&str; 30] = [
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
];
/// How names begin of files that are never read.
const SECRET_STARTS: [&str; 5] = [".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
/// How they end.
const SECRET_ENDS: [&str; 13] = [
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
];

/// Whether a name says that something secret is in there.
pub fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    SECRET.contains(&name.as_str())
        || SECRET_STARTS.iter().any(|start| name.starts_with(start))
        || SECRET_ENDS.iter().any(|end| name.ends_with(end))
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
    use super::is_secret;

    #[test]
    fn files_that_hold_secrets_are_known_by_name() {
        for name in
            [".env.local", "prod.env", "env", "service-account.json", "terraform.tfvars", "x.auto.tfvars"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in ["environment.md", "env.rs", "envelope.txt", "accounts.json", "main.tf", "keys.md"] {
            assert!(!is_secret(name), "{name}");
        }
    }
}
