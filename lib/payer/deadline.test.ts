import { describe, expect, it } from 'vitest';
import { translationsOf } from '../http/index.ts';
import { calendarFile, type Deadline, isFarAway } from './deadline.ts';

const now = new Date('2026-11-20T14:06:00Z');
const deadline: Deadline = {
  id: '0199a1c2-7d31-7f00-9a00-01937f2c5a81',
  at: new Date('2026-11-23T14:06:00Z'),
  merchant: 'Orme Ceramics',
  amount: '€84.50',
  pageUrl: 'https://pay.example/pay/t0ken',
};

/** The lines of the file, unfolded. */
async function linesOf(changes: Partial<Deadline> = {}, language: 'en' | 'ja' = 'en'): Promise<string[]> {
  const file = await calendarFile({ ...deadline, ...changes }, now, translationsOf(language));
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  return file.replaceAll('\r\n ', '').split('\r\n');
}

describe('the deadline in a calendar', () => {
  it('has the time in UTC, the amount, the page and a reminder a day before', async () => {
    const lines = await linesOf();
    for (const line of [
      `UID:${deadline.id}`,
      'DTSTAMP:20261120T140600Z',
      'DTSTART:20261123T140600Z',
      'SUMMARY:Pay Orme Ceramics: €84.50',
      'URL;VALUE=URI:https://pay.example/pay/t0ken',
      'TRIGGER:-P1D',
    ])
      expect(lines).toContain(line);
  });

  it('keeps what a name contains inside of its line', async () => {
    const lines = await linesOf({ merchant: 'A, B; C\r\nBEGIN:VEVENT\nSUMMARY:x' });
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('SUMMARY:'))).toHaveLength(1);
    expect(lines.join('\n')).toContain('A\\, B\\; C');
  });

  it('folds long lines between letters', async () => {
    const merchant = '陶器店'.repeat(40);
    expect((await linesOf({ merchant }, 'ja')).join('\n')).toContain(merchant);
  });

  it('helps only from a day before', () => {
    const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    expect([hoursLater(25), hoursLater(24), hoursLater(1), undefined].map((each) => isFarAway(each, now))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
