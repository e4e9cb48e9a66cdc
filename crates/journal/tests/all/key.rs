//! The key file: made once, private, never printed.

use std::fs;

use synod_journal::{Error, HouseKey};

use crate::sample::quick_dir;

#[test]
fn is_made_once_and_found_again() {
    let dir = quick_dir();
    assert!(HouseKey::load(dir.path()).unwrap().is_none());
    let made = HouseKey::load_or_create(dir.path()).unwrap();
    let again = HouseKey::load_or_create(dir.path()).unwrap();
    assert_eq!(made.public_hex(), again.public_hex());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no draft is left behind");
}

#[test]
fn is_one_key_however_many_make_it() {
    let dir = quick_dir();
    let keys: Vec<String> = std::thread::scope(|scope| {
        let makers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| HouseKey::load_or_create(dir.path()).unwrap().public_hex()))
            .collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
}

#[test]
fn is_never_printed() {
    let dir = quick_dir();
    let key = HouseKey::load_or_create(dir.path()).unwrap();
    let seed = fs::read_to_string(dir.path().join("key")).unwrap();
    assert_eq!(seed.trim_end().len(), 64);
    assert_eq!(format!("{key:?}"), format!("HouseKey({:?})", key.public_hex()));
    assert_ne!(seed.trim_end(), key.public_hex());
}

#[cfg(unix)]
#[test]
fn is_refused_when_others_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = quick_dir();
    HouseKey::load_or_create(dir.path()).unwrap();
    let path = dir.path().join("key");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o620, 0o644] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let message = HouseKey::load_or_create(dir.path()).unwrap_err().to_string();
        assert!(
            message.ends_with(&format!("(mode {mode:o}); run: chmod 600 {}", path.display())),
            "{message}"
        );
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    HouseKey::load_or_create(dir.path()).unwrap();
}

#[test]
fn is_refused_when_it_is_none() {
    for junk in ["", "key\n", &"0".repeat(63), &"A".repeat(64)] {
        let dir = quick_dir();
        HouseKey::load_or_create(dir.path()).unwrap();
        fs::write(dir.path().join("key"), junk).unwrap();
        assert!(matches!(HouseKey::load_or_create(dir.path()), Err(Error::NotAKey { .. })), "{junk}");
    }
}
