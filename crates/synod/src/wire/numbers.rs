//! Numbers and settings as JSON writes them.

use std::borrow::Cow;

use serde::Deserialize;
use synod_core::kernel::SettingValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

/// A whole number, however it is written: to JSON `3.0` and `3` are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WholeNumber(pub(crate) u64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(from)?;
        let float = || number.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
        let whole = number.as_u64().or_else(|| float().map(|float| float as u64));
        // The document says int64, and no setting goes nearly as far.
        whole.filter(|whole| i64::try_from(*whole).is_ok()).map(Self).ok_or_else(|| {
            serde::de::Error::custom(format!("{number} is not a whole number from 0 to {}", i64::MAX))
        })
    }
}

/// Reads a whole number that may be left out, however it is written.
pub(crate) fn whole<'de, D: serde::Deserializer<'de>, N: TryFrom<u64>>(
    from: D,
) -> Result<Option<N>, D::Error> {
    let Some(WholeNumber(number)) = Option::deserialize(from)? else { return Ok(None) };
    // What other readers of JSON would round is not taken at its word.
    let exact = Some(number).filter(|number| *number < 1 << 53);
    let read = exact.and_then(|number| N::try_from(number).ok());
    read.map(Some).ok_or_else(|| serde::de::Error::custom(format!("{number} is more than fits here")))
}

/// A value of a setting: a whole number, also written as 3.0, or a share such as `">= 2/3"`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SettingInput(pub(crate) SettingValue);

impl PartialSchema for SettingInput {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0));
        let share = ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(concat!(
                "^([0-9]{1,9}|(>=? )?",
                "(1/[1-9]|2/[2-9]|3/[3-9]|4/[4-9]|[1-9]/[1-9][0-9]{1,2}|[1-9][0-9]?%|100%|0[.][1-9]))$"
            )))
            .examples([">= 2/3"]);
        OneOfBuilder::new().item(number).item(share).into()
    }
}

impl ToSchema for SettingInput {
    fn name() -> Cow<'static, str> {
        "Setting".into()
    }
}

impl<'de> Deserialize<'de> for SettingInput {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let wrong = |written: &dyn std::fmt::Display| {
            serde::de::Error::custom(format!(
                "{written} is not a setting: write a whole number, or a share such as \">= 2/3\""
            ))
        };
        match serde_json::Value::deserialize(from)? {
            serde_json::Value::Number(number) => {
                let float = || number.as_f64().filter(|float| float.fract() == 0.0 && *float >= 0.0);
                let whole = number.as_u64().or_else(|| float().map(|float| float as u64));
                // The document says int64, and no setting goes nearly as far.
                let whole = whole.filter(|whole| i64::try_from(*whole).is_ok());
                whole.map(|whole| Self(whole.into())).ok_or_else(|| wrong(&number))
            }
            serde_json::Value::String(written) => written.parse().map(Self).map_err(|_| wrong(&written)),
            other => Err(wrong(&other)),
        }
    }
}
