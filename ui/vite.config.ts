// The page's build and its tests. `npm run dev` serves it to a window on a fixed port.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [svelte(), svelteTesting()],
  clearScreen: false,
  resolve: { alias: { $lib: fileURLToPath(new URL('./src/lib', import.meta.url)) } },
  server: { port: 5183, strictPort: true },
  build: {
    target: 'safari16',
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    // One sheet, linked from the page: what is drawn later has its styles when it comes.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    // Whole windows are slow to query on a busy machine.
    testTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
