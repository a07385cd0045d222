// Components drawn after the first cards, in a separate bundle, so that it does not delay them.
export { default as AddSection } from './components/deck/AddSection.svelte';
export { default as AssemblyPanel } from './components/assembly/AssemblyPanel.svelte';
export { default as ConflictCard } from './components/deck/ConflictCard.svelte';
export { default as ConnectionDialog } from './components/run/ConnectionDialog.svelte';
export { default as ConversationPanel } from './components/conversation/ConversationPanel.svelte';
export { default as DeleteSection } from './components/deck/DeleteSection.svelte';
export { default as FilesPanel } from './components/files/FilesPanel.svelte';
export { default as ItemList } from './components/item/ItemList.svelte';
export { default as KeysSheet } from './components/palette/KeysSheet.svelte';
export { default as NewRegistryDialog } from './components/new-registry/NewRegistryDialog.svelte';
export { default as Palette } from './components/palette/Palette.svelte';
export { default as PreviewPanel } from './components/preview/PreviewPanel.svelte';
export { default as RegistryCard } from './components/settings/RegistryCard.svelte';
export { default as RoutesCard } from './components/settings/RoutesCard.svelte';
export { default as ScaleRow } from './components/card/ScaleRow.svelte';
export { default as SettingsCard } from './components/settings/SettingsCard.svelte';
export { default as SnapshotsPanel } from './components/snapshots/SnapshotsPanel.svelte';
