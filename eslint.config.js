// One lint configuration for the page and the project's own scripts.
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

export default ts.config(
  {
    ignores: [
      'target',
      'node_modules',
      'ui/dist',
      'src-tauri/gen',
      'artifacts',
      'ui/src/lib/ipc/generated',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    // Collections in state are replaced whole (`$state.raw`), never changed in place.
    files: ['**/*.svelte', '**/*.svelte.ts'],
    rules: { 'svelte/prefer-svelte-reactivity': 'off' },
  },
  {
    // What tests and the hand-written scene of the dev entry look up is there, or they fail.
    files: ['ui/src/dev/**', '**/*.test.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
