// Reads the barcodes of vouchers back as a scanner does.

/** The values of Code 128 by the widths of their three bars and three gaps (ISO/IEC 15417, table 1). */
const patterns = `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132
122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123
212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422
121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142
121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311
113141 114131 311141 411131 211412 211214 211232`.split(/\s+/);

/** The widths of bars and gaps in turn, as multiples of the narrowest bar. */
function widthsOf(drawing: string): number[] {
  const bars = [...drawing.matchAll(/^(\S+) (\S+) (\S+) (\S+) re$/gm)].map(([, x, , width]) => ({
    x: Number(x),
    width: Number(width),
  }));
  const module = Math.min(...bars.map(({ width }) => width));
  return bars
    .flatMap(({ x, width }, place) => {
      const next = bars[place + 1];
      return next ? [width, next.x - x - width] : [width];
    })
    .map((width) => width / module);
}

/** The digits of Interleaved 2 of 5 by their two wide elements of five (ISO/IEC 16390). */
const wideOf = ['nnwwn', 'wnnnw', 'nwnnw', 'wwnnn', 'nnwnw', 'wnwnn', 'nwwnn', 'nnnww', 'wnnwn', 'nwnwn'];

/** The content of a page's ITF barcode; null for none, a wrong start or stop, and bars that are neither wide nor narrow. */
export function readItf(drawing: string): string | null {
  const elements = widthsOf(drawing)
    .map((width) => (Math.abs(width - 1) < 0.01 ? 'n' : width > 2.2 && width < 3 ? 'w' : '?'))
    .join('');
  const [, pairs = ''] = /^nnnn((?:[nw]{10})+)wnn$/.exec(elements) ?? [];
  const digits = (pairs.match(/.{10}/g) ?? []).flatMap((pair) =>
    [0, 1].map((first) => wideOf.indexOf([...pair].filter((_, place) => place % 2 === first).join(''))),
  );
  return digits.length === 0 || digits.includes(-1) ? null : digits.join('');
}

/** The content of a page's Code 128 barcode; null for none, a wrong check value or a wrong start or stop. */
export function readBarcode(drawing: string): string | null {
  const widths = widthsOf(drawing);
  const text = widths.map((width) => Math.round(width)).join('');
  if (text.length < 25 || !text.endsWith('2331112')) return null;
  const values = (text.slice(0, -7).match(/.{6}/g) ?? []).map((pattern) => patterns.indexOf(pattern));
  const check = values.pop();
  const sum = values.reduce((total, value, place) => total + value * Math.max(place, 1), 0);
  return sum % 103 === check && !values.includes(-1) ? textOfCode(values) : null;
}

function textOfCode([start, ...values]: number[]): string | null {
  const starts: { [value: number]: string } = { 103: 'A', 104: 'B', 105: 'C' };
  let set = starts[start ?? -1];
  let text = '';
  for (const value of values) {
    const change = set === 'C' ? { 100: 'B', 101: 'A' }[value] : { 99: 'C', 100: 'B', 101: 'A' }[value];
    if (change) set = change;
    else if (set === 'C') text += String(value).padStart(2, '0');
    else text += String.fromCharCode(32 + value);
  }
  return set ? text : null;
}
