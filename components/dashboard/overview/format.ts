// Formats the overview's numbers.
import { grouped } from '../../../lib/core/money.ts';
import { months } from '../times.ts';

/** `12,481`. */
export function countText(count: number): string {
  return grouped(Math.round(count));
}

/** A share as percent: `91.6`; a dash if unknown. */
export function percentText(share: number | null, decimals = 1): string {
  return share === null ? '–' : (share * 100).toFixed(decimals);
}

const percentMax = 999;

export type Change = { direction: 'up' | 'down' | 'same'; text: string };

/** The change in percent of the previous value: `12.5 %`. Null without one. */
export function changeText(change: number | null): Change | null {
  if (change === null) return null;
  const percent = Math.abs(change * 100);
  // A larger change says more about the small base than about the period.
  const text = percent > percentMax ? `over ${percentMax} %` : `${percent.toFixed(1)} %`;
  return { direction: text === '0.0 %' ? 'same' : change > 0 ? 'up' : 'down', text };
}

/** The difference of two shares: `6.1 points`. */
export function pointsText(now: number | null, before: number | null, decimals = 1): Change | null {
  if (now === null || before === null) return null;
  const points = ((now - before) * 100).toFixed(decimals);
  const text = `${points.replace('-', '')} points`;
  return { direction: Number(points) === 0 ? 'same' : Number(points) > 0 ? 'up' : 'down', text };
}

/** `+61`, `−12`, `0`: a difference of counts. */
export function differenceText(now: number, before: number): string {
  const difference = now - before;
  return difference === 0 ? '0' : `${difference > 0 ? '+' : '−'}${countText(Math.abs(difference))}`;
}

/** `20 Nov` of `2026-11-20`. */
export function shortDay(day: string): string {
  const [, month, date] = day.split('-');
  return `${Number(date)} ${months[Number(month) - 1]}`;
}

/** `7 – 20 Nov 2026`, `24 Oct – 6 Nov 2026`, `20 Nov 2026`; years as they are needed. */
export function rangeText(from: string, to: string, withYear = true): string {
  const year = withYear ? ` ${to.slice(0, 4)}` : '';
  if (from === to) return `${shortDay(to)}${year}`;
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))} – ${shortDay(to)}${year}`;
  const firstYear = from.slice(0, 4) === to.slice(0, 4) ? '' : ` ${from.slice(0, 4)}`;
  return `${shortDay(from)}${firstYear} – ${shortDay(to)}${year}`;
}

/** A bucket's label below a chart: `7 Nov` for the first and for a new month, otherwise the day; `14` for an hour. */
export function tickText(bucket: string, at: number): string {
  if (!bucket.includes('-')) return bucket;
  return at === 0 || bucket.endsWith('-01') ? shortDay(bucket) : String(Number(bucket.slice(8)));
}

/** A bucket in text: `20 Nov`, `14:00`. */
export function bucketText(bucket: string): string {
  return bucket.includes('-') ? shortDay(bucket) : `${bucket}:00`;
}

/** A number on an axis: `80k`, `1.5M`, `250`. */
export function axisText(value: number): string {
  if (value >= 1e9) return `${trimmed(value / 1e9)}B`;
  if (value >= 1e6) return `${trimmed(value / 1e6)}M`;
  return value >= 1e3 ? `${trimmed(value / 1e3)}k` : trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 2 : 1)));
}

/** Selects the labels so that each has `space` pixels: every one, every second, and so on. */
export function labelStep(count: number, width: number, space: number): number {
  return Math.max(1, Math.ceil((count * space) / Math.max(width, 1)));
}
