/** The bars of a voucher's barcode, for the page and the printed voucher. */
import type { Barcode } from './present-step.ts';
import type { Screen } from './screen.ts';

/** Modules of white before and after the bars, which Code 128 requires. */
export const quietModules = 10;

/** On a narrow phone the bars are 270 pixels wide: more modules would be thinner than a scanner can read (0.19 mm). */
const mostModules = 375;

/** Widths of bars and gaps in turn, in modules; null for a text that Code 128 cannot encode. */
export async function barsOf(text: string): Promise<number[] | null> {
  if (!/^[\x20-\x7e]{1,80}$/.test(text)) return null;
  // Loaded on first use: most processes never draw a voucher, and the source takes four megabytes.
  const { default: bwip } = await import('bwip-js/node');
  const [code] = bwip.raw({ bcid: 'code128', text }) as { sbs: number[] }[];
  return code ? [...code.sbs] : null;
}

/** The barcode of a screen with a voucher. */
export async function barcodeOf(screen: Screen): Promise<Barcode | undefined> {
  if (screen.kind !== 'present' || screen.present.kind !== 'details' || screen.present.barcode === undefined)
    return undefined;
  const text = screen.present.barcode;
  const widths = (await barsOf(text)) ?? [];
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
