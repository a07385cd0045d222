// The tests that drive the real window, two files at a time: each window has a display of its own. Then,
// one after the other, those that promise a time.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const timed = [
  'closing.test.ts',
  'impact.test.ts',
  'long-*.test.ts',
  'oversized.test.ts',
  'responsive.test.ts',
];

const common = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'window',
          include: ['*.test.ts'],
          exclude: timed,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'timed',
          include: timed,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
