// What every build begins with, in the order in which one makes the next possible: writable caches,
// system packages (the C compiler among them), Rust.
import { requireWritableCaches } from './caches.mjs';
import { requireRust } from './rust.mjs';
import { requirePackages } from './system.mjs';

/** Sees to it that `packages` and the compilers are there; `purpose` completes "needed to ...". */
export const requireToolchain = async (packages, purpose) => {
  requireWritableCaches();
  await requirePackages(packages, purpose);
  await requireRust();
};
