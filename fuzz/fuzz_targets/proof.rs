#![no_main]

#[allow(dead_code)]
#[path = "../targets/journal.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::proof(bytes));
