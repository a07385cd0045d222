// Which names a token can refer to, by the rule of the core: both run the cases of names.cases.json.
import { text } from '../text';

/** Why no token can refer to a name: `empty`, `blank`, or the character that separates. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'empty';
  const found = /[.[\]]|\p{White_Space}/u.exec(name)?.[0];
  if (found === undefined) return undefined;
  return /[.[\]]/.test(found) ? found : 'blank';
}

/** The same in words. */
export function nameProblem(name: string): string | undefined {
  const fault = nameFault(name);
  return fault === undefined ? undefined : text.nameFault(fault);
}
