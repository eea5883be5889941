//! Compressed texts of records.
//!
//! This module must not trust compressed data: the length is limited, and the content is checked.

use std::cell::RefCell;

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::CParameter,
};

use super::{MAX_RECORD_BYTES, StoreError};

/// The compression level: fast.
///
/// Measured on records of 17.1 kB (200 actions): level 1 leaves 2142 bytes in 23 µs, level 3 leaves
/// 2063 in 26, level 6 leaves 1657 in 92, level 9 leaves 1539 in 146; decompression takes 7 to 11
/// µs. Without compression records take six times the space, and less than half as many per second
/// reach the disk. A dictionary of six records (102 kB) leaves 1734 bytes at level 1: a fifth less,
/// which does not justify a file that must never be lost or changed.
const LEVEL: i32 = 1;

thread_local! {
    // A context has a few hundred kilobytes that are worth keeping from one record to the next.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses a text, with a checksum.
pub(super) fn pack(text: &str) -> Result<Vec<u8>, StoreError> {
    if text.len() > MAX_RECORD_BYTES {
        return Err(StoreError::Rejected(format!(
            "it has {} bytes; the limit is {MAX_RECORD_BYTES}",
            text.len()
        )));
    }
    COMPRESSOR
        .with_borrow_mut(|kept| {
            let compressor = match kept {
                Some(compressor) => compressor,
                None => {
                    let mut compressor = Compressor::new(LEVEL)?;
                    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
                    kept.insert(compressor)
                }
            };
            compressor.compress(text.as_bytes())
        })
        .map_err(|error: std::io::Error| StoreError::Rejected(error.to_string()))
}

/// Decompresses a text that had this many bytes.
pub(super) fn unpack(packed: &[u8], length: usize) -> Result<String, StoreError> {
    if length > MAX_RECORD_BYTES {
        return Err(StoreError::Corrupt(format!("a record of {length} bytes was never stored")));
    }
    let bytes = DECOMPRESSOR
        .with_borrow_mut(|kept| {
            let decompressor = match kept {
                Some(decompressor) => decompressor,
                None => kept.insert(Decompressor::new()?),
            };
            decompressor.decompress(packed, length)
        })
        .map_err(|error: std::io::Error| {
            StoreError::Corrupt(format!("a record cannot be decompressed: {error}"))
        })?;
    if bytes.len() != length {
        return Err(StoreError::Corrupt(format!(
            "a record has {} bytes instead of {length}",
            bytes.len()
        )));
    }
    String::from_utf8(bytes).map_err(|_| StoreError::Corrupt("a record is not UTF-8".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{MAX_RECORD_BYTES, StoreError, pack, unpack};

    #[test]
    fn a_text_comes_back_byte_for_byte() {
        for text in ["", "{}", "ÿ \u{0} \u{1f409} \r\n", &"ab".repeat(100_000)] {
            assert_eq!(unpack(&pack(text).unwrap(), text.len()).unwrap(), text);
        }
    }

    #[test]
    fn damage_is_noticed() {
        let text = "{\"actions\": [1, 2, 3]}";
        let packed = pack(text).unwrap();
        let damaged = |at: usize| {
            let mut packed = packed.clone();
            packed[at] ^= 1;
            unpack(&packed, text.len())
        };
        for at in 0..packed.len() {
            assert!(matches!(damaged(at), Err(StoreError::Corrupt(_))), "byte {at}");
        }
        for length in [0, text.len() - 1, text.len() + 1, MAX_RECORD_BYTES + 1] {
            assert!(
                matches!(unpack(&packed, length), Err(StoreError::Corrupt(_))),
                "length {length}"
            );
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        let text = " ".repeat(MAX_RECORD_BYTES + 1);
        assert!(matches!(pack(&text), Err(StoreError::Rejected(_))));
    }
}
