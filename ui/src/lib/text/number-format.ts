// How the page writes figures, moments and counted things.
const number = new Intl.NumberFormat('en');

/** A count with thousands set apart. */
export const formatNumber = (value: number): string => number.format(value);

/** How many there are of something. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A moment in the fewest words that tell it: a time today, else a date. */
export function formatDate(at: number, now: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date(now).toDateString()) return formatTime(at);
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Hours and minutes. */
export function formatTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
