// Literal vectors, computed by Python's hashlib over manually composed bytes. The session row, the card5 row and the
// published vector were also computed by tr and openssl.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RecipeName, recipes, type SignatureValues, sign, signsRequest, verify } from './signatures.ts';

const values: SignatureValues = {
  password: 's3cret-Pass-é',
  payerEmail: 'zoë.Ünal@пример.рф',
  fragment: '4111111111',
  cardToken: '0a1B'.repeat(16),
  transId: '01935b3e-7c1f-7a60-9d2f-6f1c2b3a4d5e',
  paymentId: '01935b3e-0000-7a60-9d2f-abcdefabcdef',
  scheduleId: '9b2f6a34-0c7d-4d8e-8f0a-1b2c3d4e5f60',
  orderId: 'Bestellung-ß-42',
  amount: '84.50',
  currency: 'EUR',
  description: 'Café “Grün” ☕ crème brûlée',
  identifier: 'success@gmail.com',
  status: 'SETTLED',
  recurringInitTransId: '01935b3e-1111-7a60-9d2f-6f1c2b3a4d5e',
  recurringToken: 'Tok-ñ-77',
  // Signed in the order ARN, custom_data.A.list, custom_data.A.x, custom_data.b, status.
  fields: {
    status: 'SETTLED',
    hash: 'dropped',
    custom_data: { b: 'Grün', A: { x: 'ab', list: Array.from({ length: 11 }, (_, i) => `l${i}-é`) } },
    ARN: '',
  },
};

// recipe: MD5 and SHA-256 with upper case of ASCII letters only, then both with upper case of all letters.
const vectors = `
  card1              69ca179962aa231218b0778a07a4b424
                     67b1a5349d48718121e4810c4a6a645e606bdb28aff5915b05608f8eb794630c
                     5a7700157288f1c9418a92bdcc77a9f1
                     d414786512c3f90bf890e00a8b9dbd7c5254a0b2d01d7c9e14198971db8b6324
  card1Token         2109fa1611262537e2411fe51e814ed7
                     b1fde9b2bff54a205ee00e111898b3e0d1a6d2c6e8be4734d99920333fc1cff6
                     b2b062b097273c69f3df1651f28116ee
                     a7496bab11ac85a42a8f54c19db8f55be0b2d8ab866fc8e6b470086e2843b2e3
  card2              042dec0fa411fcc7e3d488c817cb3de8
                     36e4e1ac79a4fa57218e7e901e6f9e3c18823b478cc98a2d5bce2e44012770c1
                     a54a78bb48f622da0661a55ab0973d81
                     aa04470ffdde83fa644b10629e00f180681f4b94ab05de5bb148054851492149
  card3              ee493b11aa2ade2a46b8cbf3d1bc4768
                     086dea7fe0e71370bdb8137f826effb12ee839b9208b2268bbafd966a5a63ce6
                     aae9a1b115639de9b6371aff02ae28fb
                     966f5d8527004d8f79e995eeebd87610945d16229e891af282400e60225a21c7
  card4              8527c484f23c30d7a135270fde44cf35
                     93473c41693653ddee9cc96a57cd902e73e9bfbb0b6fcbf38ac13fe9c300a45b
                     03bc6d42f43fc12851c49840753865bc
                     61e1d047decf2fcea492959627110746c607a44cf37d38eb47f4231775ddb295
  card5              3d2808a15dff75a4e6d30b680edf4489
                     8f7cd6d451510cafa8c70d52dc1f53001dcb9fa54e1207586b35b9f06f108dc1
                     31f53e7e524022037eae535bba93dbd9
                     4daa3e022f367869362b89f22eb1059cf6745fed5eb67b557fcdcb794105894e
  card5Token         0641c0d62020a0ffb8881dbcef3f0a42
                     43a6ed33f8a602ee8b3c7db74d60ab70e3cc8d291afbfaf49dc80add931d338d
                     8142f4fe19cb8e772d8c226f36833d51
                     d0ba305f5d9b18dcb7a932b1f4929b175c61dc7919b5224362f758b5dfb8c90f
  card6              ff7d0395513001e8c0a75ee0245bc07c
                     055110f86e13723db7c035c0baa8ff97c56d17a8321ddb93d7900b5c15077cca
                     9756e9c3a6f4c74bf8e50397ab02f1cf
                     e1a42ba20e18b5fe407dfca74937fdecc0f345fbf0446db09fe9b3449bd24836
  card7              8e97509095fa35c0fd09b3e16c173731
                     1d65a0dc03ecf1cd74689d3e6015d04e4962d1a4d880fb2cb4267c9cfe3f5d74
                     44cde5d6ec938898aa4b3a7351f4e81a
                     532b63ef600bd45d884441043ff152631efd6831803b08202758cfe50e37615e
  card8              3501b652440ea8a87e9397feb387d7ca
                     554b027b55b3c7772a5484d8f0542689a588510138633f67d536f3b274fb2029
                     9df0cbabf1437aa30b27ecab8004bdbc
                     6f47228f4ee773e51f13ffe39e0fe4c92c3015393a4b3b7a9e581a4175c5c5b0
  apmSale            4e98b51bf6525ebd64d935e30a39f98c
                     e1c2924ac52f50f47abb2cecc1e6b22b51aab07af85f8ae88ae53aacf9e689fe
                     f9b13d617f1c71b75c7872a803d1b739
                     80747d9ae8949c6d21217da1925ff8d9aa348f0b639efc5c6d4ee54850e00bf8
  apmCreditVoid      d0fd1f2cfbb996bfb04347c88b2050cb
                     9a89680afc02f2dbf7d7fd94acd411cb214801338f0bd7eae029749ef5b3e573
                     4df088851eb605dcf232aa4cb1795193
                     b9d2b4fb76106ec3a92ebad56cd340d7cb6d17b5e7e1aa79952fe8a7eeadffe8
  apmFollow          59e9bc7e18492f456fd93eb63aef1041
                     4a0de7c95f806e0dd08efd076be5bdf2e887b67fa9338e7f0ebe0653a3a16e26
                     59e9bc7e18492f456fd93eb63aef1041
                     4a0de7c95f806e0dd08efd076be5bdf2e887b67fa9338e7f0ebe0653a3a16e26
  apmCredit          7c0e215cb8f9d59cb8c4c76933654d34
                     800c6d9659fe48c045acdb0cf2c8f4e8591b5fc5bae5b1acbc53fc7f9742f4f2
                     20a0a7b0ab19b779feb30b0f2ee79e89
                     0c02853f0f8a54c499a33f656898f0be58712aa075cc9d0198febc9100e33265
  apmCallback        6f201fa9ceae8e29a973708699f3d066
                     f45307119ba4ecb3d2dbbc89cad4073a235c1f8c1c21177455f259a1f3cab122
                     f7ac1d680a5490598448cecfd29bb2f9
                     c714cd71fadc636d7778967df5e7567b45e77eec50e342a1822dfc21685b1c7b
  apmCreditCallback  8d7d8496fa26f4b5e4a6d23e1f40593c
                     b0abad01502d8f26c10dbcec43ff54f2d4222180de7155652113b1ef6db7a43f
                     ee032e91549d6628dc82c90488b95981
                     091c53cdc203a7425daa9281fda65ede9b8d9b82c317f27ce2a0142ed376ab99
  apmCryptoCallback  620a6315e27640f5d6c85ff9572063b4
                     7502545c28b95700754c42e94bbdb094276a5b27ded361427444263e3b16b151
                     5866ac2594bbbae5777a6e446571acbb
                     49a207ab5933bb1895b181f3346cc4f0bf92d4eb75194da8c312ba4d2e7df489
  session            68cee36d06ca0375fd720875dacc4ae3226c9f89
                     db7d160b18751cef1851f21d6289efa278fb1d93
                     ba8f4c5dc619b9b1d0eaa55a0bf2cf8ddfd4c803
                     271e47344de78d8cd339ab9e636acf8de18a573e
  statusByPayment    a9135a91125e1c757ad0f8e76328a7d41f99c05c
                     78ee8500b2b56e93cff051ae16f34cfe6644e0dd
                     47e6e6914af6ea76d5f1900ba58d79ac3accc782
                     b2232413669ccdc09c794c2b7e24437938dce199
  statusByOrder      62f2fe2e60a709f5d7fed4d0aeff72a00c630063
                     dcaf3dafa0bde0958f14b52db68257b782f1a486
                     a764f2b2ad7616769ce08abb7639cd41d3f3f153
                     6818f89379c812bb8c7a67bc1707d01c3173a60f
  amountOfPayment    1d9e9aa3ab1304f102561046ff1038eaf8fa70cc
                     d4b8442b5334d0da014290c9d692374025faf0ca
                     416d33d51720b10745b17439a4e979cb886c707f
                     9a7ffbb97f53e5ae290cd6f0d9b9e93f0d10f640
  wholePayment       a9135a91125e1c757ad0f8e76328a7d41f99c05c
                     78ee8500b2b56e93cff051ae16f34cfe6644e0dd
                     47e6e6914af6ea76d5f1900ba58d79ac3accc782
                     b2232413669ccdc09c794c2b7e24437938dce199
  recurring          6c734a2742de2ba39b00238eada933d68cd1c7ed
                     369d5469c4822d942fed3399cff924473f86708a
                     302126d8084a2665c7628347d82c4c8ffd0ee740
                     af296da8393f2c9b2524ff45fc8b8c6719bf5ec6
  cardCredit         68cee36d06ca0375fd720875dacc4ae3226c9f89
                     db7d160b18751cef1851f21d6289efa278fb1d93
                     ba8f4c5dc619b9b1d0eaa55a0bf2cf8ddfd4c803
                     271e47344de78d8cd339ab9e636acf8de18a573e
  cardToken          e2e9f7c367edf76c36dfb19bea1b7cf702cea2b5
                     51a1cb9ef41068f3c19e41bc536007deb8a565aa
                     7f8a7c0be64c7774838fc1ab742b4bf2dba96bcf
                     2e0a74342dccee2a724a00d2f3555e3ea50975d6
  checkoutCallback   7c69cac994fae01a0f3b06e662c63994a8f84134
                     25ec829989dda89e63b448ffb87df8b01121ae2d
                     9fc79476213ba84cba4fe3dff2104eb05cbac317
                     208a18f936c013d8a4b451afa41aa334f4b0decd
`;

type Vector = { recipe: RecipeName; ascii: { md5: string; sha256: string }; unicode: { md5: string; sha256: string } };

const rows: Vector[] = vectors
  .trim()
  .split(/\n(?=\s*[a-z][A-Za-z]+[0-9]?[A-Za-z]* )/)
  .map((text) => {
    const [recipe, md5, sha256, wideMd5, wideSha256] = text.trim().split(/\s+/) as [RecipeName, ...string[]];
    return {
      recipe,
      ascii: { md5: md5 as string, sha256: sha256 as string },
      unicode: { md5: wideMd5 as string, sha256: wideSha256 as string },
    };
  });

const digests = ['md5', 'sha256'] as const;

describe('vectors', () => {
  test('there is a vector for every recipe', () => {
    expect(rows.map((row) => row.recipe).sort()).toEqual(Object.keys(recipes).sort());
  });

  test.each(rows)('$recipe', ({ recipe, ascii, unicode }) => {
    for (const digest of digests) {
      expect(sign(recipe, values, { digest })).toBe(ascii[digest]);
      expect(verify(recipe, values, ascii[digest], { digest })).toBe(true);
      expect(verify(recipe, values, unicode[digest], { digest })).toBe(true);
      expect(verify(recipe, values, ascii[digest].toUpperCase(), { digest })).toBe(true);
    }
    expect(verify(recipe, values, ascii.md5, { digest: 'sha256' })).toBe(false);
    expect(verify(recipe, values, ascii.sha256, { digest: 'md5' })).toBe(false);
  });

  test('the published one of formula 1', () => {
    const published = {
      password: '13a4822c5907ed235f3a068c76184fc3',
      payerEmail: 'doe@example.com',
      fragment: '4111111111',
    };
    expect(sign('card1', published, { digest: 'md5' })).toBe('2702ae0c4f99506dc29b5615ba9ee3c0');
  });
});

describe('terms', () => {
  const without = (...names: (keyof SignatureValues)[]) => {
    const rest = { ...values };
    for (const name of names) delete rest[name];
    return rest;
  };
  const md5 = (recipe: RecipeName, v: SignatureValues) => sign(recipe, v, { digest: 'md5' });

  test('an absent value is omitted, as if it were empty', () => {
    expect(md5('card2', without('payerEmail'))).toBe(md5('card6', values));
    expect(md5('card1', without('fragment'))).toBe(md5('card8', values));
    expect(md5('card7', without('fragment'))).toBe(md5('card7', { ...values, fragment: '' }));
    expect(md5('amountOfPayment', without('amount'))).toBe(md5('wholePayment', values));
  });

  test('a signature over several recipes is valid by any of them and by no other', () => {
    const given = md5('card1', values);
    expect(verify(['card2', 'card1'], values, given, { digest: 'md5' })).toBe(true);
    expect(verify(['card1', 'card2'], values, given, { digest: 'md5' })).toBe(true);
    expect(verify(['card2', 'card6'], values, given, { digest: 'md5' })).toBe(false);
    expect(verify([], values, given, { digest: 'md5' })).toBe(false);
  });

  test('the password changes every signature, and its case those that the contract names', () => {
    const exact = new Set<RecipeName>(['apmFollow', 'apmCredit', 'apmCreditCallback']);
    for (const recipe of Object.keys(recipes) as RecipeName[]) {
      const other = { ...values, password: 'another' };
      const louder = { ...values, password: 'S3CRET-PASS-é' };
      expect(md5(recipe, other), recipe).not.toBe(md5(recipe, values));
      expect(md5(recipe, louder) === md5(recipe, values), recipe).toBe(!exact.has(recipe));
    }
  });
});

describe('the callback of S2S APM', () => {
  const md5 = (fields: SignatureValues['fields']) => sign('apmCallback', { password: 'p', fields }, { digest: 'md5' });

  test('does not depend on the order of fields, nor on hash', () => {
    const shuffled = fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string());
    fc.assert(
      fc.property(shuffled, (fields) => {
        const backwards = Object.fromEntries(Object.entries(fields).reverse());
        expect(md5({ ...backwards, hash: 'x' })).toBe(md5({ hash: 'y', ...fields }));
      }),
    );
  });

  test('sorts a list by position, so that 10 follows 9', () => {
    const list = Array.from({ length: 12 }, (_, i) => `v${i}`);
    expect(md5({ list })).toBe(md5({ list: Object.fromEntries(list.entries()) }));
    expect(md5({ list })).not.toBe(md5({ list: [...list].sort() }));
  });

  test('omits null, and signs numbers and booleans as text', () => {
    expect(md5({ a: 1, b: true, c: null, d: undefined })).toBe(md5({ a: '1', b: 'true' }));
  });

  test('ignores hash at the top level only', () => {
    expect(md5({ custom_data: { hash: 'kept' } })).not.toBe(md5({ custom_data: {} }));
  });
});

describe('the received hash', () => {
  const valid = sign('session', values, { digest: 'md5' });

  test.each([
    '',
    'x',
    valid.slice(0, -1),
    valid.slice(0, -2),
    `${valid}00`,
    ` ${valid}`,
    `${valid}\n`,
    valid.replace(/^../, 'zz'),
    '0'.repeat(40),
    'f'.repeat(1_000_000),
  ])('%# is not a signature', (given) => {
    expect(verify('session', values, given, { digest: 'md5' })).toBe(false);
  });

  test('one changed digit makes it invalid', () => {
    for (let i = 0; i < valid.length; i += 1) {
      const digit = valid[i] === '0' ? '1' : '0';
      const spoiled = valid.slice(0, i) + digit + valid.slice(i + 1);
      expect(verify('session', values, spoiled, { digest: 'md5' })).toBe(false);
    }
  });

  test('a hash over a text that begins with a payment id, as in a return address, does not authorise a request', async () => {
    const id = '01a20621-bcbf-73ca-88d0-c0dd6cad4ff4';
    const order = { orderId: 'X-688f0e45', amount: '1.00', currency: 'USD', description: 'Gift' };
    const given = sign('checkoutCallback', { password: 'p', paymentId: id, ...order }, { digest: 'md5' });
    const recipes: string[] = [];
    const kindOf = async (each: string) => {
      recipes.push(each);
      return each === id ? ('payment' as const) : null;
    };
    const signs = (recipe: RecipeName, values: object, hash = given) =>
      signsRequest({ recipe, values: { password: 'p', ...values }, hash }, { digest: 'md5', kindOf });
    const behind = 'X-688f0e451.00USDGift';
    const forged: [RecipeName, object][] = [
      ['session', { ...order, orderId: id + order.orderId }],
      ['cardCredit', { ...order, orderId: id.toUpperCase() + order.orderId }],
      ['session', { orderId: id.slice(0, 28), amount: '6', currency: 'CAD', description: `4ff4${behind}` }],
      ['session', { orderId: id.slice(0, 28), amount: '6', currency: 'CAD', description: `4\ufb004${behind}` }],
      ['amountOfPayment', { paymentId: id, amount: behind }],
      ['statusByOrder', { orderId: id + behind }],
      [
        'recurring',
        { recurringInitTransId: id, recurringToken: 'X-68', orderId: '8f0e45', amount: '1.00', description: 'USDGift' },
      ],
    ];
    for (const [recipe, values] of forged) {
      expect(verify(recipe, { password: 'p', ...values }, given, { digest: 'md5' }), recipe).toBe(true);
      expect(await signs(recipe, values), recipe).toBe(false);
    }
    expect(new Set(recipes)).toEqual(new Set([id]));
    // Requests about the payment itself, and about ids of no payment, are still accepted.
    const ownOf = (recipe: RecipeName, values: object) =>
      signs(recipe, values, sign(recipe, { password: 'p', ...values }, { digest: 'md5' }));
    expect(await ownOf('amountOfPayment', { paymentId: id, amount: '1.00' })).toBe(true);
    expect(await ownOf('statusByPayment', { paymentId: id })).toBe(true);
    expect(await ownOf('session', { ...order, orderId: `${id.slice(0, 35)}0-2` })).toBe(true);
    expect(await ownOf('session', { ...order, orderId: id })).toBe(false);
    recipes.length = 0;
    expect(await ownOf('session', order)).toBe(true);
    expect(recipes).toEqual([]);
  });

  test('every signature verifies', () => {
    const text = fc.string({ unit: 'binary' });
    const any = fc.record({ password: text, payerEmail: text, fragment: text, transId: text, orderId: text });
    const recipe = fc.constantFrom(...(Object.keys(recipes) as RecipeName[]));
    fc.assert(
      fc.property(recipe, any, fc.constantFrom(...digests), (name, v, digest) => {
        expect(verify(name, v, sign(name, v, { digest }), { digest })).toBe(true);
      }),
    );
  });
});
