import { afterAll, expect, it, vi } from 'vitest';
import type { Presentation } from '../core/presentation.ts';
import type { State } from '../core/states.ts';
import { translationsOf } from '../http/index.ts';
import { sendsMessages } from '../outbox/index.ts';
import type { LinkTarget } from '../prisma/client.ts';
import type { FormPage } from './contract.ts';
import { linkTargetOf } from './exit.ts';
import { action, mapping, mid, payment, session, transaction, view } from './fixture.test-data.ts';
import { methodRows } from './method-list.ts';
import { type PageExtras, pageOf } from './page.ts';
import { attemptPath, type PageContext, pageContextOf } from './page-context.ts';
import type { Screen } from './screen.ts';
import type { View } from './view.ts';

vi.mock('../outbox/index.ts', () => ({ sendsMessages: vi.fn(() => true) }));
// Another file may have loaded the page with the real messages, or load it next.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

const now = new Date('2026-11-20T12:00:00Z');
const expired = new Date('2026-11-20T11:30:00Z');
/** The end of payment data: after that of the session. */
const dataUntil = '2026-11-20T11:50:00Z';

const visit = (members: Partial<PageContext> = {}): PageContext => ({
  language: 'en',
  region: null,
  words: translationsOf('en'),
  lang: null,
  attempt: null,
  cameBack: false,
  leaving: false,
  reminded: 0,
  framed: false,
  test: null,
  method: null,
  find: '',
  remembered: undefined,
  device: { isPhone: false },
  now,
  ...members,
});

const gathered = (members: Partial<PageExtras> = {}): PageExtras => ({
  hidden: { attempt: '0', guard: 'g' },
  savedCards: [],
  logo: undefined,
  sandbox: false,
  ...members,
});

const card = {
  id: 'card',
  first6: '411111',
  last4: '1111',
  brand: 'visa',
  expMonth: 5,
  expYear: 2038,
  holder: 'Mia Lindqvist',
};

const states: { [screen: string]: State } = { held: 'pending', returned: 'refund' };

const screens: { [name: string]: Screen } = {
  form: { kind: 'form' },
  challenge: { kind: 'challenge', action },
  redirect: { kind: 'redirecting', action },
  waiting: { kind: 'waiting' },
  qr: { kind: 'present', present: { kind: 'qr', scheme: 'ips', payload: 'K:PR' } },
  app: { kind: 'present', present: { kind: 'app', url: 'phonepe://pay' } },
  voucher: { kind: 'present', present: { kind: 'details', rows: [], barcode: '1' } },
  link: { kind: 'present', present: { kind: 'message', channel: 'email', url: 'https://bank.example' } },
  coins: { kind: 'present', present: { kind: 'crypto', address: 'TX', network: 'Tron', currency: 'USDT' } },
  paid: { kind: 'paid' },
  held: { kind: 'paid' },
  returned: { kind: 'paid' },
  expired: { kind: 'expired' },
  cancelled: { kind: 'cancelled', reason: 'payer' },
  declines: { kind: 'cancelled', reason: 'declines' },
};

// screen | request | session | page: state, then its relevant members; shop addresses by their paths
const cases = `
form      |                    |               | form, back, live until 13:00
challenge |                    |               | challenge, back, live
challenge | cameBack           |               | waiting, live
redirect  |                    |               | redirecting, back, live
redirect  | cameBack           |               | waiting, live
redirect  | cameBack           | method=klarna | waiting, later /thanks, live
redirect  | cameBack           | method=klarna pending=/soon | waiting, later /soon, live
redirect  | framed             |               | continue _top, back, live
redirect  | framed             | target=_blank | continue _blank, back, live
redirect  | framed             | target=_self  | redirecting, back, live
waiting   |                    |               | waiting, live
waiting   |                    | method=tamara target=_top | waiting, later /thanks, live
app       | cameBack           | method=phonepe | waiting, later /thanks, live
qr        |                    |               | present, back, live
voucher   |                    |               | present, later /thanks, live
link      |                    | target=_top   | present, later /thanks, live
coins     |                    | cancel=none   | present, later /thanks, live
waiting   |                    | method=tabby cancel=none | waiting, later /thanks, live
paid      |                    |               | receipt paid again /thanks
paid      | attempt=2          |               | receipt paid /thanks
paid      | attempt=1          |               | receipt paid again /thanks
held      | attempt=2          |               | receipt authorised /thanks
returned  | attempt=2          |               | receipt returned again /thanks
expired   |                    |               | expired none /basket
expired   |                    | method=pr-cash ended=details | expired unknown /basket
expired   |                    | method=pr-cash ended=details error=/help | expired unknown /help
expired   |                    | method=awcc ended=crypto | expired unknown /basket
expired   |                    | method=ips ended=qr | expired none /basket
expired   |                    | expiry=/late  | expired none /late
cancelled |                    |               | cancelled payer /basket
cancelled | leaving            |               | cancelled payer now /basket
cancelled | leaving framed     | target=_top   | cancelled payer /basket
cancelled | leaving framed     |               | cancelled payer now /basket
declines  | leaving            |               | cancelled declines now /basket
declines  |                    | method=pr-cash ended=details error=/help | cancelled declines late /help
cancelled |                    | method=pr-cash ended=details error=/help | cancelled payer /basket
`;

const rows = cases
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string, string]);

function viewFor(screen: string, of: string): View {
  const given = Object.fromEntries(of.split(' ').map((pair) => pair.split('=')));
  const shown = view({
    screen: screens[screen] as Screen,
    payment: payment({ attempts: 2, card, settledAt: expired, state: states[screen] ?? 'settled' }),
    attempt: transaction({
      method: given.method ?? 'card',
      status: 'success',
      finishedAt: expired,
      ...(given.ended && {
        status: 'fail',
        providerData: { present: { kind: given.ended, expiresAt: dataUntil } as Presentation },
      }),
    }),
    session: session({
      linkTarget: given.target ?? null,
      cancelUrl: given.cancel === 'none' ? null : 'https://shop.example/basket',
      errorUrl: given.error ? `https://shop.example${given.error}` : null,
      expiryUrl: given.expiry ? `https://shop.example${given.expiry}` : null,
    }),
  });
  shown.caller.mapping = mapping({ pendingUrl: given.pending ? `https://shop.example${given.pending}` : null });
  return shown;
}

it.each(rows)('%s, visit %s, session %s: %s', (screen, how, of, expected) => {
  const given = Object.fromEntries(how.split(' ').map((word) => word.split('=')));
  const page = pageOf(
    viewFor(screen, of),
    visit({
      cameBack: 'cameBack' in given,
      framed: 'framed' in given,
      leaving: 'leaving' in given,
      attempt: given.attempt ?? null,
    }),
    gathered(),
  );
  if (!page) throw new Error('there is no page');
  const words: (string | undefined)[] = [page.state];
  if (page.state === 'continue') words.push(page.target);
  if (page.state === 'receipt') words.push(page.result, page.isNew ? undefined : 'again');
  if (page.state === 'expired') words.push(page.money);
  if (page.state === 'cancelled')
    words.push(page.reason, page.late ? 'late' : undefined, page.leaveNow ? 'now' : undefined);
  const back = page.cancelUrl ? ', back' : '';
  const until = page.live?.expiresAt ? ` until ${page.live.expiresAt.toISOString().slice(11, 16)}` : '';
  const live = page.live ? `, live${until}` : '';
  const later = page.later?.returnUrl ? `, later ${new URL(page.later.returnUrl).pathname}` : '';
  const shop = 'returnUrl' in page && page.returnUrl ? ` ${new URL(page.returnUrl).pathname}` : '';
  expect(words.filter(Boolean).join(' ') + shop + back + later + live).toBe(expected);
});

it('names the end of the payment data where that was later than the session’s', () => {
  const expiredAt = (of: string, at = now) => {
    const page = pageOf(viewFor('expired', of), visit({ now: at }), gathered());
    return page?.state === 'expired' ? page.expiredAt.toISOString() : undefined;
  };
  const end = session({}).expiresAt.toISOString();
  expect(expiredAt('')).toBe(end);
  expect(expiredAt('method=pr-cash ended=details', new Date('2026-11-21T12:00:00Z'))).toBe(
    [end, new Date(dataUntil).toISOString()].sort().at(-1),
  );
});

it('leads on to the provider only for the browser that has just chosen the method', () => {
  const auto = (attempt: string | null) => {
    const page = pageOf(viewFor('redirect', ''), visit({ attempt }), gathered());
    return page?.state === 'redirecting' ? page.auto : undefined;
  };
  expect([auto('2'), auto('1'), auto(null)]).toEqual([true, false, false]);
});

it('signs the return address', () => {
  const page = pageOf(viewFor('paid', ''), visit({ attempt: '2' }), gathered());
  const query = new URL(page?.state === 'receipt' ? (page.returnUrl ?? '') : '').searchParams;
  expect([...query.keys()]).toEqual(['payment_id', 'order_id', 'hash']);
  // sha1(md5(upper(payment_id + order + amount + currency + description + password))), computed by another tool.
  expect(query.get('hash')).toBe('500b5b9b2b4021ffc33b2c6029a9c9fd3730937c');
});

it('shows a superseded session as an unknown link', () => {
  expect(pageOf(view({ screen: { kind: 'superseded' } }), visit(), gathered())).toBeNull();
});

const form = (members: Partial<View>, visited: Partial<PageContext> = {}, more: Partial<PageExtras> = {}): FormPage => {
  const page = pageOf(view({ screen: { kind: 'form' }, ...members }), visit(visited), gathered(more));
  if (page?.state !== 'form') throw new Error('this is no form');
  return page;
};

it('shows saved cards by brand, last digits and date, and opens a new card after a decline', () => {
  const savedCards = [{ id: 'kept-1', token: 'secret-token', card, expired: false }];
  expect(form({}, {}, { savedCards: savedCards })).toMatchObject({
    saved: [{ id: 'kept-1', brand: 'visa', last4: '1111', expiry: '05/38', expired: false, cardFields: ['card_cvv'] }],
    chosen: undefined,
  });
  const declined = form({ screen: { kind: 'form', declined: { kind: 'funds' } } }, {}, { savedCards: savedCards });
  expect(declined.chosen).toBe('card');
  expect(JSON.stringify(declined, (_key, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    'secret-token',
  );
});

it('shows a link into an app without a code, if it is too long for one', () => {
  const codeOf = (url: string) => {
    const screen = { kind: 'present', present: { kind: 'app', url } } as View['screen'];
    const page = pageOf(view({ screen, attempt: transaction({ method: 'papara' }) }), visit(), gathered());
    return (page as unknown as { step: { code?: { size: number } } }).step.code?.size;
  };
  expect([codeOf('upi://pay'), codeOf(`upi://${'x'.repeat(4000)}`)]).toEqual([21, undefined]);
});

it('never redisplays number or code of a rejected submit', () => {
  const typed = { card_number: '4111111111111112', card_cvv: '123', email: 'mia@mail' };
  const page = pageOf(view({ screen: { kind: 'form' } }), visit(), gathered(), { typed, errors: {} });
  expect(page?.state === 'form' && page.values).toEqual({ email: 'mia@mail' });
});

it('has the test bar in the sandbox only, and fills in the chosen card', () => {
  expect(form({}).testBar).toBeUndefined();
  const page = form({}, { test: 'challenge' }, { sandbox: true });
  expect(page.testBar?.chosen).toBe('challenge');
  expect(page.values).toMatchObject({ card_number: '4111 1111 1111 1111', card_expiry: '05 / 38', card_cvv: '123' });
  expect(form({}, { test: 'nonsense' }, { sandbox: true }).testBar?.chosen).toBeUndefined();
});

// methods of the session | operation | MIDs | rows, or the alert
const ways = `
               | purchase | card          | card
card           | purchase | card          | card
papara card    | debit    | card papara   | papara card
papara         | purchase | card papara   | papara
papara         | purchase | card          | technical
nobodys card   | purchase | card nobodys  | card
card           | purchase | papara        | technical
card           | credit   | card          | card
card           | transfer | card          | card
papara         | credit   | card          | technical
`;

it.each(
  ways
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, 'purchase', string, string]),
)('methods %s of a %s, accounts for %s: %s', (methods, operation, accounts, expected) => {
  const given = view({
    screen: { kind: 'form' },
    payment: payment({ operation }),
    session: session({ methods: methods.split(' ').filter(Boolean) }),
  });
  given.caller.mids = [mid({ methods: accounts.split(' ') })];
  const shown = methodRows(given).map((row) => row.id);
  const page = form(given);
  expect(page.alert?.kind ?? shown.join(' ')).toBe(expected);
});

it('requires the fields that the mapping requires and the request lacks', () => {
  const given = view({
    screen: { kind: 'form' },
    payment: payment({ payer: { country: 'US', email: 'a@b.example' } }),
  });
  given.caller.mapping = mapping({ requiredPayerFields: ['payer_email', 'payer_state', 'payer_zip'] });
  expect(methodRows(given)).toMatchObject([{ card: { fields: [{ name: 'state' }, { name: 'zip' }] } }]);
  expect(form(given).country).toBe('US');
});

// operation, saved card or not | required card fields
const asked = `
purchase | card_number card_expiry card_cvv card_holder                   | card_cvv
debit    | card_number card_expiry card_cvv card_holder                   | card_cvv
credit   | card_number card_expiry                                        | card_expiry
transfer | card_number card_expiry card_cvv card_holder payee_card_number | card_cvv payee_card_number
`;

it.each(
  asked
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as ['purchase', string, string]),
)('asks for a %s %s, and of a kept card %s', (operation, typed, ofKept) => {
  const given = view({ screen: { kind: 'form' }, payment: payment({ operation }) });
  const savedCards = [{ id: 'kept-1', token: 'T', card, expired: false }];
  const model = pageOf(given, visit(), gathered({ savedCards: savedCards }));
  expect(methodRows(given).map((row) => row.card?.cardFields.join(' '))).toEqual([typed]);
  expect(model?.state === 'form' && model.saved.map((each) => each.cardFields.join(' '))).toEqual([ofKept]);
});

it('offers a payout only the cards that the session names', () => {
  const of = (operation: 'credit' | 'debit', cardTokens: string[]) =>
    methodRows(view({ screen: { kind: 'form' }, payment: payment({ operation }), session: session({ cardTokens }) }));
  expect(of('credit', ['T'])).toMatchObject([{ card: { savedOnly: true } }]);
  expect(of('credit', [])).toMatchObject([{ card: { savedOnly: false } }]);
  expect(of('debit', ['T'])).toMatchObject([{ card: { savedOnly: false } }]);
});

it('submits a form automatically only if it is the only one, has no fields, redirects, and has no attempt yet', () => {
  const auto = (methods: string[], more: Partial<View> = {}) => {
    const given = view({ screen: { kind: 'form' }, session: session({ methods }), ...more });
    given.caller.mids = [mid({ methods })];
    const page = pageOf(given, visit(), gathered());
    return page?.state === 'form' && page.auto;
  };
  expect(auto(['ppro-ideal'])).toBe(true);
  expect(auto(['ppro-ideal', 'card'])).toBe(false);
  expect(auto(['papara'])).toBe(false);
  expect(auto(['jvz'])).toBe(false);
  expect(auto(['card'])).toBe(false);
  // Also of an attempt that the payer left, which is no decline.
  expect(auto(['ppro-ideal'], { payment: payment({ attempts: 1 }) })).toBe(false);
});

it('names the method of the payment, after a declined card too', () => {
  const given = viewFor('paid', '');
  const how = (method: string) => {
    const attempt = transaction({ status: 'success', method, finishedAt: expired });
    const page = pageOf({ ...given, attempt }, visit({ attempt: '2' }), gathered());
    return page?.state === 'receipt' && page.how;
  };
  expect(how('papara')).toEqual({ kind: 'method', name: 'Papara' });
  expect(how('card')).toMatchObject({ kind: 'card', last4: '1111' });
});

it('names the declined method, and shows no holder of the link what was typed for it', () => {
  const { values, order, ...page } = form({
    screen: { kind: 'form', declined: { kind: 'unconfirmed' } },
    payment: payment({
      attempts: 1,
      payer: { email: 'mia@example.com', phone: '+38164123456' },
      parameters: { papara: { memberId: '12', sandbox: 'x' }, 'papara:asked': ['email', 'parameter_memberId'] },
    }),
    attempt: transaction({ status: 'fail', method: 'papara' }),
  });
  expect(page).toMatchObject({ chosen: 'papara', alert: { kind: 'unconfirmed', method: 'Papara' } });
  expect([values, order.email]).toEqual([undefined, 'm•••@example.com']);
  const declined = {
    screen: { kind: 'form', declined: { kind: 'unconfirmed' } },
    payment: payment({ card, attempts: 1 }),
  };
  expect(form(declined as Partial<View>).values).toBeUndefined();
});

// session | MID | target
const targets = `
-       | -       | -
_top    | -       | _top
_top    | _self   | _self
-       | _blank  | _blank
`;

it.each(
  targets
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]),
)('url_target %s, override %s: %s', (asked, override, expected) => {
  const given = view({ screen: { kind: 'form' }, session: session({ linkTarget: asked === '-' ? null : asked }) });
  const overrideLinkTarget = override === '-' ? null : (override as `_${LinkTarget}`);
  given.caller.mids = [mid({ overrideLinkTarget })];
  expect(linkTargetOf(given) ?? '-').toBe(expected);
});

it('preserves a chosen language, and the last choice wins', () => {
  const german = view({ screen: { kind: 'form' }, session: session({ language: 'de' }) });
  const at = (query: string) => pageContextOf(new Request(`https://pay.example/pay/T${query}`), german, now);
  expect(at('')).toMatchObject({ language: 'de', lang: null });
  expect(at('?lang=fr')).toMatchObject({ language: 'fr', lang: 'fr' });
  expect(at('?lang=fr&attempt=1&lang=ja')).toMatchObject({ language: 'ja', lang: 'ja', attempt: '1' });
  expect(at('?lang=xx')).toMatchObject({ language: 'de', lang: null });
  expect(at('?lang=de').lang).toBeNull();
  expect(at('?attempt=1%22%3E').attempt).toBeNull();
});

it('puts only the attempt, the return and the language into an address', () => {
  const given = { token: 'T', payment: payment({ attempts: 2 }), session: session({}) };
  expect(attemptPath(given, { lang: 'ar', back: true })).toBe('/pay/T?attempt=2&back=1&lang=ar');
  // An attempt that was stopped and not stored counts too.
  expect(attemptPath({ ...given, session: session({ repeatedStops: [2] }) })).toBe('/pay/T?attempt=3');
  expect(attemptPath({ token: 'T', payment: payment({}), session: session({}) })).toBe('/pay/T');
});

// A wallet's card is still a card: after a redirect only its bank knows the outcome, so no other method is offered yet.
it('names a wallet when paid or declined, and the bank while waiting', () => {
  const given = { payment: payment({ card, digitalWallet: 'googlepay' }), attempt: transaction({}) };
  const shown = (screen: Screen) => pageOf(view({ ...given, screen }), visit({ cameBack: true }), gathered());
  expect(shown({ kind: 'redirecting', action })).toMatchObject({ state: 'waiting', method: undefined });
  expect(shown({ kind: 'form', declined: { kind: 'bank' } })).toMatchObject({ alert: { method: 'Google Pay' } });
  const receipt = pageOf(view({ ...given, screen: { kind: 'paid' } }), visit({ attempt: '0' }), gathered());
  expect(receipt).toMatchObject({ how: { kind: 'method', name: 'Google Pay' } });
});

it('says so where the only cards of a payout cannot be used any more', () => {
  const payout = view({
    screen: { kind: 'form' },
    payment: payment({ operation: 'credit' }),
    session: session({ cardTokens: ['gone'] }),
  });
  const page = pageOf(payout, visit(), gathered());
  expect(page).toMatchObject({ saved: [], alert: { kind: 'technical' } });
});

it('the receipt is sent to the known address, else to one that is typed', () => {
  const emailOf = (email?: string, extras: Partial<PageExtras> = {}) => {
    const given = view({ screen: { kind: 'paid' }, payment: payment({ state: 'settled', payer: { email } }) });
    const page = pageOf(given, visit({ attempt: '1', reminded: 1 }), gathered(extras));
    return page?.state === 'receipt' ? [page.email, page.isNew] : [];
  };
  expect(emailOf('mia@mail.example')).toMatchObject([{ url: '/pay/TOKEN/remind', to: 'm•••@mail.example' }, false]);
  expect(emailOf(undefined, { sentTo: 'ana@mail.example' })).toMatchObject([
    { to: undefined, sentTo: 'a•••@mail.example' },
    false,
  ]);
});

it('the receipt is not sent where no mail server is configured', () => {
  vi.mocked(sendsMessages).mockReturnValueOnce(false);
  const page = pageOf(view({ screen: { kind: 'paid' } }), visit(), gathered());
  expect(page).toMatchObject({ state: 'receipt', email: undefined });
});
