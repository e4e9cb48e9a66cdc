//! Writes canonical JSON straight from `Serialize`, without building a tree first.
//!
//! Members go to the output in the order they come; when a map closes and they were out of order, its
//! stretch of the output is put in order by moving text. Most maps close at no cost.

use std::fmt::{self, Display, Write as _};

use serde::ser::{Serialize, Serializer};

use super::{
    CanonError, DEEPEST, LARGEST,
    open::{Object, OpenArray},
    order, special,
};

/// The output and where its open members stand.
pub(super) struct CanonWriter {
    pub(super) out: String,
    spare: String,
    /// The members of all open maps, outermost first.
    pub(super) members: Vec<MapMember>,
    depth: usize,
}

/// The position of one map member in the output: `"key":value`.
#[derive(Clone, Copy)]
pub(super) struct MapMember {
    pub(super) start: usize,
    pub(super) colon: usize,
    pub(super) end: usize,
}

impl MapMember {
    fn key<'a>(&self, out: &'a str) -> &'a str {
        &out[self.start + 1..self.colon - 1]
    }
}

impl CanonWriter {
    pub(super) fn new() -> Self {
        // Room for an act of the usual size, so that it is not moved while it grows.
        Self {
            out: String::with_capacity(2400),
            spare: String::new(),
            members: Vec::with_capacity(32),
            depth: 0,
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn text(&mut self, text: &str) {
        self.out.push('"');
        escape(&mut self.out, text);
        self.out.push('"');
    }

    pub(super) fn display<T: Display + ?Sized>(&mut self, value: &T) -> Result<(), CanonError> {
        self.out.push('"');
        write!(Escaped(&mut self.out), "{value}")
            .map_err(|_| CanonError::Other("a value could not be shown as text".into()))?;
        self.out.push('"');
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), CanonError> {
        self.out.push_str(word);
        Ok(())
    }

    fn integer(&mut self, negative: bool, size: u64) -> Result<(), CanonError> {
        if size > LARGEST {
            return Err(CanonError::Large(if negative { -i128::from(size) } else { size.into() }));
        }
        if negative {
            self.out.push('-');
        }
        let (mut digits, mut at, mut left) = ([0; 20], 20, size);
        loop {
            at -= 1;
            digits[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        self.out.push_str(std::str::from_utf8(&digits[at..]).expect("digits are ASCII"));
        Ok(())
    }

    fn open(&mut self, bracket: char) -> Result<(), CanonError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(CanonError::Deep);
        }
        self.out.push(bracket);
        Ok(())
    }

    pub(super) fn close(&mut self, bracket: char) {
        self.depth -= 1;
        self.out.push(bracket);
    }

    /// Opens the map of one member that stands for an enum's variant.
    fn variant(&mut self, name: &str) -> Result<(), CanonError> {
        self.open('{')?;
        self.text(name);
        self.out.push(':');
        Ok(())
    }

    fn list(&mut self, wrapped: bool) -> Result<OpenArray<'_>, CanonError> {
        self.open('[')?;
        Ok(OpenArray::new(self, wrapped))
    }

    fn object(&mut self, wrapped: bool) -> Result<Object<'_>, CanonError> {
        self.open('{')?;
        Ok(Object::new(self, wrapped))
    }

    /// Puts the members from `first` on in order; their text begins at `body`.
    pub(super) fn settle(&mut self, first: usize, body: usize) -> Result<(), CanonError> {
        let (out, members) = (&mut self.out, &mut self.members[first..]);
        let order = |a: &MapMember, b: &MapMember| order::compare(a.key(out), b.key(out));
        if !members.is_sorted_by(|a, b| order(a, b).is_lt()) {
            members.sort_unstable_by(order);
            if let Some(twins) = members.windows(2).find(|two| order(&two[0], &two[1]).is_eq()) {
                return Err(CanonError::Twice(order::unescape(twins[0].key(out))));
            }
            self.spare.clear();
            for member in &*members {
                self.spare.push_str(&out[member.start..member.end]);
                self.spare.push(',');
            }
            self.spare.pop();
            out.truncate(body);
            out.push_str(&self.spare);
        }
        self.members.truncate(first);
        Ok(())
    }
}

/// Escapes what passes through.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

fn escape(out: &mut String, text: &str) {
    let mut left = text;
    while let Some(at) = special(left.as_bytes()) {
        out.push_str(&left[..at]);
        match left.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            0x08 => out.push_str("\\b"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            0x0c => out.push_str("\\f"),
            b'\r' => out.push_str("\\r"),
            control => {
                out.push_str(if control < 0x10 { "\\u000" } else { "\\u001" });
                out.push(char::from_digit(u32::from(control & 15), 16).expect("four bits are one hex digit"));
            }
        }
        left = &left[at + 1..];
    }
    out.push_str(left);
}

macro_rules! integers {
    ($($method:ident($kind:ty)),+) => {$(
        fn $method(self, v: $kind) -> Result<(), CanonError> {
            let (negative, size) = (i128::from(v) < 0, i128::from(v).unsigned_abs());
            self.integer(negative, size as u64)
        }
    )+};
}

impl<'a> Serializer for &'a mut CanonWriter {
    type Ok = ();
    type Error = CanonError;
    type SerializeSeq = OpenArray<'a>;
    type SerializeTuple = OpenArray<'a>;
    type SerializeTupleStruct = OpenArray<'a>;
    type SerializeTupleVariant = OpenArray<'a>;
    type SerializeMap = Object<'a>;
    type SerializeStruct = Object<'a>;
    type SerializeStructVariant = Object<'a>;

    integers!(serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64));
    integers!(serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64));

    fn serialize_i128(self, v: i128) -> Result<(), CanonError> {
        self.integer(v < 0, u64::try_from(v.unsigned_abs()).map_err(|_| CanonError::Large(v))?)
    }
    fn serialize_u128(self, v: u128) -> Result<(), CanonError> {
        self.integer(
            false,
            u64::try_from(v).map_err(|_| CanonError::Large(i128::try_from(v).unwrap_or(i128::MAX)))?,
        )
    }
    fn serialize_f32(self, v: f32) -> Result<(), CanonError> {
        Err(CanonError::Float(v.to_string()))
    }
    fn serialize_f64(self, v: f64) -> Result<(), CanonError> {
        Err(CanonError::Float(v.to_string()))
    }
    fn serialize_bool(self, v: bool) -> Result<(), CanonError> {
        self.word(if v { "true" } else { "false" })
    }
    fn serialize_char(self, v: char) -> Result<(), CanonError> {
        self.text(v.encode_utf8(&mut [0; 4]));
        Ok(())
    }
    fn serialize_str(self, v: &str) -> Result<(), CanonError> {
        self.text(v);
        Ok(())
    }
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), CanonError> {
        self.display(value)
    }
    fn serialize_bytes(self, v: &[u8]) -> Result<(), CanonError> {
        self.collect_seq(v)
    }
    fn serialize_none(self) -> Result<(), CanonError> {
        self.word("null")
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CanonError> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), CanonError> {
        self.word("null")
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), CanonError> {
        self.word("null")
    }
    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), CanonError> {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), CanonError> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CanonError> {
        self.variant(variant)?;
        value.serialize(&mut *self)?;
        self.close('}');
        Ok(())
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<OpenArray<'a>, CanonError> {
        self.list(false)
    }
    fn serialize_tuple(self, _: usize) -> Result<OpenArray<'a>, CanonError> {
        self.list(false)
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<OpenArray<'a>, CanonError> {
        self.list(false)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<OpenArray<'a>, CanonError> {
        self.variant(variant)?;
        self.list(true)
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Object<'a>, CanonError> {
        self.object(false)
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Object<'a>, CanonError> {
        self.object(false)
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Object<'a>, CanonError> {
        self.variant(variant)?;
        self.object(true)
    }
}
