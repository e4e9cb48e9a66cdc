//! Names that could be taken for another: those that the record itself uses, and look-alikes of participants.
//!
//! The table below holds letters of other scripts that look like Latin ones in common fonts. It is not all of Unicode's list of confusable
//! characters: names are letters and digits by then, and compatibility forms (full width, mathematical) are folded before. To add a
//! letter: one pair below.

use super::Roster;
use crate::kernel::Who;
use crate::kernel::text::{self, fold, is_invisible};

/// What the record calls those who are not participants.
pub const RESERVED: [&str; 3] = ["engine", "operator", "owner"];
/// What issues call the person who leads and the house. Nobody takes part under these names; [`stands_for_other`] tells the very name,
/// [`reserved`] one that looks like it.
const PASSED_FOR: [&str; 2] = ["user", "system"];

/// Lower-case letters, each with the Latin letter that it, or its capital, looks like.
const LOOKS_LIKE: [(&str, &str); 4] = [
    // Cyrillic.
    ("абгезкмнопрстухѕіјһӏԁԛԝв", "a6re3kmhonpctyxsijhldqwb"),
    // Greek.
    ("αβγεζηικμνορτυχω", "abyeznikmvoptuxw"),
    // Armenian.
    ("օոսհցզ", "onuhgq"),
    // Small capitals and other Latin letters.
    ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɡɩ", "abcdeghijklmnoprstuvwyzagi"),
];

fn latin(c: char) -> char {
    // Most letters, and none of them in the table.
    if c.is_ascii() {
        return c;
    }
    let looks = |(from, to): &(&str, &str)| {
        let at = from.chars().position(|letter| letter == c)?;
        to.chars().nth(at)
    };
    LOOKS_LIKE.iter().find_map(looks).unwrap_or(c)
}

/// The name as it looks: two names that a reader cannot tell apart have the same. Signs, blanks and accents do not tell names apart, nor
/// do 0 and O or 1 and l; `4.1` and `41` differ, because a sign between two digits makes another number.
fn skeleton(name: &str) -> String {
    let visible: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    let letters: Vec<char> = fold(&visible).chars().map(latin).collect();
    let mut looks = String::new();
    for (nth, c) in letters.iter().enumerate() {
        let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let between_digits = digit(nth.checked_sub(1)) && digit(Some(nth + 1));
        match c {
            // In Japanese a mark makes another letter.
            '\u{3040}'..='\u{30ff}' => looks.push(*c),
            sign if !sign.is_alphanumeric() && between_digits => looks.push('.'),
            // Folded already, so that nothing but its twin is to be looked for.
            plain if plain.is_ascii() => {
                looks.extend(plain.is_alphanumeric().then(|| text::latin_twin(*plain)))
            }
            other => looks.push_str(&text::look_alike(other.encode_utf8(&mut [0; 4]))),
        }
    }
    // Of signs alone nothing is left, and those still differ.
    if looks.is_empty() { letters.into_iter().collect() } else { looks }
}

/// The name that stands for the user or the house, if this is one. Nobody takes part under it.
pub fn stands_for_other(name: &str) -> Option<&'static str> {
    PASSED_FOR.into_iter().find(|known| *known == fold(name))
}

/// The name of the record that this one is, or looks like.
pub fn reserved(name: &str) -> Option<&'static str> {
    let skeleton = skeleton(name);
    let passes = |named: &&str| *named == skeleton && fold(name) != **named;
    let known = RESERVED.into_iter().find(|reserved| *reserved == skeleton);
    known.or_else(|| PASSED_FOR.into_iter().find(passes))
}

/// Another participant than `who` whose id looks like this name.
pub fn look_alike<'a>(roster: &'a Roster, who: &Who, name: &str) -> Option<&'a Who> {
    let own = skeleton(name);
    let mut others = roster.seats().map(|other| &other.who).filter(|other| *other != who);
    others.find(|other| skeleton(other.as_str()) == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_letter_for_each_letter() {
        for (from, to) in LOOKS_LIKE {
            assert_eq!(from.chars().count(), to.chars().count(), "{from}");
        }
    }

    #[test]
    fn what_looks_alike_is_one_name_and_what_does_not_is_two() {
        for (one, other) in [
            ("eve", "e.ve"),
            ("eve", "eve_"),
            ("eve", "ève"),
            ("eve", "e ve"),
            ("mo", "m0"),
            ("alice", "a1ice"),
            ("eve", "еvе"),
            ("agent-1", "agent_l"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        for (one, other) in [
            ("ann", "anne"),
            ("node1", "node2"),
            ("agent-1", "agent-2"),
            ("agent-1", "agent-11"),
            ("gpt-4.1", "gpt-41"),
            ("かき", "がき"),
            ("_", "-"),
            ("анна", "инна"),
        ] {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }

    #[test]
    fn names_of_the_record_are_known_in_every_disguise() {
        for name in [
            "operator",
            "Operator",
            "ΟΡΕRΑΤΟR",
            "оpеrаtоr",
            "ｏｐｅｒａｔｏｒ",
            "oper\u{200b}ator",
            "ᴏᴘᴇʀᴀᴛᴏʀ",
        ] {
            assert_eq!(reserved(name), Some("operator"), "{name}");
        }
        assert_eq!(reserved("Engιnе"), Some("engine"));
        for (name, looks) in
            [("us.er", "user"), ("ｓystém", "system"), ("0wner", "owner"), ("en-gine", "engine")]
        {
            assert_eq!(reserved(name), Some(looks), "{name}");
        }
        for name in
            ["user", "User", "system", "users", "operators", "анна", "оператор", "search engine", "ann"]
        {
            assert_eq!(reserved(name), None, "{name}");
        }
    }
}
