#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| synod_ears::fuzzing::ears(bytes));
