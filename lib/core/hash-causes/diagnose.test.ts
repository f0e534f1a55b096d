import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Digest, layOut, type RecipeName, recipes, type SignatureValues, sign } from '../signatures.ts';
import { causes } from './causes.ts';
import { diagnose, digestsOf } from './diagnose.ts';
import type { Question } from './layouts.ts';
import { amountTexts, formulaNames } from './texts.ts';

const password = 'f3b1c5d79e2a4b6c8d0e1f2a3b4c5d6e';
const key = '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4';
const earlier = `${'a'.repeat(31)}7`;

const values: SignatureValues = {
  password,
  payerEmail: 'Ana.Petrovic@example.com',
  fragment: '4111111111',
  cardToken: `${'c0ffee'.repeat(10)}beef`,
  transId: '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e3',
  paymentId: '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e4',
  scheduleId: '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e5',
  orderId: 'NK-20419',
  amount: '10.00',
  currency: 'EUR',
  description: 'Gift card & a "bow"',
  identifier: 'success@gmail.com',
  status: 'SETTLED',
  recurringInitTransId: '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e6',
  recurringToken: 'ab12'.repeat(8),
  fields: {
    action: 'SALE',
    trans_id: '0193ac5d-4a10-7c3b-8e22-51f0c8a4d7e3',
    amount: '10.00',
    custom_data: { b: 'two', a: 'one' },
    hash: 'x',
  },
};

const names = Object.keys(recipes) as RecipeName[];

function question(recipe: RecipeName, input: string, digest: Digest = 'md5'): Question {
  return {
    recipe,
    values,
    digest,
    hash: input,
    key,
    passwords: [{ password: earlier, what: 'an earlier password' }],
    others: {
      payerEmail: ['other@example.com'],
      fragment: ['5555554444'],
      description: ['Voucher'],
      orderId: ['NK-1'],
    },
    unsigned: [{ name: 'channel_id', text: 'shop-7' }],
  };
}

describe.each(names)('%s', (recipe) => {
  it.each(['md5', 'sha256'] as const)('names nothing for a right hash by %s, in either letter case', (digest) => {
    const hash = sign(recipe, values, { digest });
    for (const input of [hash, hash.toUpperCase()]) {
      expect(diagnose(question(recipe, input, digest))).toMatchObject({ right: true, cause: null });
    }
  });

  it('has the layout that is verified', () => {
    const { inner, outer } = digestsOf(layOut(recipe, values), 'md5');
    expect(outer ?? inner).toBe(sign(recipe, values, { digest: 'md5' }));
  });

  it('names nothing for a hash that no mistake explains', () => {
    const matches = diagnose(question(recipe, '0'.repeat(32)));
    expect(matches).toMatchObject({ right: false, cause: null });
    expect(matches.tried.length).toBeGreaterThan(8);
  });

  // Every mistake that is possible with this formula, each named as itself and not as another.
  it('names every mistake by its own name', () => {
    const request = question(recipe, '');
    const layout = layOut(recipe, values);
    const right = sign(recipe, values, { digest: 'md5' });
    const seen = new Map([[right, 'none']]);
    for (const cause of causes) {
      for (const tried of cause.tries({ ...request, recipe, layout })) {
        if (tried.how) continue;
        const { inner, outer } = digestsOf(tried.layout, 'md5');
        const hash = outer ?? inner;
        if (!seen.has(hash)) seen.set(hash, cause.id);
      }
    }
    // A mistake has up to a thousand variants; the first and the last are tested.
    const ends = new Map<string, string>([...[...seen].reverse().map(([hash, id]) => [`first ${id}`, hash] as const)]);
    for (const [hash, id] of seen) ends.set(`last ${id}`, hash);
    for (const hash of ends.values()) {
      const cause = seen.get(hash);
      expect(diagnose(question(recipe, hash)).cause?.id ?? 'none').toBe(cause);
    }
    expect(new Set(seen.values()).size).toBeGreaterThan(7);
  });
});

// The same mistakes made by hand, without the table of signatures.
const hex = (algorithm: string, text: string | Buffer) => createHash(algorithm).update(text).digest('hex');
const md5 = (text: string) => hex('md5', text);
const sha1 = (text: string) => hex('sha1', text);
const reversed = (text: string) => [...text].reverse().join('');
const { payerEmail: mail = '', fragment: card = '', transId: trans = '', orderId: order = '' } = values;
const { amount = '', currency = '', description = '', identifier = '' } = values;
const session = (parts: string[]) => sha1(md5(parts.join('').toUpperCase()));
const right = [order, amount, currency, description, password];
const first = (mailText: string, secret: string, cardText: string) => md5((mailText + secret + cardText).toUpperCase());

const mistakes: [RecipeName, string, string, string][] = [
  ['session', 'amount', 'as 10 but sent as 10.00', session([order, '10', currency, description, password])],
  ['session', 'amount', 'as 1000 but sent as 10.00', session([order, '1000', currency, description, password])],
  ['session', 'order', 'different order', session([amount, order, currency, description, password])],
  ['session', 'order', 'different order', session([password, order, amount, currency, description])],
  ['session', 'missing', 'description was left out', session([order, amount, currency, password])],
  ['session', 'missing', 'password was left out', session([order, amount, currency, description])],
  ['session', 'upper', 'not uppercased', sha1(md5(right.join('')))],
  ['session', 'upper', 'lowercased', sha1(md5(right.join('').toLowerCase()))],
  [
    'session',
    'password-case',
    'left out of the uppercase step',
    sha1(md5([order, amount, currency, description].join('').toUpperCase() + password)),
  ],
  ['session', 'key', 'instead of the password', session([order, amount, currency, description, key])],
  ['session', 'key', 'included in the signed text', session([key, ...right])],
  ['session', 'password', 'an earlier password', session([order, amount, currency, description, earlier])],
  ['session', 'outer', 'missing', md5(right.join('').toUpperCase())],
  ['session', 'inner', 'converted to upper case', sha1(md5(right.join('').toUpperCase()).toUpperCase())],
  ['session', 'inner', 'bytes', hex('sha1', createHash('md5').update(right.join('').toUpperCase()).digest())],
  ['session', 'digest', 'Signed with SHA-256', sha1(hex('sha256', right.join('').toUpperCase()))],
  ['session', 'reverse', 'was reversed', sha1(md5(reversed(right.join('').toUpperCase())))],
  [
    'session',
    'spaces',
    'password was signed with a line break',
    session([order, amount, currency, description, `${password}\n`]),
  ],
  [
    'session',
    'encoding',
    'escaped for HTML',
    session([order, amount, currency, 'Gift card &amp; a &quot;bow&quot;', password]),
  ],
  ['session', 'encoding', 'URL-encoded', session([order, amount, currency, encodeURIComponent(description), password])],
  ['session', 'currency', 'as USD but sent as EUR', session([order, amount, 'USD', description, password])],
  ['session', 'description', 'Voucher', session([order, amount, currency, 'Voucher', password])],
  [
    'session',
    'extra',
    'channel_id was included in the signed text',
    session([order, amount, currency, description, 'shop-7', password]),
  ],
  ['session', 'algorithm', 'Only SHA-1', sha1(right.join('').toUpperCase())],
  ['card1', 'reverse', 'Nothing was reversed', first(mail, password, card)],
  ['card1', 'reverse', 'whole text', md5(reversed(mail + password + card).toUpperCase())],
  ['card1', 'reverse', 'email was not reversed', first(mail, password, reversed(card))],
  ['card1', 'reverse', 'password was reversed', first(reversed(mail), reversed(password), reversed(card))],
  ['card1', 'email', 'other@example.com', first(reversed('other@example.com'), password, reversed(card))],
  ['card1', 'card', 'last four digits before', first(reversed(mail), password, reversed('1111411111'))],
  ['card1', 'card', 'masked number', first(reversed(mail), password, reversed('411111******1111'))],
  ['card1', 'card', '5555554444', first(reversed(mail), password, reversed('5555554444'))],
  ['card1', 'missing', 'card number was left out', first(reversed(mail), password, '')],
  ['card1', 'outer', 'extra SHA-1', sha1(first(reversed(mail), password, reversed(card)))],
  ['card1', 'formula', 'formula 2', md5((reversed(mail) + password + trans + reversed(card)).toUpperCase())],
  ['card2', 'missing', 'transaction ID was left out', first(reversed(mail), password, reversed(card))],
  ['card2', 'order', 'different order', md5((reversed(mail) + trans + password + reversed(card)).toUpperCase())],
  [
    'apmSale',
    'reverse',
    'one by one',
    md5([identifier, order, amount, currency, password].map(reversed).join('').toUpperCase()),
  ],
  ['apmSale', 'reverse', 'Nothing', md5([identifier, order, amount, currency, password].join('').toUpperCase())],
  [
    'apmFollow',
    'password-case',
    'password was uppercased',
    md5(reversed(trans).toUpperCase() + password.toUpperCase()),
  ],
  ['apmFollow', 'upper', 'not uppercased', md5(reversed(trans) + password)],
  ['apmFollow', 'order', 'different order', md5(password + reversed(trans).toUpperCase())],
  ['apmCreditVoid', 'formula', 'CAPTURE', md5(reversed(trans).toUpperCase() + password)],
  [
    'apmCallback',
    'order',
    'different order',
    md5([...['SALE', trans, '10.00', 'two', 'one'].map(reversed), password].join('').toUpperCase()),
  ],
];

describe('mistakes made by hand', () => {
  it.each(mistakes)('%s: %s, %s', (recipe, id, message, hash) => {
    const { cause } = diagnose(question(recipe, hash));
    expect(cause?.id).toBe(id);
    expect(cause?.title).toContain(message);
  });

  it('finds a mistake combined with the wrong digest', () => {
    const hash = sha1(hex('sha256', [order, '10', currency, description, password].join('').toUpperCase()));
    const title = diagnose(question('session', hash)).cause?.title;
    expect(title).toBe('The amount was signed as 10 but sent as 10.00, and SHA-256 was used instead of MD5');
  });

  it.each([
    ['many values', 'apmCallback', { fields: Object.fromEntries([...Array(50).keys()].map((n) => [`f${n}`, 'x'])) }],
    ['long values', 'session', { description: 'x'.repeat(2000) }],
  ] as const)('are not looked for in %s, whose right hash is recognised', (_what, recipe, changes) => {
    const asked = { ...question(recipe, 'f'.repeat(32)), values: { ...values, ...changes } };
    expect(diagnose(asked)).toEqual({ right: false, recipe, cause: null, tried: [] });
    expect(diagnose({ ...asked, hash: sign(recipe, asked.values, { digest: 'md5' }) }).right).toBe(true);
  });

  it('never contains a password', () => {
    const everything = causes.flatMap((cause) =>
      names.flatMap((recipe) => cause.tries({ ...question(recipe, ''), recipe, layout: layOut(recipe, values) })),
    );
    const notice = everything.map(({ title, advice }) => `${title} ${advice}`).join('\n');
    expect(notice).not.toContain(password);
    expect(notice).not.toContain(earlier);
    expect(Object.keys(formulaNames)).toEqual(expect.arrayContaining(names));
  });
});

describe('an amount in other forms', () => {
  it.each([
    ['10.00', '10 10.0 10.000 10.0000 1000 10000 10,00'],
    ['10', '10.0 10.00 1000'],
    ['1234.50', '1234.5 1234.500 123450 1,234.50 1234,50'],
    ['0.05', '5 50 0.050 0,05'],
  ])('%s', (sent, others) => {
    expect(amountTexts(sent)).toEqual(expect.arrayContaining(others.split(' ')));
    expect(amountTexts(sent)).not.toContain(sent);
  });

  it.each([['ten'], [''], ['1e3'], ['-5']])('%s is none', (text) => {
    expect(amountTexts(text)).toEqual([]);
  });
});
