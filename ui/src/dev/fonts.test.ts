// @vitest-environment node
// The page served while it is worked on: what it asks for ahead is there.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('the fonts asked for ahead are asked for where the styles ask for them', async () => {
  const server = await createServer({
    configFile: `${root}vite.config.ts`,
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    logLevel: 'silent',
  });
  try {
    const page = await server.transformIndexHtml('/', readFileSync(`${root}index.html`, 'utf8'));
    const ahead = [...page.matchAll(/rel="preload"[^>]*href="([^"]*)"/g)].map(([, href]) => href);
    expect(ahead).toHaveLength(2);
    for (const family of ['inter', 'jetbrains-mono']) {
      const sheet = await server.transformRequest(
        `../node_modules/@fontsource-variable/${family}/wght.css`,
      );
      // A style sheet quotes a path with a blank.
      expect(ahead.some((href) => href && sheet?.code.includes(href))).toBe(true);
    }
  } finally {
    await server.close();
  }
});
