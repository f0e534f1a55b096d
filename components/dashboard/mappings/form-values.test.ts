import { describe, expect, test } from 'vitest';
import type { MappingValues } from '../../../lib/dashboard/mappings/contract.ts';
import { copiedFrom, fromForm, limitError, toForm } from './form-values.ts';

const values: MappingValues = {
  enabled: true,
  digest: 'md5',
  requiredPayerFields: ['payer_country'],
  callbackFields: ['payer_country', 'initiator', 'sequence', 'brand'],
  statusFields: ['card', 'card_expiration_date'],
  redirectParameters: true,
  offerSavingCards: true,
  pendingUrl: null,
  defaultLanguage: 'de',
  maximumDeclines: 3,
  orderIdReuse: 'after_failed',
  ipAllowlist: ['203.0.113.24', '2001:db8::/32'],
  signedRequests: true,
  openPayouts: false,
  defaultNotificationUrl: null,
  uppercase: 'unicode',
  reversalWord: 'void',
  frameBySuccessUrl: false,
  scheduleRetries: 3,
  scheduleRetryHours: 24,
  missedSlots: 'one',
  cascadeLimit: 3,
  dailyLimitMinor: '1000000',
  weeklyLimitMinor: null,
};

describe('a mapping in its form', () => {
  test('returns unchanged values', () => {
    expect(fromForm('checkout', toForm('checkout', values), values)).toEqual({
      ...values,
      requiredPayerFields: ['payer_country'],
      callbackFields: ['payer_country', 'brand', 'initiator', 'sequence'],
    });
  });

  test('has a box for each row, and marks rows with only some fields on', () => {
    const { matrix } = toForm('checkout', values);
    expect(matrix.callback).toMatchObject({ payer_country: true, payer_zip: false, origin: 'some', brand: true });
    expect(matrix.status.card).toBe(true);
    expect(Object.keys(matrix.required)).not.toContain('payer_ip');
  });

  test('sets all fields of a row together', () => {
    const form = toForm('checkout', values);
    form.matrix.callback.origin = true;
    expect(fromForm('checkout', form, values).callbackFields).toEqual([
      'payer_country',
      'brand',
      'initiator',
      'source',
      'sequence',
    ]);
  });

  test('copies the settings of another protocol, and keeps the rest', () => {
    const form = { ...toForm('checkout', values), digest: 'sha256' as const };
    const bare = {
      ...values,
      callbackFields: [],
      requiredPayerFields: ['payer_address2', 'payer_zip'],
      maximumDeclines: 9,
    };
    const taken = copiedFrom({ protocol: 's2s_apm', values: { ...bare, cascadeLimit: 1 } }, 'checkout', form);
    expect(taken).toMatchObject({ digest: 'md5', cascadeLimit: 1, maximumDeclines: 3 });
    expect(taken.matrix.callback).toMatchObject({ payer_country: false, brand: false, origin: 'some' });
    expect(taken.matrix.required).toMatchObject({ payer_zip: true, payer_country: false });
    expect(Object.keys(taken.matrix.required)).not.toContain('payer_address2');
  });

  test('sends no setting that the protocol does not have', () => {
    const sent = fromForm('s2s_apm', toForm('s2s_apm', values), values);
    expect(Object.keys(sent)).not.toContain('maximumDeclines');
    expect(Object.keys(sent)).not.toContain('scheduleRetries');
    expect(Object.keys(sent)).toContain('cascadeLimit');
  });

  test('keeps the lines of the allowlist, so that an error can name one', () => {
    const form = { ...toForm('checkout', values), ipAllowlist: '10.0.0.1\n\n10.0.0.256' };
    expect(fromForm('checkout', form, values).ipAllowlist).toEqual(['10.0.0.1', '', '10.0.0.256']);
  });

  // Input, sent value, and whether the form accepts it.
  const limits = `
    -          | null      | fits
    10000.00   | "1000000" | fits
    10000      | "1000000" | fits
    10,000     | "10,000"  | refused
    0          | "0"       | refused
    0.001      | "0.001"   | refused
  `;
  test.each(
    limits
      .trim()
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()) as [string, string, string]),
  )('a limit of %s', (typed, sent, fits) => {
    const text = typed === '-' ? '' : typed;
    const form = { ...toForm('checkout', values), dailyLimitMinor: text };
    expect(JSON.stringify(fromForm('checkout', form, values).dailyLimitMinor)).toBe(sent);
    expect(limitError(text) === undefined ? 'fits' : 'refused').toBe(fits);
  });
});
