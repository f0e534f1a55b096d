// Ineligibility reasons: every check, their order, and the checks that are added later.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mid } from '../merchants/merchants.ts';
import { midWith } from '../merchants/mid.test-data.ts';
import {
  acceptedBrands,
  type Candidate,
  candidatesOf,
  chooseMids,
  eligibleMids,
  type MidRequirements,
  orderCandidates,
  withLaterKnown,
} from './candidates.ts';

const mid = midWith({});
const wanted: MidRequirements = {
  operation: 'purchase',
  authorizeOnly: false,
  currency: 'EUR',
  amountMinor: 100n,
  method: 'card',
};

const failedOf = ([candidate]: readonly Candidate[]) => candidate?.failed.map(({ check }) => check).join(' ') ?? '';
const firstOf = ([candidate]: readonly Candidate[]) => candidate?.failed[0]?.reason;

describe('the accepted brands', () => {
  const wallet = { digitalWallet: 'applepay', missingSets: [] };
  const tokenOnly = { capabilities: { wallet: 'token' } };
  it.each<[string, Partial<Mid>[], Parameters<typeof acceptedBrands>[2], string | null]>([
    ['every account restricts', [{ cardBrands: ['visa'] }, { cardBrands: ['amex', 'visa'] }], undefined, 'visa amex'],
    ['one takes all', [{ cardBrands: ['visa'] }, {}], undefined, null],
    ['one that takes all is off', [{ cardBrands: ['visa'] }, { enabled: false }], undefined, 'visa'],
    ['none is eligible', [{ cardBrands: ['visa'], enabled: false }], undefined, null],
    ['of a wallet, one that takes all has no cards of wallets', [{ cardBrands: ['visa'] }, tokenOnly], wallet, 'visa'],
    ['of a wallet, another restricts', [{}, { cardBrands: ['visa'], ...tokenOnly }], wallet, null],
  ])('%s', (_what, differs, means, brands) => {
    const mids = differs.map((each) => ({ ...mid, ...each }) as Mid);
    expect(acceptedBrands(mids, wanted, means)?.join(' ') ?? null).toBe(brands);
  });
});

describe('the checks of an account', () => {
  it.each<[string, Partial<Mid>, Partial<MidRequirements>, string | undefined]>([
    ['', {}, {}, undefined],
    ['enabled', { enabled: false }, {}, 'switched off'],
    ['connector', { connector: 'gone' }, {}, 'switched off'],
    ['operation', { operations: ['debit'] }, {}, 'does not support purchase'],
    ['currency', { currencies: ['USD'] }, {}, 'does not support EUR'],
    ['method', { methods: ['ips'] }, {}, 'does not support card'],
    ['cardBrand', { cardBrands: ['visa'] }, { cardNumber: '5555555555554444' }, 'does not take Mastercard'],
    ['', { cardBrands: ['visa', 'mastercard'] }, { cardNumber: '555555' }, undefined],
    ['', { cardBrands: ['visa'] }, {}, undefined],
    ['', { cardBrands: ['visa'], methods: ['ips'] }, { cardNumber: '5555555555554444', method: 'ips' }, undefined],
    ['cardBrand', { cardBrands: ['visa'] }, { cardNumber: '9999999999999995' }, 'does not take a card of this brand'],
    ['walletCard', { capabilities: { wallet: 'token' } }, { digitalWallet: 'applepay' }, 'no decrypted applepay'],
    ['walletToken', { capabilities: { wallet: 'none' } }, { walletToken: true }, 'no tokens of wallets'],
    ['zeroAmount', {}, { amountMinor: 0n }, 'no zero amounts'],
    ['paymentMode', { paymentMode: 'dms' }, {}, 'Payment Mode dms'],
    ['cardSets', { capabilities: { cardSets: ['BNG'] } }, { missingSets: ['BNG'] }, 'lacks parameters of set BNG'],
  ])('%s', (failed, differs, asks, reason) => {
    const candidates = candidatesOf([{ ...mid, ...differs }], { ...wanted, ...asks });
    expect([failedOf(candidates), firstOf(candidates)]).toEqual([failed, reason]);
  });

  it('all run, in a fixed order', () => {
    const worst = { ...mid, enabled: false, operations: ['debit'], currencies: ['USD'], paymentMode: 'dms' } as Mid;
    const candidates = candidatesOf([worst], { ...wanted, amountMinor: 0n });
    expect(failedOf(candidates)).toBe('enabled operation currency zeroAmount paymentMode');
    expect(firstOf(candidates)).toBe('switched off');
  });
});

describe('properties that become known later', () => {
  const accounts = fc.array(
    fc
      .record({
        enabled: fc.boolean(),
        currencies: fc.constantFrom([], ['EUR'], ['USD']),
        paymentMode: fc.constantFrom('sms', 'dms', 'sms_dms'),
        zeroAmounts: fc.boolean(),
        capabilities: fc.constantFrom({}, { wallet: 'none' }, { wallet: 'token' }, { cardSets: ['BNG'] }),
      })
      .map((changes) => ({ ...mid, ...changes }) as unknown as Mid),
    { maxLength: 5 },
  );
  const later = fc.record({
    digitalWallet: fc.constantFrom(null, undefined, 'applepay'),
    walletToken: fc.constantFrom(undefined, false, true),
    missingSets: fc.constantFrom(undefined, [], ['BNG'] as const),
  });

  it('give the same result as a complete check', () => {
    fc.assert(
      fc.property(accounts, later, fc.constantFrom(0n, 100n), (mids, known, amountMinor) => {
        const all = { ...wanted, amountMinor, ...known };
        const handedOn = withLaterKnown(candidatesOf(mids, { ...wanted, amountMinor }), all);
        expect(handedOn).toEqual(candidatesOf(mids, all));
        const routed = orderCandidates(handedOn, { rules: [] }, all);
        expect(routed).toEqual(chooseMids({ mids, mapping: { rules: [] } }, all));
        expect(routed.mids).toEqual(eligibleMids(mids, all));
      }),
    );
  });
});
