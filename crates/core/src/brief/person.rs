//! What a person is told: the same brief without the words that are only for models, and each field read as the form
//! reads it.

use serde_json::Value;

use super::read::{FieldValue, given};
use super::words::{CLOSING, FORM, JSON, QUESTION, QUOTED};
use super::{Brief, Field};
use crate::kernel::{Repair, text};

impl Brief {
    /// The question with its options, requirements and members, what was said, and what is asked now. The role, the
    /// contract and the JSON form are left out: a person is asked for one field at a time.
    pub fn for_person(&self, topic: &str) -> String {
        let stable = self.stable.text();
        let begins = format!("{QUESTION}{}", topic.trim());
        let question = stable.find(&begins).map_or(topic, |at| &stable[at + QUESTION.len()..]);
        // The form stands last, so the last heading is ours whatever the question contains.
        let has_form = stable.contains(FORM);
        let question = question.rfind(FORM).map_or(question, |at| &question[..at]);
        let own = match has_form {
            true => self.own.as_str(),
            // A clerk's form stands in what is asked now.
            false => self.own.rfind(JSON).map_or(self.own.as_str(), |at| &self.own[..at]),
        };
        let own = own.rfind(CLOSING).map_or(own, |at| &own[..at]);
        let own = own.replacen("\n# You\n", "\n", 1);
        let quoted = QUOTED.trim_end();
        let shared = self.shared.text().replacen(&format!(" {quoted}"), "", 1).replacen(quoted, "", 1);
        let parts = [question, &shared, &own].map(str::trim);
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }
}

impl Field {
    /// Reads what was written into this field alone, as in an answer that holds nothing else. The repairs say what was
    /// overlooked and, where there is no value, why.
    pub fn read(&self, written: Value, options: &[String]) -> (Option<FieldValue>, Vec<Repair>) {
        let mut repairs = Vec::new();
        let found = given(self, written, options, &mut repairs);
        (found, repairs)
    }

    /// Its key as people say it.
    pub fn title(&self) -> String {
        text::one_line(&self.key.replace('_', " "))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::{
        AddressedSeat, Filling, Form, Ground, Layer, Telling, VoteForm, Wording, language, own, stable, task,
    };
    use super::*;

    fn brief(topic: &str) -> Brief {
        let wording: Wording = serde_json::from_value(json!({
            "role": { "emoji": "x", "title": "Judge", "definition": "d", "mission": "m", "persistence": "p",
                      "helpful": "h", "not_helpful": "n" },
            "contract": { "must": ["obey"], "must_not": [], "priority": ["a"], "failure": "f" },
            "first": [], "later": [], "checklist": ["c"],
        }))
        .expect("a wording");
        let form = Form::vote(2, VoteForm::default());
        let options = ["tea".to_string(), "coffee".to_string()];
        let must = ["no downtime".to_string()];
        let ground =
            Ground { topic, options: &options, must: &must, members: "ann, bob.", parts: &[], words: 100 };
        let you = AddressedSeat {
            name: "ann",
            part: None,
            side: None,
            persona: None,
            perspective: None,
            released: false,
            veto: false,
            language: language(topic),
            addressed: "",
            offered: "",
            notes: "",
        };
        Brief {
            stable: Layer::new(stable(&wording, false, (Filling::Vote, &form), ground)),
            shared: Layer::new(format!("\n# What was said\n\nComplete. {QUOTED}\nbob:\n| Tea.\n")),
            own: own(&task(Telling::Vote { again: false }), you),
            form: Arc::new(form),
        }
    }

    #[test]
    fn a_person_is_told_the_question_and_not_the_form() {
        let told = brief("What shall we drink?").for_person("What shall we drink?");
        assert!(told.starts_with("What shall we drink?\nOption A: tea\nOption B: coffee\n"), "{told}");
        for part in ["1. no downtime", "Members: ann, bob.", "| Tea.", "# Now: your vote", "You are ann."] {
            assert!(told.contains(part), "`{part}` is missing\n{told}");
        }
        assert!(told.contains("\nComplete.\n"), "{told}");
        for part in ["JSON", "Form of your", "change_if", "obey", "Lines that begin", "instructions"] {
            assert!(!told.contains(part), "`{part}` is shown\n{told}");
        }
    }

    /// A question may hold the very headings of a brief.
    #[test]
    fn a_question_with_headings_stays_whole() {
        let topic = "Is this clear?\n\n# Question\n\nor this?\n# Form of your vote\nno";
        let told = brief(topic).for_person(topic);
        assert!(told.starts_with(&format!("{topic}\nOption A")), "{told}");
        assert!(!told.contains("Answer with one JSON"), "{told}");
    }

    #[test]
    fn one_field_is_read_as_the_form_reads_it() {
        let form = Form::vote(2, VoteForm::default());
        let options = ["tea".to_string(), "coffee".to_string()];
        let read = |key: &str, said: &str| {
            let field = form.find(key).expect("a field");
            field.read(json!(said), &options)
        };
        for said in ["b", "B", "option b", "coffee"] {
            let alike = read("vote", "B").0;
            assert!(alike.is_some() && read("vote", said) == (alike, Vec::new()), "{said}");
        }
        let (found, why) = read("vote", "juice");
        assert_eq!(found, None);
        assert_eq!(&*why[0].code, "choice-unknown");
        assert_eq!(read("confidence", "7").0, None);
        assert!(read("confidence", "0.7").1.is_empty());
    }
}
