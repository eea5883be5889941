//! Bytes as lowercase hexadecimal digits.
//!
//! This module must not know what the digits stand for.

use data_encoding::HEXLOWER;

/// The bytes of a hexadecimal text, if it has exactly two lowercase digits for each.
pub fn bytes<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    if HEXLOWER.decode_len(text.len()) != Ok(LENGTH) {
        return None;
    }
    let mut bytes = [0; LENGTH];
    HEXLOWER.decode_mut(text.as_bytes(), &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn just_so_many_lower_case_digits_are_bytes() {
        assert_eq!(bytes::<3>("00ff1a"), Some([0, 255, 26]));
        for wrong in
            ["", "00ff1", "00ff1a2", "00ff1a2b", "00FF1A", "00ff1g", "+0ff1a", "00ff\u{e9}"]
        {
            assert_eq!(bytes::<3>(wrong), None, "{wrong}");
        }
    }
}
