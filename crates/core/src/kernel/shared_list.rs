//! Shared lists written as lists, for what a snapshot keeps of them.

use imbl::Vector;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<T: Serialize + Clone, S: Serializer>(
    list: &Vector<T>,
    out: S,
) -> Result<S::Ok, S::Error> {
    out.collect_seq(list.iter())
}

pub(crate) fn deserialize<'de, T, D>(from: D) -> Result<Vector<T>, D::Error>
where
    T: Deserialize<'de> + Clone,
    D: Deserializer<'de>,
{
    Ok(Vec::<T>::deserialize(from)?.into_iter().collect())
}
