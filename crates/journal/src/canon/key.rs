//! Writes the key of a map: text, or it is refused. A number as a key would come back as text, and two
//! readers would not agree on what was meant.

use std::fmt::Display;

use serde::ser::{Impossible, Serialize, Serializer};

use super::{CanonError, write::CanonWriter};

/// Takes exactly one key.
pub(super) struct KeyWriter<'a>(pub(super) &'a mut CanonWriter);

macro_rules! refused {
    ($($method:ident($($kind:ty),*) = $what:literal;)+) => {$(
        fn $method(self, $(_: $kind),*) -> Result<(), CanonError> { Err(CanonError::Key($what)) }
    )+};
}

macro_rules! refused_compound {
    ($($method:ident($($kind:ty),*) -> $shape:ident = $what:literal;)+) => {$(
        fn $method(self, $(_: $kind),*) -> Result<Self::$shape, CanonError> { Err(CanonError::Key($what)) }
    )+};
}

impl Serializer for KeyWriter<'_> {
    type Ok = ();
    type Error = CanonError;
    type SerializeSeq = Impossible<(), CanonError>;
    type SerializeTuple = Impossible<(), CanonError>;
    type SerializeTupleStruct = Impossible<(), CanonError>;
    type SerializeTupleVariant = Impossible<(), CanonError>;
    type SerializeMap = Impossible<(), CanonError>;
    type SerializeStruct = Impossible<(), CanonError>;
    type SerializeStructVariant = Impossible<(), CanonError>;

    fn serialize_str(self, v: &str) -> Result<(), CanonError> {
        self.0.text(v);
        Ok(())
    }
    fn serialize_char(self, v: char) -> Result<(), CanonError> {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), CanonError> {
        self.0.display(value)
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
    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), CanonError> {
        Err(CanonError::Key("an option"))
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), CanonError> {
        Err(CanonError::Key("a variant with contents"))
    }

    refused! {
        serialize_bool(bool) = "true or false";
        serialize_i8(i8) = "an integer";
        serialize_i16(i16) = "an integer";
        serialize_i32(i32) = "an integer";
        serialize_i64(i64) = "an integer";
        serialize_i128(i128) = "an integer";
        serialize_u8(u8) = "an integer";
        serialize_u16(u16) = "an integer";
        serialize_u32(u32) = "an integer";
        serialize_u64(u64) = "an integer";
        serialize_u128(u128) = "an integer";
        serialize_f32(f32) = "a float";
        serialize_f64(f64) = "a float";
        serialize_bytes(&[u8]) = "bytes";
        serialize_none() = "nothing";
        serialize_unit() = "nothing";
        serialize_unit_struct(&'static str) = "nothing";
    }
    refused_compound! {
        serialize_seq(Option<usize>) -> SerializeSeq = "an array";
        serialize_tuple(usize) -> SerializeTuple = "an array";
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct = "an array";
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant = "an array";
        serialize_map(Option<usize>) -> SerializeMap = "a map";
        serialize_struct(&'static str, usize) -> SerializeStruct = "a map";
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant = "a map";
    }
}
