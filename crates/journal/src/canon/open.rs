//! Arrays and maps while they are open. A variant with contents is a map of one member around them, and
//! `wrapped` remembers to close it too.

use serde::ser::{self, Serialize};

use super::{
    CanonError,
    key::KeyWriter,
    write::{CanonWriter, MapMember},
};

/// An open array.
pub(super) struct OpenArray<'a> {
    to: &'a mut CanonWriter,
    empty: bool,
    wrapped: bool,
}

impl<'a> OpenArray<'a> {
    pub(super) fn new(to: &'a mut CanonWriter, wrapped: bool) -> Self {
        Self { to, empty: true, wrapped }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonError> {
        if !std::mem::take(&mut self.empty) {
            self.to.out.push(',');
        }
        value.serialize(&mut *self.to)
    }

    fn finish(self) -> Result<(), CanonError> {
        self.to.close(']');
        if self.wrapped {
            self.to.close('}');
        }
        Ok(())
    }
}

/// An open map.
pub(super) struct Object<'a> {
    to: &'a mut CanonWriter,
    /// The first of its members in the writer's list.
    first: usize,
    /// Where its text begins.
    body: usize,
    wrapped: bool,
}

impl<'a> Object<'a> {
    pub(super) fn new(to: &'a mut CanonWriter, wrapped: bool) -> Self {
        Self { first: to.members.len(), body: to.out.len(), to, wrapped }
    }

    fn begin(&mut self) -> usize {
        if self.to.members.len() > self.first {
            self.to.out.push(',');
        }
        self.to.out.len()
    }

    fn colon(&mut self, start: usize) {
        self.to.members.push(MapMember { start, colon: self.to.out.len(), end: 0 });
        self.to.out.push(':');
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonError> {
        value.serialize(&mut *self.to)?;
        let end = self.to.out.len();
        if let Some(member) = self.to.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), CanonError> {
        let start = self.begin();
        self.to.text(key);
        self.colon(start);
        self.value(value)
    }

    fn finish(self) -> Result<(), CanonError> {
        self.to.settle(self.first, self.body)?;
        self.to.close('}');
        if self.wrapped {
            self.to.close('}');
        }
        Ok(())
    }
}

impl ser::SerializeMap for Object<'_> {
    type Ok = ();
    type Error = CanonError;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonError> {
        let start = self.begin();
        key.serialize(KeyWriter(self.to))?;
        self.colon(start);
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonError> {
        self.value(value)
    }
    fn end(self) -> Result<(), CanonError> {
        self.finish()
    }
}

macro_rules! compound {
    ($($shape:ident for $to:ident: $method:ident($($key:ident)?) = $inner:ident;)+) => {$(
        impl ser::$shape for $to<'_> {
            type Ok = ();
            type Error = CanonError;
            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), CanonError> {
                self.$inner($($key,)? value)
            }
            fn end(self) -> Result<(), CanonError> { self.finish() }
        }
    )+};
}

compound! {
    SerializeSeq for OpenArray: serialize_element() = item;
    SerializeTuple for OpenArray: serialize_element() = item;
    SerializeTupleStruct for OpenArray: serialize_field() = item;
    SerializeTupleVariant for OpenArray: serialize_field() = item;
    SerializeStruct for Object: serialize_field(key) = field;
    SerializeStructVariant for Object: serialize_field(key) = field;
}
