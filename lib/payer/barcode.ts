/** The bars of a voucher's barcode, for the page and the printed voucher. */
import type { Symbology } from '../core/presentation.ts';
import { rememberLast } from '../core/remember.ts';
import type { Barcode } from './present-step.ts';
import type { Screen } from './screen.ts';

/** Modules of white before and after the bars, which both symbologies require. */
export const quietModules = 10;

/** On a narrow phone the bars are 270 pixels wide: more modules would be thinner than a scanner can read (0.19 mm). */
const mostModules = 375;

/** Modules of a wide bar of ITF. Narrow bars that are thinner than 0.5 mm require a ratio of more than 2.2 (ISO/IEC 16390). */
const wideModules = 2.25;

/** Widths of bars and gaps in turn, in modules; null for a text that the symbology cannot encode. */
export const barsOf = (text: string, symbology: Symbology = 'code128'): Promise<number[] | null> =>
  drawn(`${symbology} ${text}`, () => drawBars(text, symbology));

/** The bars that were drawn last: pages are opened repeatedly. */
const drawn = rememberLast<Promise<number[] | null>>(100);

async function drawBars(text: string, symbology: Symbology): Promise<number[] | null> {
  const isItf = symbology === 'itf';
  if (!(isItf ? /^(\d\d){1,40}$/ : /^[\x20-\x7e]{1,80}$/).test(text)) return null;
  // Loaded on first use: most processes never draw a voucher, and the source takes four megabytes.
  const { default: bwip } = await import('bwip-js/node');
  const [code] = bwip.raw({ bcid: isItf ? 'interleaved2of5' : 'code128', text }) as { sbs: number[] }[];
  if (!code) return null;
  // For ITF the library adds a gap after the last bar.
  return isItf ? code.sbs.slice(0, -1).map((width) => (width > 1 ? wideModules : width)) : [...code.sbs];
}

/** The barcode of a screen with a voucher. */
export async function barcodeOf(screen: Screen): Promise<Barcode | undefined> {
  if (screen.kind !== 'present' || screen.present.kind !== 'details' || screen.present.barcode === undefined)
    return undefined;
  const text = screen.present.barcode;
  const widths = (await barsOf(text, screen.present.symbology)) ?? [];
  const modules = widths.reduce((sum, width) => sum + width, 2 * quietModules);
  if (widths.length === 0 || modules > mostModules) return { text };
  let at = quietModules;
  let path = '';
  for (const [place, width] of widths.entries()) {
    if (place % 2 === 0) path += `M${at} 0h${width}v1h-${width}z`;
    at += width;
  }
  return { text, bars: { modules, path } };
}
