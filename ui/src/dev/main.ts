// The dev entry: the page over a service made of memory, or the sheet of primitives at #primitives.
// `?theme=dark` sets the theme, `&do=` presses things, for looking at states. Not in the built page.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { mount } from 'svelte';
import App from '../App.svelte';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/undeclared-name.css';
import { FakeBackend } from '../testing/fake-backend';
import { callScene } from '../testing/talk';
import Primitives from './Primitives.svelte';
import { scene } from './scene';

const target = document.getElementById('app');
if (!target) throw new Error('dev.html has no #app element');
const asked = new URLSearchParams(location.search);

if (location.hash === '#primitives') mount(Primitives, { target });
else
  mount(App, {
    target,
    props: { backend: new FakeBackend({ ...scene, call: callScene(scene.file) }).backend },
  });

const theme = asked.get('theme');
if (theme) setTimeout(() => (document.documentElement.dataset.theme = theme), 50);

/** Steps separated by `;`: a selector to press, or a key as `key:Ctrl+K`. */
const steps = asked.get('do')?.split(';') ?? [];
steps.forEach((step, index) => {
  setTimeout(
    () => {
      const [kind, rest = ''] = step.split(/:(.*)/s);
      if (kind === 'key') {
        const parts = rest.split('+');
        const init = { key: parts.at(-1) ?? '', ctrlKey: parts.includes('Ctrl'), bubbles: true };
        (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init));
      } else {
        const element = document.querySelector<HTMLElement>(step);
        element?.click();
        element?.focus();
      }
    },
    300 + index * 120,
  );
});
