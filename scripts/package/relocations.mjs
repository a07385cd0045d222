// Relocations of the programs in a packed form: about 1 MB less of each. glibc reads it from 2.36
// on; a package made on an older system goes without.
import { ask } from '../process.mjs';

const NEEDED = '2.36';

const number = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major * 1000 + minor;
};

const { glibcVersionRuntime: glibc = '0.0' } = process.report.getReport().header;

/** What a program is linked with. */
export const linkerFlags =
  number(glibc) < number(NEEDED) ? [] : ['-Clink-arg=-Wl,-z,pack-relative-relocs'];

const isPacked = (program) => (ask('readelf', ['-SW', program]) ?? '').includes('.relr.dyn');

/** A package's dependencies with the glibc that packed relocations need: dpkg-shlibdeps reads symbols alone. */
export const withLoader = (dependencies, programs) =>
  programs.some(isPacked)
    ? dependencies.replace(/\blibc6 \(>= ([\d.]+)\)/, (found, version) =>
        number(version) < number(NEEDED) ? `libc6 (>= ${NEEDED})` : found,
      )
    : dependencies;
