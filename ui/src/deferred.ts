// Components drawn after the first cards, in a separate bundle, so that it does not delay them.
export { default as AssemblyPanel } from './components/assembly/AssemblyPanel.svelte';
export { default as ConnectionDialog } from './components/run/ConnectionDialog.svelte';
export { default as ConversationPanel } from './components/conversation/ConversationPanel.svelte';
export { default as FilesPanel } from './components/files/FilesPanel.svelte';
export { default as KeysSheet } from './components/palette/KeysSheet.svelte';
export { default as NewRegistryDialog } from './components/new-registry/NewRegistryDialog.svelte';
export { default as Palette } from './components/palette/Palette.svelte';
export { default as PreviewPanel } from './components/preview/PreviewPanel.svelte';
export { default as SnapshotsPanel } from './components/snapshots/SnapshotsPanel.svelte';
