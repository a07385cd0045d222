//! Work without the interpreter's lock: nothing of it panics across the boundary, and forked
//! processes use one thread unless more are asked for.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::OnceLock;
use std::thread;

use pyo3::prelude::*;

use crate::convert::{digits_of, integer_argument};
use crate::fault::{Fault, Raised};

/// The process that imported the module. In another one, this one was forked.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// The most threads of a batch, as on the command line.
const MAX_THREADS: usize = 1024;
/// The environment variable that sets the number of threads of a batch.
const OWN_VARIABLE: &str = "PROMPTDECK_THREADS";
/// That of OpenMP, with a number for each level of nesting. Ray sets it to the processors that a
/// worker was given.
const OPENMP_VARIABLE: &str = "OMP_NUM_THREADS";

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
pub fn threads(py: Python<'_>, asked: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    if let Some(asked) = integer_argument("threads", asked)? {
        return Ok(count_of("threads", &digits_of(&asked))?);
    }
    if let Some(text) = std::env::var_os(OWN_VARIABLE).filter(|text| !text.is_empty()) {
        return Ok(count_of(OWN_VARIABLE, &text.to_string_lossy())?);
    }
    // Other programs read this one too, and more than is in it is not asked of this one.
    let openmp = std::env::var(OPENMP_VARIABLE).unwrap_or_default();
    let openmp = openmp.split(',').next().unwrap_or_default().trim();
    if let Some(count) = openmp.parse::<usize>().ok().filter(|count| *count > 0) {
        return Ok(count.min(MAX_THREADS));
    }
    if is_worker(py)? {
        return Ok(1);
    }
    let processors = thread::available_parallelism().map_or(1, usize::from);
    Ok(processors.min(MAX_THREADS))
}

/// A number of threads from its digits; `name` is the argument or the variable.
fn count_of(name: &str, digits: &str) -> Result<usize, Fault> {
    let count = digits.trim().parse::<usize>().ok();
    let count = count.filter(|count| (1..=MAX_THREADS).contains(count));
    count.ok_or_else(|| {
        let found = promptdeck_json::abridged(digits);
        let message = format!("{name} is an integer from 1 to {MAX_THREADS}, not {found:?}");
        Fault::new(Raised::Column, "wrong_argument", message)
    })
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
