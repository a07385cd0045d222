// Opens the comparison of every roll with the file as last saved.
import type { Studio } from '../state/studio.svelte';
import { showTab } from '../window/columns';

export function compareWithFile({ view, snapshots }: Studio): void {
  if (!view) return;
  snapshots.compareLeft = 'saved';
  snapshots.compareRight = 'now';
  view.impact.compares = 'every';
  void showTab(view, 'compare');
}
