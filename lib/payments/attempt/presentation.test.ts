import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { transaction } from '../../core/payment.test-data.ts';
import type { Presentation, StoredPresentation } from '../../core/presentation.ts';
import { isPresented, maskedFacts } from './presentation.ts';

/** What the vault has for the transaction. */
const vault = vi.hoisted(() => ({ stored: null as unknown, sealed: 0, opened: 0 }));

vi.hoisted(() => vi.resetModules());
vi.mock('../../vault/index.ts', () => ({
  sealPresentation: (present: Presentation) => {
    vault.sealed += 1;
    return Promise.resolve(Buffer.from(JSON.stringify(present)));
  },
  withWholePresentation: (shown: object & { providerData: object }) => {
    vault.opened += 1;
    return Promise.resolve(
      vault.stored ? { ...shown, providerData: { ...shown.providerData, present: vault.stored } } : shown,
    );
  },
}));

const pay = (value: string): Presentation => ({ kind: 'details', rows: [{ name: 'card_number', value }] });
const whole = pay('2200 0000 0000 0004');
const masked: StoredPresentation = { ...pay('220000******0004'), masked: true };
const account: Presentation = { kind: 'details', rows: [{ name: 'iban', value: 'DE89370400440532013000' }] };
const waiting = (present?: StoredPresentation | null) => transaction({ status: 'waiting', providerData: { present } });

beforeEach(() => {
  Object.assign(vault, { stored: whole, sealed: 0, opened: 0 });
});

describe('the stored facts', () => {
  it('have a card number masked, and the whole presentation encrypted, while the payer needs it', async () => {
    const { providerData, sealedPresent } = await maskedFacts(waiting(), 'waiting', {
      providerRef: 'p',
      present: whole,
    });
    expect(providerData).toEqual({ providerRef: 'p', present: masked });
    expect(JSON.parse(String(sealedPresent))).toEqual(whole);
  });

  it.each(['success', 'fail', 'redirect'] as const)('have it masked only with status %s', async (status) => {
    expect(await maskedFacts(waiting(), status, { present: whole })).toEqual({ providerData: { present: masked } });
    expect(vault.sealed).toBe(0);
  });

  it('are unchanged without a card number', async () => {
    for (const facts of [{}, { present: null }, { present: account }]) {
      expect((await maskedFacts(waiting(whole), 'waiting', facts)).providerData).toBe(facts);
    }
    expect((await maskedFacts(waiting(masked), 'success', {})).providerData).toEqual({});
    expect(vault.sealed).toBe(0);
  });

  it('of an earlier release are masked when the transaction is final', async () => {
    expect(await maskedFacts(waiting(whole), 'success', {})).toEqual({ providerData: { present: masked } });
  });
});

describe('a reported presentation', () => {
  it.each<[string, StoredPresentation | null | undefined, Presentation | null, boolean]>([
    ['none, and none', undefined, null, true],
    ['none any more', masked, null, false],
    ['the first', null, whole, false],
    ['the same', account, account, true],
    ['the same card number', masked, whole, true],
    ['another card number', masked, pay('2200 0000 0000 0012'), false],
    ['another one with the same masked form', masked, pay('2200 0012 3400 0004'), false],
    ['one that an earlier release has stored in clear', whole, whole, false],
  ])('%s', async (_name, stored, reported, isSame) => {
    expect(await isPresented(waiting(stored), reported)).toBe(isSame);
  });

  it('is another one where the key of the stored one was lost', async () => {
    vault.stored = null;
    expect(await isPresented(waiting(masked), whole)).toBe(false);
  });

  it('without a card number is compared without the vault', async () => {
    await isPresented(waiting(account), account);
    expect(vault.opened).toBe(0);
  });
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
