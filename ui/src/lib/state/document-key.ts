// Keys of what goes on while another registry is open, in this folder or in another one: the name of a
// document is its path within the folder.

/** Names a document of a folder, or something of it. */
export const documentKey = (folder: string, document: string, ...of: string[]): string =>
  [folder, document, ...of].join('\n');

/** Follows documents of a folder to their new names. */
export const followKey =
  (folder: string, newName: (document: string) => string) =>
  (key: string): string => {
    const [at, document, ...of] = key.split('\n');
    return at === folder && document !== undefined
      ? documentKey(folder, newName(document), ...of)
      : key;
  };
