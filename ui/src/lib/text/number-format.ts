// How the page writes figures, moments and counted things.
// What the first frame shows is written without `Intl`, which lists all languages when it is first used.

/** A count with thousands set apart. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value)
    ? String(value).replace(/\B(?=(\d{3})+$)/g, ',')
    : value.toLocaleString('en');

/** How many there are of something. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** A size in bytes or kilobytes. */
export const formatBytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} kB`;

/** A moment in the fewest words that tell it: a time today, else a date. */
export function formatDate(at: number, now: number): string {
  const then = new Date(at);
  if (then.toDateString() === new Date(now).toDateString()) return formatTime(at);
  return then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** Hours and minutes. */
export function formatTime(at: number): string {
  const then = new Date(at);
  return [then.getHours(), then.getMinutes()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** Hours, minutes and seconds. */
export function formatClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
