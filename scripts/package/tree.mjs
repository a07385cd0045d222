// The files of the package, laid out as they are installed.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { built, registries, root } from '../paths.mjs';
import { ask, run } from '../process.mjs';
import { filesBelow } from './control.mjs';
import { folder, identity } from './identity.mjs';
import { notices } from './notices.mjs';

const given = (name) => readFileSync(join(import.meta.dirname, 'files', name), 'utf8');

const changelog = () =>
  [
    `${identity.name} (${identity.version}) unstable; urgency=medium`,
    '',
    `  * Package of Promptdeck ${identity.upstream}; see changelog.gz.`,
    '',
    ` -- ${identity.maintainer}  ${identity.time.toUTCString().replace('GMT', '+0000')}`,
    '',
  ].join('\n');

/** Lays out the tree with the programs of a profile. */
export const layOut = async (tree, profile) => {
  rmSync(tree, { recursive: true, force: true });
  const promptdeck = built('promptdeck', profile);
  const place = (path) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    return join(tree, path);
  };
  const write = (path, content) => writeFileSync(place(path), content);
  const squeeze = (path, content) => write(`${path}.gz`, gzipSync(content, { level: 9 }));
  const doc = `usr/share/doc/${identity.name}`;

  for (const program of ['promptdeck', 'promptdeck-studio']) {
    const path = place(`usr/bin/${program}`);
    const parts = ['--remove-section=.comment', '--remove-section=.note'];
    await run('strip', ['--strip-all', ...parts, '-o', path, built(program, profile)]);
  }

  const pages = join(folder, 'pages');
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages, { recursive: true });
  await run(promptdeck, ['man', '--all', pages]);
  for (const page of filesBelow(pages))
    squeeze(`usr/share/man/man1/${page.slice(pages.length + 1)}`, readFileSync(page));
  const studio = given('promptdeck-studio.1').replace('@VERSION@', identity.upstream);
  squeeze('usr/share/man/man1/promptdeck-studio.1', studio);

  for (const [shell, path] of [
    ['bash', 'usr/share/bash-completion/completions/promptdeck'],
    ['zsh', 'usr/share/zsh/vendor-completions/_promptdeck'],
    ['fish', 'usr/share/fish/vendor_completions.d/promptdeck.fish'],
  ])
    write(path, `${ask(promptdeck, ['completions', shell])}\n`);

  write('usr/share/applications/promptdeck-studio.desktop', given('promptdeck-studio.desktop'));
  write('usr/share/mime/packages/promptdeck.xml', given('promptdeck.xml'));
  for (const [size, icon] of [
    ['32x32', '32x32.png'],
    ['128x128', '128x128.png'],
    ['512x512', 'icon.png'],
  ])
    cpSync(
      join(root, 'src-tauri', 'icons', icon),
      place(`usr/share/icons/hicolor/${size}/apps/promptdeck-studio.png`),
    );

  cpSync(registries, place('usr/share/promptdeck/registries'), { recursive: true });
  // Where the window looks for its resources, which are the samples.
  symlinkSync('../share/promptdeck', place('usr/lib/Promptdeck'));

  write(`${doc}/copyright`, given('copyright'));
  squeeze(`${doc}/changelog.Debian`, changelog());
  squeeze(`${doc}/changelog`, readFileSync(join(root, 'CHANGELOG.md')));
  squeeze(`${doc}/third-party-notices`, notices());
  write(`usr/share/lintian/overrides/${identity.name}`, given('lintian-overrides'));

  await run('chmod', ['-R', 'u=rwX,go=rX', tree]);
  for (const file of filesBelow(join(tree, 'usr/bin'))) chmodSync(file, 0o755);
};
