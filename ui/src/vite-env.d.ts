/// <reference types="svelte" />
/// <reference types="vite/client" />

// The package types its icons together only; taken one by one, the page does not load them all.
declare module '@lucide/icons/icons/*' {
  const icon: import('@lucide/icons').LucideIconData;
  export default icon;
}
