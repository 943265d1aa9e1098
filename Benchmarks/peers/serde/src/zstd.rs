//! As much of libzstd as this program needs, called directly: Debian's crate would bring more.

use std::ffi::{c_int, c_uint, c_ulonglong, c_void};

#[link(name = "zstd")]
extern "C" {
    fn ZSTD_createDCtx() -> *mut c_void;
    fn ZSTD_freeDCtx(context: *mut c_void) -> usize;
    fn ZSTD_findFrameCompressedSize(source: *const u8, size: usize) -> usize;
    fn ZSTD_getFrameContentSize(source: *const u8, size: usize) -> c_ulonglong;
    fn ZSTD_isError(code: usize) -> c_uint;
    fn ZSTD_decompressDCtx(
        context: *mut c_void,
        target: *mut u8,
        capacity: usize,
        source: *const u8,
        size: usize,
    ) -> usize;
}

const SKIPPABLE: u32 = 0x184D_2A50;

/// Decompresses one frame after another into the same buffer.
pub struct Decoder {
    context: *mut c_void,
    buffer: Vec<u8>,
}

impl Decoder {
    pub fn new() -> Decoder {
        Decoder { context: unsafe { ZSTD_createDCtx() }, buffer: Vec::new() }
    }

    /// The content of the next frame that has any, and `rest` behind it.
    pub fn next_frame(&mut self, rest: &mut &[u8]) -> Result<Option<&[u8]>, String> {
        loop {
            let source = *rest;
            if source.len() < 4 {
                return Ok(None);
            }
            let size = check(unsafe { ZSTD_findFrameCompressedSize(source.as_ptr(), source.len()) })?;
            *rest = &source[size..];
            let magic = u32::from_le_bytes([source[0], source[1], source[2], source[3]]);
            if magic & 0xFFFF_FFF0 == SKIPPABLE {
                continue;
            }
            let content = unsafe { ZSTD_getFrameContentSize(source.as_ptr(), size) };
            if content >= c_ulonglong::MAX - 1 {
                return Err("a frame does not say how large it is".into());
            }
            self.buffer.resize(content as usize, 0);
            let written = check(unsafe {
                ZSTD_decompressDCtx(
                    self.context,
                    self.buffer.as_mut_ptr(),
                    self.buffer.len(),
                    source.as_ptr(),
                    size,
                )
            })?;
            return Ok(Some(&self.buffer[..written]));
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        unsafe { ZSTD_freeDCtx(self.context) };
    }
}

fn check(code: usize) -> Result<usize, String> {
    if unsafe { ZSTD_isError(code) } as c_int != 0 {
        return Err(format!("libzstd reports error {}", code.wrapping_neg()));
    }
    Ok(code)
}
