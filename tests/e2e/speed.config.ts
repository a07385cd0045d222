// The measurements of the real window, run by `npm run bench` and never by `npm test`: figures, one
// after the other, on a release build.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['speed/*.speed.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 180_000,
    // Tables are printed as they are made, without a head for each line.
    disableConsoleIntercept: true,
  },
});
