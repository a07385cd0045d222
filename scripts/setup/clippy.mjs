// Linting of Rust while it is compiled.
import { ask } from '../process.mjs';

/**
 * The environment in which cargo compiles our own crates by clippy's compiler, which lints what it
 * compiles. `cargo clippy` only checks: before it compiles anything, it goes through every crate and
 * all it depends on, which takes a fifth of `npm test`.
 */
export const linting = { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' };

/** Whether the toolchain has Clippy. */
export const hasClippy = () => ask('clippy-driver', ['--version']) !== undefined;
