//! Shared maps written as lists of pairs, for what a snapshot keeps of them.

use imbl::OrdMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<K, V, S>(map: &OrdMap<K, V>, out: S) -> Result<S::Ok, S::Error>
where
    K: Serialize + Ord + Clone,
    V: Serialize + Clone,
    S: Serializer,
{
    out.collect_seq(map.iter())
}

pub(crate) fn deserialize<'de, K, V, D>(from: D) -> Result<OrdMap<K, V>, D::Error>
where
    K: Deserialize<'de> + Ord + Clone,
    V: Deserialize<'de> + Clone,
    D: Deserializer<'de>,
{
    Ok(Vec::<(K, V)>::deserialize(from)?.into_iter().collect())
}
