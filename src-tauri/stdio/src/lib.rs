#![doc = include_str!("../README.md")]

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the program started.
#[must_use]
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    at_start::keep();
    WAS_CLOSED.load(Ordering::Relaxed)
}

#[cfg(target_os = "linux")]
mod at_start {
    use std::{hint::black_box, sync::atomic::Ordering};

    use rustix::{
        io::{Errno, fcntl_getfd},
        stdio::stdout,
    };

    use super::WAS_CLOSED;

    // SAFETY: the loader calls the functions of this section once, before `main` and in the only thread,
    // with three arguments that a function without parameters leaves where they are. This one makes a
    // system call and stores a flag, for which nothing has to be set up, and does not unwind.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        let is_closed = fcntl_getfd(stdout()) == Err(Errno::BADF);
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }

    /// Uses the static, so that the linker takes the object that holds it.
    pub fn keep() {
        black_box(LOOK);
    }
}
