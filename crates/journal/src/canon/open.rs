//! Arrays and maps while they are open. A variant with contents is a map of one member around them, and
//! `wrapped` remembers to close it too.

use serde::ser::{self, Serialize};

use super::{
    Error,
    key::KeyWriter,
    write::{Member, Writer},
};

/// An open array.
pub(super) struct List<'a> {
    to: &'a mut Writer,
    empty: bool,
    wrapped: bool,
}

impl<'a> List<'a> {
    pub(super) fn new(to: &'a mut Writer, wrapped: bool) -> Self {
        Self { to, empty: true, wrapped }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if !std::mem::take(&mut self.empty) {
            self.to.out.push(',');
        }
        value.serialize(&mut *self.to)
    }

    fn finish(self) -> Result<(), Error> {
        self.to.close(']');
        if self.wrapped {
            self.to.close('}');
        }
        Ok(())
    }
}

/// An open map.
pub(super) struct Object<'a> {
    to: &'a mut Writer,
    /// The first of its members in the writer's list.
    first: usize,
    /// Where its text begins.
    body: usize,
    wrapped: bool,
}

impl<'a> Object<'a> {
    pub(super) fn new(to: &'a mut Writer, wrapped: bool) -> Self {
        Self { first: to.members.len(), body: to.out.len(), to, wrapped }
    }

    fn begin(&mut self) -> usize {
        if self.to.members.len() > self.first {
            self.to.out.push(',');
        }
        self.to.out.len()
    }

    fn colon(&mut self, start: usize) {
        self.to.members.push(Member { start, colon: self.to.out.len(), end: 0 });
        self.to.out.push(':');
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut *self.to)?;
        let end = self.to.out.len();
        if let Some(member) = self.to.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        let start = self.begin();
        self.to.text(key);
        self.colon(start);
        self.value(value)
    }

    fn finish(self) -> Result<(), Error> {
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
    type Error = Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let start = self.begin();
        key.serialize(KeyWriter(self.to))?;
        self.colon(start);
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.value(value)
    }
    fn end(self) -> Result<(), Error> {
        self.finish()
    }
}

macro_rules! compound {
    ($($shape:ident for $to:ident: $method:ident($($key:ident)?) = $inner:ident;)+) => {$(
        impl ser::$shape for $to<'_> {
            type Ok = ();
            type Error = Error;
            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), Error> {
                self.$inner($($key,)? value)
            }
            fn end(self) -> Result<(), Error> { self.finish() }
        }
    )+};
}

compound! {
    SerializeSeq for List: serialize_element() = item;
    SerializeTuple for List: serialize_element() = item;
    SerializeTupleStruct for List: serialize_field() = item;
    SerializeTupleVariant for List: serialize_field() = item;
    SerializeStruct for Object: serialize_field(key) = field;
    SerializeStructVariant for Object: serialize_field(key) = field;
}
