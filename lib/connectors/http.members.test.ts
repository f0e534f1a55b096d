// The further members of a provider's answer: their limits, and security codes in them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '../telemetry/log.ts';
import { httpConnector } from './http.ts';
import { answering, cardSale as pay, testProviders } from './provider.test-server.ts';

log.level = 'silent';

const { peer, close } = testProviders();
afterEach(close);
afterEach(() => vi.restoreAllMocks());

const answer = { reference: pay.key, status: 'approved', amount: '84.50', currency: 'EUR' };
const outcomeOf = async (members: object) => {
  const { settings } = await peer(answering(200, { ...answer, ...members }));
  return httpConnector.pay({ settings }, pay);
};

/** An object of texts. */
const texts = (count: number, length: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`name${place}`, 'x'.repeat(length)]));
const nested = (depth: number): object => (depth === 0 ? {} : { inner: nested(depth - 1) });

describe('a member that is too large is dropped with a warning, and the outcome is kept', () => {
  it.each<[string, object]>([
    ['65 texts', texts(65, 1)],
    ['over 16,384 characters in all', texts(17, 1024)],
    ['a text of 1,025 characters', texts(1, 1025)],
    ['objects in objects', nested(100)],
  ])('%s', async (_size, large) => {
    const warn = vi.spyOn(log, 'warn');
    const network = { descriptor: 'BOWLS' };
    const kept = { kind: 'approved', amount: pay.amount, facts: { providerRef: 'ref-1', descriptor: 'BOWLS' } };
    expect(await outcomeOf({ provider_reference: 'ref-1', network, three_ds: large, extended: large })).toEqual(kept);
    expect(warn).toHaveBeenCalledWith(
      { transaction: pay.key, dropped: ['three_ds', 'extended'] },
      'a provider sent malformed or too large members',
    );
  });

  it('but not at the limits', async () => {
    const warn = vi.spyOn(log, 'warn');
    for (const extended of [texts(64, 200), texts(15, 1024)]) {
      expect(await outcomeOf({ extended, decline: null })).toMatchObject({ facts: { extended } });
    }
    expect(warn).not.toHaveBeenCalled();
  });
});

it.each<[string, object, boolean]>([
  ['64', texts(64, 1000), true],
  ['65', texts(65, 1), false],
  ['65,535 characters of', { PaReq: 'x'.repeat(65_530) }, true],
  ['65,537 characters of', { PaReq: 'x'.repeat(65_532) }, false],
])('an action with %s parameters is read or leaves the outcome unknown', async (_size, params, isRead) => {
  const action = { url: 'https://bank.example/3ds', method: 'POST', params };
  const unknown = { kind: 'unknown', why: 'answer without its action' };
  expect(await outcomeOf({ status: 'challenge', action })).toEqual(
    isRead ? { kind: 'challenge', action, facts: {} } : unknown,
  );
});

it('a security code that a provider repeats is in no outcome', async () => {
  const names = [
    'cvv',
    'CVV2',
    'cvc',
    'card_cvv',
    'security_code',
    'cardSecurityCode',
    'card.cvc2',
    'CVN',
    'csc_value',
  ];
  const codes = Object.fromEntries(names.map((name) => [name, '739']));
  const kept = { cvv_result: 'M', cavv: 'AgAA', eci: '05' };
  const logged = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn')];
  const approved = await outcomeOf({ three_ds: { ...kept, ...codes }, extended: { ...codes, ...kept } });
  expect(approved).toEqual({ kind: 'approved', amount: pay.amount, facts: { threeDS: kept, extended: kept } });
  const action = { url: 'https://bank.example/3ds', method: 'POST', params: { ...codes, ...kept } };
  const challenge = { kind: 'challenge', action: { ...action, params: kept }, facts: {} };
  expect(await outcomeOf({ status: 'challenge', action })).toEqual(challenge);
  expect(JSON.stringify(logged.map(({ mock }) => mock.calls))).not.toContain('739');
});

it('a card number is masked in the name of a member too', async () => {
  const outcome = await outcomeOf({ extended: { 'card 4111111111111111': 'valid' } });
  expect(outcome).toMatchObject({ facts: { extended: { 'card 411111******1111': 'valid' } } });
});

it('security codes, tracks and card numbers inside of texts are masked; references keep their digits', async () => {
  const references = { rrn: '633201234566', arn: '74537605332012345678901', approval_code: 'A12345' };
  const extended = { raw: '{"card_cvv2":"987"}', note: 'cvv=987', track: ';4111111111111111=38011010000098700000?' };
  expect(await outcomeOf({ provider_reference: '4111111111111111', network: references, extended })).toMatchObject({
    facts: {
      providerRef: '4111111111111111',
      ...{ rrn: references.rrn, arn: references.arn, approvalCode: 'A12345' },
      extended: { raw: '{"card_cvv2":"[scrubbed]"}', note: 'cvv=[scrubbed]', track: '[track]' },
    },
  });
  const number = '4111111111111111';
  const repeated = { rrn: number, arn: number, approval_code: 'cvv 987' };
  const masked = '411111******1111';
  expect(await outcomeOf({ network: repeated })).toMatchObject({
    facts: { rrn: masked, arn: masked, approvalCode: 'cvv [scrubbed]' },
  });
});

it('a reason is not cut within a card number', async () => {
  const secret = 'x'.repeat(3978);
  const message = `cvv=${secret} ${'x'.repeat(100)} 4111111111111111`;
  const decline = { code: 'cvv=987', message };
  const outcome = await outcomeOf({ status: 'declined', decline });
  expect(outcome).toMatchObject({ decline: { code: 'cvv=[scrubbed]', reason: `cvv=[scrubbed] ${'x'.repeat(100)}` } });
});
