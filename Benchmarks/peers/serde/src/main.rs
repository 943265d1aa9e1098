//! Reads a file of zstd-compressed record lines with serde_json into typed structs, and measures
//! it on one core: the peer of `recordpack-bench decode`.
//!
//! Every value becomes what a program would work with: owned strings, numbers, decoded bytes. All
//! structs are typed; nothing goes through `serde_json::Value`.

use serde::Deserialize;
use std::time::Instant;

mod zstd;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Line {
    kind: String,
    database: String,
    #[serde(rename = "zoneID")]
    zone_id: Zone,
    record_type: String,
    record_name: String,
    record_change_tag: String,
    created: Stamp,
    modified: Stamp,
    parent: Option<Link>,
    fields: Fields,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Zone {
    zone_name: String,
    owner_record_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stamp {
    timestamp: f64,
    user_record_name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Link {
    record_name: String,
    action: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Field<T> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    is_encrypted: bool,
    value: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fields {
    emoji: Option<Field<String>>,
    members: Option<Field<Vec<String>>>,
    note: Option<Field<String>>,
    preview: Option<Field<String>>,
    related_records: Option<Field<Vec<Link>>>,
    score: Option<Field<f64>>,
    sent_at: Option<Field<f64>>,
    sequence: Option<Field<i64>>,
    text: Option<Field<String>>,
    title: Option<Field<String>>,
}

fn base64(text: &str, table: &[u8; 256]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for group in text.as_bytes().chunks_exact(4) {
        let mut word = 0u32;
        let mut padding = 0;
        for &digit in group {
            word = word << 6 | u32::from(table[digit as usize]);
            padding += usize::from(digit == b'=');
        }
        bytes.extend_from_slice(&word.to_be_bytes()[1..4 - padding]);
    }
    bytes
}

fn digits() -> [u8; 256] {
    let mut table = [0u8; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (value, &digit) in alphabet.iter().enumerate() {
        table[digit as usize] = value as u8;
    }
    table
}

/// Adds every value up, so that none is optimised away.
fn sum(line: &Line, table: &[u8; 256]) -> u64 {
    let mut sum = (line.record_name.len() + line.record_type.len()) as u64;
    sum += (line.record_change_tag.len() + line.database.len()) as u64;
    for stamp in [&line.created, &line.modified] {
        sum = sum.wrapping_add(stamp.timestamp.to_bits() + stamp.user_record_name.len() as u64);
    }
    if let Some(parent) = &line.parent {
        sum += parent.record_name.len() as u64;
    }
    let fields = &line.fields;
    for text in [&fields.emoji, &fields.note, &fields.text, &fields.title].into_iter().flatten() {
        sum = sum.wrapping_add(text.value.len() as u64);
    }
    for name in fields.members.iter().flat_map(|field| &field.value) {
        sum = sum.wrapping_add(name.len() as u64);
    }
    for link in fields.related_records.iter().flat_map(|field| &field.value) {
        sum = sum.wrapping_add(link.record_name.len() as u64);
    }
    if let Some(preview) = &fields.preview {
        let bytes = base64(&preview.value, table);
        sum = sum.wrapping_add(bytes.len() as u64 + u64::from(*bytes.last().unwrap_or(&0)));
    }
    for number in [&fields.score, &fields.sent_at].into_iter().flatten() {
        sum = sum.wrapping_add(number.value.to_bits());
    }
    if let Some(number) = &fields.sequence {
        sum = sum.wrapping_add(number.value as u64);
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: serde-peer FILE")?;
    let start = Instant::now();
    let table = digits();
    let compressed = std::fs::read(&path)?;
    let (mut records, mut total, mut checksum) = (0u64, 0u64, 0u64);
    let mut decoder = zstd::Decoder::new();
    let mut rest: &[u8] = &compressed;
    while let Some(frame) = decoder.next_frame(&mut rest)? {
        total += frame.len() as u64;
        for line in frame.split(|&byte| byte == b'\n') {
            if !line.starts_with(b"{\"kind\":\"record\"") {
                continue;
            }
            let line: Line = serde_json::from_slice(line)?;
            checksum = checksum.wrapping_add(sum(&line, &table));
            records += 1;
        }
    }
    println!(
        "{{\"name\":\"serde-decode\",\"nanoseconds\":{},\"records\":{},\"bytes\":{},\
         \"fileBytes\":{},\"checksum\":{}}}",
        start.elapsed().as_nanos(),
        records,
        total,
        compressed.len(),
        checksum
    );
    Ok(())
}
