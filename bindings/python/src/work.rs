//! Work without the interpreter's lock: nothing of it panics across the boundary, and forked
//! processes use one thread unless more are asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::OnceLock;
use std::thread;

use pyo3::prelude::*;

use crate::fault::Fault;

/// The process that imported the module. In another one, this one was forked.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Environment variables that set the number of threads of a batch, the first one first. Ray sets
/// the second one to the processors that a worker was given.
const THREADS: [&str; 2] = ["PROMPTDECK_THREADS", "OMP_NUM_THREADS"];

/// Remembers the process that imports the module.
pub fn note_process() {
    PROCESS.get_or_init(process::id);
}

/// Does work without the interpreter's lock.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    Ok(py.detach(|| caught(work))?)
}

/// The result of some work; a panic is a fault.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Fault::of_panic(&*panic)))
}

/// The number of threads of a batch: what was asked for, what the environment says, one in a worker
/// process, or all processors.
pub fn threads(py: Python<'_>, asked: Option<usize>) -> PyResult<usize> {
    let named = |name: &&str| std::env::var(name).ok()?.trim().parse().ok();
    let count = match asked.or_else(|| THREADS.iter().find_map(named)) {
        Some(count) => count,
        None if is_worker(py)? => 1,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    Ok(count.max(1))
}

/// Whether this is a process forked from the one that imported the module, or a worker of
/// `multiprocessing`.
fn is_worker(py: Python<'_>) -> PyResult<bool> {
    if PROCESS
        .get()
        .is_some_and(|process| *process != process::id())
    {
        return Ok(true);
    }
    let modules = py.import("sys")?.getattr("modules")?;
    if !modules.contains("multiprocessing.process")? {
        return Ok(false);
    }
    let processes = modules.get_item("multiprocessing.process")?;
    Ok(!processes.call_method0("parent_process")?.is_none())
}
