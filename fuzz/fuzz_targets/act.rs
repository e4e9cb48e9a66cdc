#![no_main]

#[allow(dead_code)]
#[path = "../targets/core.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::act(bytes));
