// The page's build and its tests. `npm run dev` serves it to a window on a fixed port.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { normalizePath, type Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where the server answers from the folder of packages, on a drive or not. */
const packages = `/@fs/${normalizePath(fileURLToPath(new URL('../node_modules/', import.meta.url))).replace(/^\//, '')}`;

/**
 * The fonts that `index.html` asks for ahead lie outside of the folder that is served: there they are
 * asked for where the styles ask for them, and not at a place that nobody answers from.
 */
const fontsAheadWhereServed: Plugin = {
  name: 'fonts-ahead-where-served',
  apply: 'serve',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replaceAll('href="../node_modules/', `href="${packages}`),
  },
};

/**
 * The window's script and styles are fetched beside the small script that asks the service and then
 * loads the window.
 */
const windowAhead: Plugin = {
  name: 'window-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.values(bundle)
        .filter((part) => part.type === 'chunk')
        .filter(({ name }) => name === 'window')
        .flatMap(({ fileName, viteMetadata }) => [
          { rel: 'modulepreload', href: fileName },
          ...[...(viteMetadata?.importedCss ?? [])].map((href) => ({ rel: 'stylesheet', href })),
        ])
        .map(({ rel, href }) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/${href}` },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [svelte(), svelteTesting(), fontsAheadWhereServed, windowAhead],
  clearScreen: false,
  resolve: { alias: { $lib: fileURLToPath(new URL('./src/lib', import.meta.url)) } },
  server: { port: 5183, strictPort: true },
  build: {
    target: 'safari16',
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    isolate: false,
    setupFiles: ['src/testing/tidy.ts', 'src/testing/highlights.ts', 'src/testing/shadow-focus.ts'],
    // Vitest leaves one processor to itself, which on two is half of them.
    maxWorkers: availableParallelism(),
    // Whole windows are slow to query on a busy machine.
    testTimeout: 30_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
