import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { describe, expect, it, vi } from 'vitest';
import { readPdf } from '../../e2e/support/pdf.ts';
import { processWide } from '../core/process-wide.ts';
import { inTurn, newTurns } from '../core/turns.ts';
import { drawPdf, type Pdf } from './pdf.ts';

const draw = (write: (pdf: Pdf) => unknown) => drawPdf({ title: 'A document', lang: 'en' }, write);

describe('documents', () => {
  it('are drawn one at a time, with a turn of other requests before each, and at most ten wait', async () => {
    const order: string[] = [];
    let isDone = false;
    const documents = Array.from({ length: 12 }, (_, at) => draw(() => order.push(`document ${at}`)));
    const others = (async () => {
      while (!isDone) {
        await setImmediate();
        if (order.at(-1) !== 'other') order.push('other');
      }
    })();
    const drawn = await Promise.all(documents);
    isDone = true;
    expect(drawn.map((pdf) => pdf !== null)).toEqual([...Array(10).fill(true), false, false]);
    await others;
    expect(order.filter((each) => each !== 'other')).toEqual(Array.from({ length: 10 }, (_, at) => `document ${at}`));
    for (let at = 1; at < 10; at += 1) expect(order[order.indexOf(`document ${at}`) - 1]).toBe('other');
    expect(await draw(() => {})).not.toBeNull();
  });

  it('let other requests have their turn between rows', async () => {
    let turns = 0;
    let isDone = false;
    const others = (async () => {
      for (; !isDone; turns += 1) await setImmediate();
    })();
    const rows = Array.from({ length: 200 }, (_, at) => ({ name: `Row ${at}`, value: 'A value' }));
    let during = 0;
    const pdf = await draw(async ({ drawRows }) => {
      const before = turns;
      await drawRows(rows);
      during = turns - before;
    });
    isDone = true;
    await others;
    expect(during).toBeGreaterThan(30);
    const text = readPdf(pdf as Buffer).map((page) => page.text);
    expect(text.join('\n').match(/Row \d+/g)).toEqual(rows.map(({ name }) => name));
  });

  it('are given up if their turn does not come in time', async () => {
    vi.useFakeTimers();
    try {
      let end = () => {};
      const drawing = new Promise<void>((done) => {
        end = done;
      });
      const before = inTurn(processWide('pdfTurns', newTurns), 1, () => drawing);
      const waiting = draw(() => {});
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await waiting).toBeNull();
      end();
      await before;
    } finally {
      vi.useRealTimers();
    }
    expect(await draw(() => {})).not.toBeNull();
  });

  it('are drawn after one that fails', async () => {
    const failing = draw(() => {
      throw new Error('no barcode');
    });
    const next = draw((pdf) => pdf.write('The next', { size: 12 }));
    await expect(failing).rejects.toThrow('no barcode');
    expect(readPdf((await next) as Buffer)[0]?.text).toBe('The next');
  });

  it('share the typeface, which is read once', async () => {
    delete (globalThis as { [key: symbol]: unknown })[Symbol.for('florin.pdfFonts')];
    vi.resetModules();
    const fresh = await import('./pdf.ts');
    const registered = vi.spyOn(PDFDocument.prototype, 'registerFont');
    const text = 'Zażółć, Čigra, Обувки, Ωμέγα, Tiếng Việt (A:B) 3x4 -> "fi"';
    const written = async (before: string) => {
      const pdf = await fresh.drawPdf({ title: 'A document', lang: 'en' }, ({ write }) => {
        for (const line of [before, text]) write(line, { size: 12 });
      });
      return readPdf(pdf as Buffer)[0]
        ?.text.split('\n')
        .at(-1);
    };
    const first = await written('x');
    expect(first).toContain('Zażółć, Čigra, Обувки, Ωμέγα, Tiếng Việt');
    await written('(Z:Z) 9x9 ‐> 1∶1');
    expect(await written('x')).toBe(first);
    const files = registered.mock.calls.filter(([, source]) => typeof source === 'string');
    expect([registered.mock.calls.length, files.length]).toEqual([18, 6]);
  });
});
