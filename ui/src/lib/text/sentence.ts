// Messages of the service that are shown alone in the window. The service begins its messages
// small, as they follow a file name or `error:` on a terminal.

/**
 * A message as a full sentence: it begins with a capital letter, unless it begins with what
 * has a fixed spelling: a file, a key, a dotted name, a word before a colon, one of `names`.
 */
export function sentence(message: string, names: readonly unknown[] = []): string {
  const first = /^[^\s,;]+/.exec(message)?.[0];
  if (names.includes(first)) return message;
  return message.replace(/^\p{Ll}(?=[\p{L}\p{M}'’-]*(?:[\s,;.?!]\s|\s|[.?!]?$))/u, (first) =>
    first.toUpperCase(),
  );
}
