// Starts the page: asks the service for the first document, then loads the window that shows it.
import { startedEarly } from '$lib/ipc/early-start';
import { tauri } from '$lib/ipc/tauri';

const backend = startedEarly(tauri);
void import('./window').then(({ show }) => {
  show(backend);
});
