// The script of the window: styles, fonts and the app.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { mount } from 'svelte';
import type { Backend } from '$lib/ipc';
import App from './App.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/undeclared-name.css';

// `npm run bench` takes the time of the start apart by its marks: this one, `first-answer` and `first-card`.
performance.mark('script-run');

/** Draws the window. */
export function show(backend: Backend): void {
  const target = document.getElementById('app');
  if (!target) throw new Error('index.html has no #app element');
  mount(App, { target, props: { backend } });
}
