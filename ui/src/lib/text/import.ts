// The words of the import dialog and its report.
import { plural } from './figures';

export const importing = {
  importRegistry: 'Import a registry',
  importIntro:
    'Registries of promptlibretto 0.5 to 0.8. Choose a file, drop one on the window, or paste its text.',
  importChoose: 'Choose a file',
  importText: 'Registry as JSON',
  importName: 'Pasted registry',
  importRun: 'Import',
  importDrop: 'Drop the registry file to import it.',
  importTooLarge: (name: string) => `${name} is larger than 64 MB, which no registry should be.`,
  importNotText: (name: string) => `${name} is not UTF-8 text; a registry is a JSON file.`,

  importedAs: (file: string) => `Imported as ${file}`,
  importDialects: {
    classic: 'Read as version 22: promptlibretto 0.5 and 0.6.',
    seven: 'Read as version 2, the way promptlibretto 0.7 reads it.',
    eight: 'Read as version 2, the way promptlibretto 0.8 reads it.',
  },
  importSame: 'Nothing had to be changed: it prints what it printed before.',
  importSameInOtherWords: 'It prints what it printed before, said in other words.',
  importDiffers: (count: number) =>
    `${plural(count, 'thing')} can't be said here. Look at ${count === 1 ? 'it' : 'them'} before you rely on the prompt.`,
  importFates: {
    differs: 'Prints otherwise',
    disputed: 'Read in different ways by different releases',
    rewritten: 'Said in other words',
    kept: 'Kept, and read by nothing here',
  },
  importLine: (line: number) => `line ${line}`,
  importWhole: 'the registry',
} as const;
