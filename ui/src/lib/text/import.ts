// The words of the import dialog and its report.
import { plural } from './number-format';

export const importText = {
  importRegistry: 'Import a registry',
  importIntro:
    'Registries of promptlibretto 0.5 to 0.8. Choose a file, drop one on the window, or paste its text.',
  importChoose: 'Choose a file',
  importText: 'Registry as JSON',
  importName: 'Pasted registry',
  importRun: 'Import',
  importDrop: 'Drop a registry file to import it',
  importTooLarge: (name: string) => `${name} is larger than the limit of 64 MB.`,
  importNotText: (name: string) => `${name} is not UTF-8 text. A registry is a JSON file.`,

  importedAs: (file: string) => `Imported as ${file}`,
  importDialects: {
    canonical: 'Format: Promptdeck.',
    classic: 'Format: schema 22, promptlibretto 0.5 and 0.6.',
    seven: 'Format: schema 2, promptlibretto 0.7.',
    eight: 'Format: schema 2, promptlibretto 0.8.',
    plain_prompt: 'Format: plain text.',
    openai_messages: 'Format: OpenAI messages.',
    anthropic_messages: 'Format: Anthropic messages.',
    character_card: 'Format: character card.',
    lorebook: 'Format: lorebook.',
    dotprompt: 'Format: dotprompt.',
    prompty: 'Format: Prompty.',
    jinja: 'Format: Jinja.',
    dynamic_prompt: 'Format: sd-dynamic-prompts template.',
    wildcards: 'Format: sd-dynamic-prompts wildcards.',
  },
  importSame: 'No changes were needed. The prompt is the same.',
  importSameInOtherWords: 'Some fields were converted. The prompt is the same.',
  importDiffers: (count: number) =>
    `${plural(count, 'difference')} can change the prompt. Check ${count === 1 ? 'it' : 'them'} before you use the registry.`,
  importFates: {
    differs: 'Different output',
    disputed: 'Differs between promptlibretto releases',
    rewritten: 'Converted',
    kept: 'Preserved, not used',
  },
  importLine: (line: number) => `line ${line}`,
  importWhole: 'the registry',
} as const;
