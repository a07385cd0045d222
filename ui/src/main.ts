// Starts the page.
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { mount } from 'svelte';
import { tauri } from '$lib/ipc/tauri';
import App from './App.svelte';
import './styles/tokens.css';
import './styles/base.css';

// `npm run bench` takes the time of the start apart by its marks: this one, `first-answer` and `first-card`.
performance.mark('script-run');

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app element');

export default mount(App, { target, props: { backend: tauri } });
