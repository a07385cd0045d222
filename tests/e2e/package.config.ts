// The test of the package, run by `npm run test:package` and never by `npm test`: it takes a package
// of a release build, a network and the rights of root.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['package/*.test.ts'],
    fileParallelism: false,
    // One state after the other: what is not installed cannot be started.
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
