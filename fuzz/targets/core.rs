//! What the core reads of others: answers of models, charters, numbers of triggers, settings, acts, snapshots.
//! Each function takes any bytes, and panics where a promise is broken.

use synod_core::brief::{AskedFor, Form, VoteForm, read_stance};
use synod_core::charter::{Charter, parent};
use synod_core::kernel::{AskId, Digest, MatterId, Number, Ratio, SettingValue, Threshold};
use synod_core::matter::detect;
use synod_core::regulation::Regulation;
use synod_core::{Act, House};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every form that a seat is ever asked to fill, with none to three options.
fn forms() -> Vec<(Form, Vec<String>)> {
    let options: Vec<String> = ["Redis", "SQLite with WAL", "neither of them"].map(String::from).into();
    let mut forms = Vec::new();
    for count in [0, 2, 3] {
        forms.push((Form::speech(count, &[]), options[..count].to_vec()));
        forms.push((
            Form::speech(count, &[]).counted().with_requests(true).with_checks(2),
            options[..count].to_vec(),
        ));
        forms.push((Form::vote(count, VoteForm::default()), options[..count].to_vec()));
        forms.push((Form::comparison(count), options[..count].to_vec()));
    }
    forms.push((Form::proposal(&[]), Vec::new()));
    forms.push((Form::estimate(&[], "days"), Vec::new()));
    forms.push((Form::judgement(), Vec::new()));
    forms.push((Form::synthesis(), Vec::new()));
    forms.push((Form::perspectives(), Vec::new()));
    forms
}

/// An answer is read without a panic, the same each time.
pub(crate) fn answer(bytes: &[u8]) {
    let answer = text(bytes);
    for (form, options) in forms() {
        let read = form.read(&answer, &options);
        assert_eq!(
            format!("{read:?}"),
            format!("{:?}", form.read(&answer, &options)),
            "reading is a function"
        );
        let _ = form.read_with_stances(&answer, &options);
    }
    for asked in [AskedFor::Stance, AskedFor::Vote] {
        let reading = read_stance(&answer, asked);
        assert_eq!(reading, read_stance(&answer, asked), "reading is a function");
        assert_ne!(reading.side.is_none(), reading.reason.is_none(), "a side, or a reason why there is none");
    }
}

/// A charter is taken, or every flaw says what is wrong and what to write.
pub(crate) fn charter(bytes: &[u8]) {
    let source = text(bytes);
    match Charter::read(&source, &parent) {
        Ok(whole) => {
            let again = Charter::parse(&whole.source).expect("what was taken is taken again");
            assert_eq!(again.0, whole.charter, "flattening changes nothing");
        }
        Err(flaws) => {
            assert!(!flaws.is_empty(), "a charter is refused with a reason");
            flaws.iter().for_each(|flaw| assert!(!flaw.to_string().is_empty()));
        }
    }
}

/// The numbers of triggers and monitor.
pub(crate) fn triggers(bytes: &[u8]) {
    if let Err(flaws) = Regulation::parse(&text(bytes)) {
        assert!(!flaws.is_empty(), "refused with a reason");
    }
}

/// Numbers, shares, settings and ids: what is taken is printed as something that is taken for the same.
pub(crate) fn scalars(bytes: &[u8]) {
    let written = text(bytes);
    for line in written.lines().take(64) {
        if let Ok(number) = line.parse::<Number>() {
            assert_eq!(number.to_string().parse(), Ok(number), "{line:?}");
        }
        let _ = Number::read(line, "ms");
        if let Ok(share) = line.parse::<Ratio>() {
            assert_eq!(share.to_string().parse(), Ok(share), "{line:?}");
        }
        let _ = line.parse::<Threshold>();
        if let Ok(value) = line.parse::<SettingValue>() {
            assert_eq!(value.to_string().parse(), Ok(value), "{line:?}");
        }
        if let Ok(digest) = line.parse::<Digest>() {
            assert_eq!(digest.to_string().parse(), Ok(digest));
        }
        if let Ok(matter) = line.parse::<MatterId>() {
            assert_eq!(matter.to_string().parse(), Ok(matter));
        }
        if let Ok(ask) = line.parse::<AskId>() {
            assert_eq!(ask.to_string().parse(), Ok(ask));
        }
    }
    let _ = detect(&written);
}

/// An act that decodes encodes to one that decodes to the same, and no house is hurt by it.
pub(crate) fn act(bytes: &[u8]) {
    if let Ok(act) = serde_json::from_slice::<Act>(bytes) {
        let written = serde_json::to_string(&act).expect("an act");
        let again: Act = serde_json::from_str(&written).expect("its own words");
        assert_eq!(again, act, "an act survives its own words");
    }
}

/// A snapshot is a cache: a damaged one is refused and never an error.
pub(crate) fn snapshot(bytes: &[u8]) {
    let _ = House::unpack(bytes);
}
