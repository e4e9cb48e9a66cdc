//! Words: what people and models wrote, as opposed to facts such as ids, names, choices and counts.
//!
//! Each type says beside its definition which of its fields are words ([`words!`]). Redaction blanks them, and tests for
//! leaks look for them, by the same walk. Every field is named there: a new one does not build until somebody has
//! said which it is.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What stands where words stood.
pub const REDACTED: &str = "[redacted]";

/// Something that holds words.
pub trait Words {
    /// Visits every text in it.
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String));

    /// Visits those of its texts that Synod worded itself.
    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String));

    /// Whether there is any text in it.
    fn has_words(&mut self) -> bool {
        let mut any = false;
        self.visit_words(&mut |_| any = true);
        any
    }

    /// Blanks every text in it.
    fn redact(&mut self) {
        self.visit_words(&mut |text| REDACTED.clone_into(text));
    }
}

impl Words for String {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        visit(self);
    }

    fn visit_messages(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

impl Words for Arc<str> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        let mut text = self.to_string();
        visit(&mut text);
        *self = text.into();
    }

    fn visit_messages(&mut self, _: &mut dyn FnMut(&mut String)) {}
}

impl<T: Words> Words for Option<T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_words(visit));
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_messages(visit));
    }
}

impl<T: Words> Words for Vec<T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_words(visit));
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_messages(visit));
    }
}

impl<T: Words + Clone> Words for imbl::Vector<T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_words(visit));
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.iter_mut().for_each(|inner| inner.visit_messages(visit));
    }
}

impl<K: Ord + Clone, T: Words + Clone> Words for imbl::OrdMap<K, T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        for key in self.keys().cloned().collect::<Vec<K>>() {
            if let Some(inner) = self.get_mut(&key) {
                inner.visit_words(visit);
            }
        }
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        for key in self.keys().cloned().collect::<Vec<K>>() {
            if let Some(inner) = self.get_mut(&key) {
                inner.visit_messages(visit);
            }
        }
    }
}

impl<K, T: Words> Words for BTreeMap<K, T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.values_mut().for_each(|inner| inner.visit_words(visit));
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.values_mut().for_each(|inner| inner.visit_messages(visit));
    }
}

impl<T: Words> Words for Box<T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        (**self).visit_words(visit);
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        (**self).visit_messages(visit);
    }
}

impl<T: Words + Clone> Words for Arc<T> {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        Arc::make_mut(self).visit_words(visit);
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        Arc::make_mut(self).visit_messages(visit);
    }
}

/// A pair is what the words belong to, and the words.
impl<K, T: Words> Words for (K, T) {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.1.visit_words(visit);
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.1.visit_messages(visit);
    }
}

impl<J, K, T: Words> Words for (J, K, T) {
    fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.2.visit_words(visit);
    }

    fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
        self.2.visit_messages(visit);
    }
}

/// Says which fields of a type are words, before the bar, and which are facts, after it.
///
/// A variant with one field is written `Variant[words]` if that field holds words, `Variant(fact)` if not.
macro_rules! words {
    (struct $type:ty { $($word:ident),* $(,)? | $($fact:ident),* $(,)? }) => {
        impl $crate::kernel::Words for $type {
            #[allow(unused_variables)] // a type without words has nobody to visit
            fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
                let Self { $($word,)* $($fact: _,)* } = self;
                $($crate::kernel::Words::visit_words($word, visit);)*
            }

            #[allow(unused_variables)]
            fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
                let Self { $($word,)* $($fact: _,)* } = self;
                $($crate::kernel::Words::visit_messages($word, visit);)*
            }
        }
    };
    (enum $type:ty { $($variant:ident $({ $($word:ident),* $(,)? | $($fact:ident),* $(,)? })? $([$inner:ident])? $(($outer:ident))?),* $(,)? }) => {
        impl $crate::kernel::Words for $type {
            #[allow(unused_variables)]
            fn visit_words(&mut self, visit: &mut dyn FnMut(&mut String)) {
                match self {
                    $(Self::$variant $({ $($word,)* $($fact: _,)* })? $(($inner))? $(($outer))? => {
                        $($($crate::kernel::Words::visit_words($word, visit);)*)?
                        $($crate::kernel::Words::visit_words($inner, visit);)?
                    })*
                }
            }

            #[allow(unused_variables)]
            fn visit_messages(&mut self, visit: &mut dyn FnMut(&mut String)) {
                match self {
                    $(Self::$variant $({ $($word,)* $($fact: _,)* })? $(($inner))? $(($outer))? => {
                        $($($crate::kernel::Words::visit_messages($word, visit);)*)?
                        $($crate::kernel::Words::visit_messages($inner, visit);)?
                    })*
                }
            }
        }
    };
}

pub(crate) use words;
