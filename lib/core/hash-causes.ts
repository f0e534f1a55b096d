// Why a hash is wrong, found by making the mistakes that people make and looking which of them gives the hash that came.
// Each row is one mistake: its name, the sentence that explains it, and what it does to the signed text. The text itself
// comes from the table of signatures, so that the recipe is never told in two ways.
import { createHash, createHmac } from 'node:crypto';
import { currencies } from './currencies';
import {
  type Digest,
  type Group,
  type Layout,
  layOut,
  type Part,
  type RecipeName,
  recipes,
  type SignatureValues,
  type SignedFields,
  signedBytes,
  verify,
} from './signatures';

/** What is to be explained: how the request has to be signed, and the hash that came. */
export type Question = {
  recipe: RecipeName | readonly RecipeName[];
  values: SignatureValues;
  digest: Digest;
  given: string;
  /** The merchant's key, which is taken for the password now and then. */
  key: string;
  /** Other passwords of the same merchant, with the words for them. */
  passwords?: readonly { password: string; what: string }[];
  /** What else the request and its payment say under the same names: another e-mail, another card. */
  others?: { readonly [name in keyof SignatureValues]?: readonly string[] };
  /** Fields of the request that are not signed, as somebody might have signed them. */
  unsigned?: readonly { name: string; text: string }[];
};

/** How the digest is made out of the text. */
type How = {
  digest: Digest | 'sha1' | 'sha512';
  outer: boolean;
  inner?: 'capitals' | 'bytes';
  latin1?: true;
  hmac?: string;
  base64?: true;
};

/** One wrong way to sign. `changed` names the parts in which its text differs. */
type Try = { title: string; advice: string; layout: Layout; how?: Partial<How>; changed?: readonly string[] };

/** A mistake. */
export type CauseRow = { id: string; name: string; tries: (question: Asked) => Try[] };

type Asked = Question & { recipe: RecipeName; layout: Layout };

/** The mistake that explains the hash. */
export type Cause = {
  id: string;
  name: string;
  title: string;
  advice: string;
  layout: Layout;
  changed: readonly string[];
};

export type Diagnosis = {
  /** The hash is right, and there is nothing to explain. */
  right: boolean;
  /** The recipe that the explanation goes by. */
  recipe: RecipeName;
  cause: Cause | null;
  /** Every mistake that could have been made here, in the order in which they were tried. */
  tried: { id: string; name: string; matches: boolean }[];
};

const everyPart = ({ groups }: Layout): readonly Part[] => groups.flatMap(({ parts }) => parts);
const textOf = (layout: Layout, name: string) => everyPart(layout).find((part) => part.name === name)?.text;

function mapParts(layout: Layout, change: (part: Part) => Part | null): Layout {
  const groups = layout.groups.map(({ parts, reversed }) => ({
    parts: parts.flatMap((part) => change(part) ?? []),
    reversed,
  }));
  return { ...layout, groups: groups.filter(({ parts }) => parts.length > 0) };
}

const withText = (layout: Layout, name: string, text: string) =>
  mapParts(layout, (part) => (part.name === name ? { ...part, text } : part));
const without = (layout: Layout, name: string) => mapParts(layout, (part) => (part.name === name ? null : part));
const withGroups = (layout: Layout, groups: readonly Group[]): Layout => ({ ...layout, groups });

/** `10.00` in the ways in which programs write it; never the text itself. */
export function amountTexts(sent: string): string[] {
  const [, whole = '', decimals = ''] = /^([0-9]+)(?:[.,]([0-9]+))?$/.exec(sent) ?? [];
  if (whole === '') return [];
  const bare = decimals.replace(/0+$/, '');
  const lengths = [0, 1, 2, 3, 4].filter((length) => length >= bare.length);
  const padded = lengths.map((length) => (length === 0 ? whole : `${whole}.${bare.padEnd(length, '0')}`));
  const minor = [2, 3, 0].map((length) =>
    (whole + decimals.padEnd(length, '0').slice(0, length)).replace(/^0+(?=.)/, ''),
  );
  const thousands = whole.replace(/\B(?=([0-9]{3})+$)/g, ',');
  const grouped = padded.map((text) => text.replace(whole, thousands));
  const commas = padded.map((text) => text.replace('.', ','));
  return [...new Set([...padded, ...minor, ...grouped, ...commas])].filter((text) => text !== sent);
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, place) =>
    permutations([...items.slice(0, place), ...items.slice(place + 1)]).map((rest) => [item, ...rest]),
  );
}

const partsMax = 6;

function orders(layout: Layout): Layout[] {
  if (everyPart(layout).length > partsMax) return [];
  const inner = layout.groups.map(({ parts, reversed }) =>
    permutations(parts).map((each) => ({ parts: each, reversed })),
  );
  const products = inner.reduce<Group[][]>(
    (made, ways) => made.flatMap((each) => ways.map((way) => [...each, way])),
    [[]],
  );
  return products.flatMap((groups) => permutations(groups).map((each) => withGroups(layout, each)));
}

/** The leaves of a callback in the order of the body, which is how somebody signs who does not sort. */
function unsortedLeaves(fields: SignedFields | undefined, path = 'fields'): string[] {
  return Object.entries(fields ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? unsortedLeaves(value as SignedFields, `${path}.${name}`)
      : [`${path}.${name}`],
  );
}

function leafOrders({ layout, values }: Asked): Layout[] {
  const leaves = layout.groups.filter(({ parts }) => parts[0]?.name.startsWith('fields.'));
  if (leaves.length === 0) return [];
  const rest = layout.groups.filter((each) => !leaves.includes(each));
  const place = new Map(unsortedLeaves(values.fields).map((name, at) => [name, at]));
  const at = (group: Group) => place.get(group.parts[0]?.name ?? '') ?? 0;
  const asSent = [...leaves].sort((one, other) => at(one) - at(other));
  return [[...asSent, ...rest], [...leaves].reverse().concat(rest), [...rest, ...leaves], [...rest, ...asSent]].map(
    (groups) => withGroups(layout, groups),
  );
}

const spaces = [
  [' ', 'a space'],
  ['\n', 'a line break'],
  ['\r\n', 'a line break'],
] as const;

const htmlEscapes: readonly (readonly [RegExp, string])[] = [
  [/&/g, '&amp;'],
  [/</g, '&lt;'],
  [/>/g, '&gt;'],
  [/"/g, '&quot;'],
  [/'/g, '&#039;'],
];
const escapedHtml = (text: string) => htmlEscapes.reduce((made, [from, to]) => made.replace(from, to), text);
const unescapedHtml = (text: string) =>
  htmlEscapes.reduceRight((made, [from, to]) => made.replaceAll(to, plainOf(from)), text);
const plainOf = (pattern: RegExp) => pattern.source;
const escapedJson = (text: string) =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Ways to write a text that is meant as another one. */
const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['URL-encoded', encodeURIComponent],
  ['form-encoded', (text) => new URLSearchParams({ '': text }).toString().slice(1)],
  ['escaped for HTML', escapedHtml],
  ['escaped for JSON', escapedJson],
  ['in its decoded form', decoded],
  ['in its unescaped form', unescapedHtml],
];

const cardTexts = (fragment: string): (readonly [string, string])[] => {
  const [first6, last4] = [fragment.slice(0, 6), fragment.slice(-4)];
  return [
    ['the last four digits before the first six', last4 + first6],
    ['the last four digits alone', last4],
    ['the first six digits alone', first6],
    ['the first four digits and the last four', first6.slice(0, 4) + last4],
    ...[4, 5, 6, 8, 9].map((stars) => ['the masked number', `${first6}${'*'.repeat(stars)}${last4}`] as const),
  ];
};

const isPassword = ({ parts }: Group) => parts.some(({ name }) => name === 'password');
const families: readonly RegExp[] = [/^card[1-8]/, /^apm(?!.*Callback$)/, /Callback$/];
const familyOf = (recipe: string) => families.findIndex((family) => family.test(recipe));

/** What a value is called where a sentence speaks of it. */
const words: { readonly [name: string]: string } = {
  password: 'password',
  payerEmail: 'e-mail',
  fragment: 'card number',
  cardToken: 'card token',
  transId: 'transaction id',
  paymentId: 'payment id',
  scheduleId: 'schedule id',
  orderId: 'order number',
  amount: 'amount',
  currency: 'currency',
  description: 'description',
  identifier: 'identifier',
  status: 'status',
  recurringInitTransId: "first payment's transaction id",
  recurringToken: 'recurring token',
};

/** The word for a part, `custom_data.a` for a leaf of a callback. */
export const wordOf = (name: string) => words[name] ?? name.replace(/^fields\./, '');

const digestNames = { md5: 'MD5', sha256: 'SHA-256' } as const;
const signSame =
  'Sign the same text that you put into the body: make it once, keep it as a text, use it in both places.';

/** Every mistake, the likeliest first: of two that give the same hash the first is named. */
export const causes: readonly CauseRow[] = [
  {
    id: 'amount',
    name: 'Amount written differently',
    tries: ({ layout }) =>
      amountTexts(textOf(layout, 'amount') ?? '').map((signed) => ({
        title: `The amount was signed as ${signed} but sent as ${textOf(layout, 'amount')}`,
        advice: `With ${signed} in place of ${textOf(layout, 'amount')} the received hash comes out exactly. ${signSame}`,
        layout: withText(layout, 'amount', signed),
        changed: ['amount'],
      })),
  },
  {
    id: 'digest',
    name: 'MD5 and SHA-256 mixed up',
    tries: ({ layout, digest }) => {
      const other = digest === 'md5' ? 'sha256' : 'md5';
      return [
        {
          title: `Signed with ${digestNames[other]}, but this mapping wants ${digestNames[digest]}`,
          advice: `Use ${digestNames[digest]}, or have the digest of the protocol mapping changed. The text that was signed is right.`,
          layout,
          how: { digest: other },
        },
      ];
    },
  },
  {
    id: 'outer',
    name: 'Outer SHA-1 missed or added',
    tries: ({ layout }) => [
      layout.outer
        ? {
            title: 'The outer SHA-1 is missing',
            advice: 'Checkout hashes twice: SHA-1 over the lower-case hex text of the first digest.',
            layout: { ...layout, outer: false },
          }
        : {
            title: 'There is a SHA-1 around the digest that does not belong here',
            advice: 'Only Checkout hashes twice. Send the digest of the text as it is.',
            layout: { ...layout, outer: true },
          },
    ],
  },
  {
    id: 'inner',
    name: 'First digest in capitals or as bytes',
    tries: ({ layout }) =>
      layout.outer
        ? [
            {
              title: 'The first digest was written in capitals before SHA-1',
              advice: 'Write the first digest in lower-case hex; SHA-1 is made over exactly that text.',
              layout,
              how: { inner: 'capitals' as const },
            },
            {
              title: 'SHA-1 was made over the bytes of the first digest',
              advice: 'SHA-1 is made over the hex text of the first digest, not over its bytes.',
              layout,
              how: { inner: 'bytes' as const },
            },
          ]
        : [],
  },
  {
    id: 'upper',
    name: 'Uppercase step skipped',
    tries: ({ layout }) => [
      {
        title: 'The text was not turned to capitals',
        advice: 'Turn the joined text to capitals before the digest.',
        layout: mapParts(layout, (part) => ({ ...part, upper: false })),
      },
      {
        title: 'The text was turned to small letters',
        advice: 'Turn the joined text to capitals, not to small letters, before the digest.',
        layout: mapParts(layout, (part) => ({ ...part, text: part.text.toLowerCase(), upper: false })),
      },
    ],
  },
  {
    id: 'password-case',
    name: 'Uppercase at the wrong place',
    tries: ({ layout }) => {
      const outside = everyPart(layout).some(({ name, upper }) => name === 'password' && !upper);
      return [
        {
          title: outside ? 'The password was turned to capitals' : 'The password was left out of the capitals',
          advice: outside
            ? 'Here the password stands behind the capitals: it goes in as it is.'
            : 'Here the password is part of the text that is turned to capitals.',
          layout: mapParts(layout, (part) => (part.name === 'password' ? { ...part, upper: outside } : part)),
          changed: ['password'],
        },
        {
          title: 'Only the password was turned to capitals',
          advice: outside
            ? 'Turn all but the password to capitals.'
            : 'Turn the whole joined text to capitals, not the password alone.',
          layout: mapParts(layout, (part) => ({ ...part, upper: part.name === 'password' })),
        },
      ];
    },
  },
  {
    id: 'reverse',
    name: 'Reverse step skipped or misplaced',
    tries: ({ layout }) => {
      const { groups } = layout;
      const as = (title: string, advice: string, changed: readonly Group[]): Try => ({
        title,
        advice,
        layout: withGroups(layout, changed),
      });
      const whole = { parts: groups.flatMap(({ parts }) => parts), reversed: true };
      if (!groups.some(({ reversed }) => reversed)) {
        return [
          as('The text was reversed', 'Nothing is reversed in this formula: join the values as they are.', [whole]),
        ];
      }
      const alone = (group: Group) =>
        group.reversed ? group.parts.map((part) => ({ parts: [part], reversed: true })) : [group];
      const skipped = groups.map((group) => ({ ...group, reversed: false }));
      const ones = groups.flatMap((group, place) =>
        group.reversed
          ? [
              as(
                `The ${wordOf(group.parts[0]?.name ?? '')} was not reversed`,
                'Reverse each value that the formula says, and the others not.',
                groups.map((each, at) => (at === place ? { ...each, reversed: false } : each)),
              ),
            ]
          : [],
      );
      return [
        as('Nothing was reversed', 'Reverse what the formula says before you join the values.', skipped),
        as('The whole text was reversed', 'Reverse the values that the formula says, not the joined text.', [whole]),
        as(
          'The values were reversed one by one',
          'Join the values first and reverse the joined text.',
          groups.flatMap(alone),
        ),
        as(
          'The password was reversed as well',
          'The password goes in as it is here.',
          groups.map((group) => (isPassword(group) ? { ...group, reversed: true } : group)),
        ),
        ...(groups.length > partsMax ? [] : ones),
      ];
    },
  },
  {
    id: 'key',
    name: 'Key used as password',
    tries: ({ layout, key }) => [
      {
        title: 'The key was used in place of the password',
        advice:
          'Sign with the password that belongs to the key. Both stand beside one another in the settings of the keys.',
        layout: withText(layout, 'password', key),
        changed: ['password'],
      },
      ...layout.groups.map((_, place) => ({
        title: 'The key was signed along',
        advice: 'The key goes into the body only. The signed text has no place for it.',
        layout: withGroups(layout, [
          ...layout.groups.slice(0, place),
          { parts: [{ name: 'key', text: key, upper: true }], reversed: false },
          ...layout.groups.slice(place),
        ]),
      })),
    ],
  },
  {
    id: 'password',
    name: 'Password of another key',
    tries: ({ layout, passwords = [] }) =>
      passwords.map(({ password, what }) => ({
        title: `Signed with ${what}`,
        advice: 'Each key has a password of its own. Sign with the password of the key that stands in the body.',
        layout: withText(layout, 'password', password),
        changed: ['password'],
      })),
  },
  {
    id: 'missing',
    name: 'A field left out or empty',
    tries: ({ layout }) =>
      everyPart(layout).map(({ name }) => ({
        title: `The ${wordOf(name)} was left out`,
        advice: `Without the ${wordOf(name)} the received hash comes out exactly. It was missing or empty when the text was joined.`,
        layout: without(layout, name),
        changed: [name],
      })),
  },
  {
    id: 'order',
    name: 'Fields in another order',
    tries: (asked) =>
      [...orders(asked.layout), ...leafOrders(asked)].map((layout) => ({
        title: 'The values were joined in another order',
        advice: 'Join the values in the order shown. The order of the fields in the body does not matter.',
        layout,
      })),
  },
  {
    id: 'formula',
    name: 'Formula of another action',
    tries: ({ recipe, values, others = {} }) => {
      const more = Object.entries(others).flatMap(([name, texts]) =>
        texts?.[0] === undefined ? [] : [[name, texts[0]]],
      );
      const all = { ...Object.fromEntries(more), ...values } as SignatureValues;
      const names = (Object.keys(recipes) as RecipeName[]).filter(
        (name) => name !== recipe && familyOf(name) === familyOf(recipe),
      );
      return names.map((name) => ({
        title: `Signed by the formula for ${formulaNames[name]}`,
        advice: 'Every action has a formula of its own. Sign this one as shown.',
        layout: layOut(name, all),
      }));
    },
  },
  {
    id: 'spaces',
    name: 'A space or line break signed along',
    tries: ({ layout }) =>
      everyPart(layout).flatMap(({ name, text }) => {
        const as = (signed: string, title: string) => ({
          title,
          advice: 'Trim the value once, when it comes in, and use the trimmed text for the body and for the hash.',
          layout: withText(layout, name, signed),
          changed: [name],
        });
        const trimmed =
          text.trim() === text ? [] : [as(text.trim(), `The ${wordOf(name)} was signed without the blanks around it`)];
        return [
          ...trimmed,
          ...spaces.map(([blank, word]) => as(text + blank, `The ${wordOf(name)} was signed with ${word} behind it`)),
          as(` ${text}`, `The ${wordOf(name)} was signed with a space before it`),
        ];
      }),
  },
  {
    id: 'email',
    name: 'Another e-mail',
    tries: ({ layout, others = {} }) => otherValues(layout, 'payerEmail', others.payerEmail, 'The e-mail'),
  },
  {
    id: 'card',
    name: 'Other digits of the card',
    tries: ({ layout, others = {} }) => {
      const fragment = textOf(layout, 'fragment');
      if (fragment === undefined) return [];
      const shapes = cardTexts(fragment).map(([what, signed]) => ({
        title: `Of the card ${what} ${what.includes('digits') ? 'were' : 'was'} signed`,
        advice: 'Take the first six digits of the card number and then its last four, ten digits in all.',
        layout: withText(layout, 'fragment', signed),
        changed: ['fragment'],
      }));
      return [...shapes, ...otherValues(layout, 'fragment', others.fragment, 'The card')];
    },
  },
  {
    id: 'encoding',
    name: 'Text encoded before signing',
    tries: ({ layout }) => {
      const open = everyPart(layout).filter(({ name }) => name !== 'password');
      const each = encodings.flatMap(([how, encode]) =>
        open.map(({ name, text }) => ({
          title: `The ${wordOf(name)} was signed ${how}`,
          advice: 'Sign the plain text. Encode it afterwards, once, when you put it into the body.',
          layout: withText(layout, name, encode(text)),
          changed: [name],
        })),
      );
      const all = encodings.map(([how, encode]) => ({
        title: `The values were signed ${how}`,
        advice: 'Sign the plain texts. Encode them afterwards, once, when you put them into the body.',
        layout: mapParts(layout, (part) => (part.name === 'password' ? part : { ...part, text: encode(part.text) })),
        changed: open.map(({ name }) => name),
      }));
      const latin = {
        title: 'The text was signed in Latin-1',
        advice: 'Sign the text in UTF-8, as the body is sent.',
        layout,
        how: { latin1: true as const },
      };
      return [...each, ...all, latin];
    },
  },
  {
    id: 'currency',
    name: 'Another currency',
    tries: ({ layout }) => {
      const sent = textOf(layout, 'currency');
      if (sent === undefined) return [];
      return Object.keys(currencies)
        .filter((code) => code !== sent)
        .map((code) => ({
          title: `The currency was signed as ${code} but sent as ${sent}`,
          advice: signSame,
          layout: withText(layout, 'currency', code),
          changed: ['currency'],
        }));
    },
  },
  {
    id: 'description',
    name: 'Another description',
    tries: ({ layout, others = {} }) => {
      const sent = textOf(layout, 'description');
      if (sent === undefined) return [];
      const cuts = [32, 40, 50, 64, 100, 128, 200, 255].map((length) => sent.slice(0, length));
      const shapes = [
        sent.replace(/\s+/g, ' '),
        sent.replace(/\s+/g, ''),
        sent.replace(/<[^>]*>/g, ''),
        sent.normalize('NFC'),
        sent.normalize('NFD'),
      ];
      const known = others.description ?? [];
      return otherValues(layout, 'description', [...known, ...shapes, ...cuts], 'The description');
    },
  },
  {
    id: 'other',
    name: 'Another value of the same field',
    tries: ({ layout, others = {} }) =>
      everyPart(layout).flatMap(({ name }) => {
        const known = others[name as keyof SignatureValues];
        return otherValues(layout, name, known, `The ${wordOf(name)}`);
      }),
  },
  {
    id: 'extra',
    name: 'A field signed that is not signed',
    tries: ({ layout, unsigned = [] }) =>
      unsigned.flatMap(({ name, text }) =>
        [...layout.groups.keys(), layout.groups.length].map((place) => ({
          title: `${name} was signed along`,
          advice: 'The formula has no place for this field. Leave it out of the signed text; it stays in the body.',
          layout: withGroups(layout, [
            ...layout.groups.slice(0, place),
            { parts: [{ name: `also ${name}`, text, upper: true }], reversed: false },
            ...layout.groups.slice(place),
          ]),
        })),
      ),
  },
  {
    id: 'algorithm',
    name: 'Another way of hashing',
    tries: ({ layout, values, digest }) => {
      const as = (title: string, how: Partial<How>, shape = layout): Try => ({
        title,
        advice: `Make ${digestNames[digest]} over the text${layout.outer ? ', and SHA-1 over its hex text' : ''}, and send it as hex.`,
        layout: shape,
        how,
      });
      const bare = { ...layout, outer: false };
      return [
        as('Only SHA-1 was used', { digest: 'sha1' }, bare),
        as('SHA-512 was used', { digest: 'sha512' }, bare),
        as('SHA-512 was used', { digest: 'sha512' }),
        as('The digest was sent in base64', { base64: true }),
        as('The first digest was sent in base64', { base64: true }, bare),
        as('A keyed hash (HMAC) was made', { hmac: values.password }, without(bare, 'password')),
        as('A keyed hash (HMAC) was made', { hmac: values.password }, bare),
      ];
    },
  },
];

function otherValues(layout: Layout, name: string, texts: readonly string[] | undefined, what: string): Try[] {
  const sent = textOf(layout, name);
  return [...new Set(texts ?? [])]
    .filter((text) => sent !== undefined && text !== sent)
    .map((text) => ({
      title: `${what} was signed as ${text}, where ${sent} counts`,
      advice: 'The value shown is the one that the formula is made over.',
      layout: withText(layout, name, text),
      changed: [name],
    }));
}

/** What each formula is for, in words that follow "the formula for". */
export const formulaNames: Readonly<Record<RecipeName, string>> = {
  card1: 'charges by card (formula 1)',
  card1Token: 'charges by card token (formula 1)',
  card2: 'follow-ups of a payment (formula 2)',
  card3: 'CREATE_SCHEDULE (formula 3)',
  card4: 'schedules (formula 4)',
  card5: 'CREDIT2CARD (formula 5)',
  card5Token: 'CREDIT2CARD by card token (formula 5)',
  card6: 'follow-ups without an e-mail (formula 6)',
  card7: 'GET_TRANS_STATUS_BY_ORDER (formula 7)',
  card8: 'wallet payments (formula 8)',
  apmSale: 'SALE and DEBIT2VIRTUAL',
  apmCreditVoid: 'CREDITVOID',
  apmFollow: 'CAPTURE, VOID and GET_TRANS_STATUS',
  apmCredit: 'CREDIT2VIRTUAL and CREDIT2CRYPTO',
  apmCallback: 'callbacks of S2S APM',
  apmCreditCallback: 'callbacks of payouts of S2S APM',
  apmCryptoCallback: 'callbacks of payments in coins',
  session: 'sessions',
  statusByPayment: 'payment/status by payment_id',
  statusByOrder: 'payment/status by order_id',
  amountOfPayment: 'payment/refund and payment/capture',
  wholePayment: 'payment/void and payment/retry',
  recurring: 'payment/recurring',
  cardCredit: 'payment/card/credit',
  cardToken: 'card_token/remove',
  checkoutCallback: 'callbacks of Checkout',
};

/** The hash, in hex or base64, that a way of signing gives. */
function made({ layout, how = {} }: Pick<Try, 'layout' | 'how'>, digest: Digest, reading: 'ascii' | 'unicode'): string {
  const algorithm = how.digest ?? digest;
  const bytes = signedBytes(layout, reading);
  // Latin-1 has one byte for what the text has one character for.
  const text = how.latin1 ? Buffer.from(bytes.toString('utf8'), 'latin1') : bytes;
  const inner =
    how.hmac === undefined
      ? createHash(algorithm).update(text).digest()
      : createHmac(algorithm, how.hmac).update(text).digest();
  const hex = inner.toString('hex');
  const between = how.inner === 'bytes' ? inner : how.inner === 'capitals' ? hex.toUpperCase() : hex;
  const out = layout.outer ? createHash('sha1').update(between).digest() : inner;
  return out.toString(how.base64 ? 'base64' : 'hex');
}

/** The right hash in lower-case hex, with what stands between the text and it. */
export function digestsOf(layout: Layout, digest: Digest): { inner: string; outer: string | null } {
  const inner = made({ layout: { ...layout, outer: false } }, digest, 'ascii');
  return { inner, outer: layout.outer ? made({ layout }, digest, 'ascii') : null };
}

/** Every hash of one way to sign: both readings of capitals where they differ. */
function hashesOf(tried: Pick<Try, 'layout' | 'how'>, digest: Digest): string[] {
  const isAscii = everyPart(tried.layout).every(({ text }) => !/[\u0080-\uffff]/.test(text));
  const readings = isAscii ? (['ascii'] as const) : (['ascii', 'unicode'] as const);
  return readings.map((reading) => made(tried, digest, reading));
}

/**
 * Explains a hash. Where several recipes are accepted, the first that a mistake fits to is meant. Two mistakes at once
 * are found where one of them is the digest.
 */
export function diagnose(question: Question): Diagnosis {
  const names = typeof question.recipe === 'string' ? [question.recipe] : question.recipe;
  const { values, digest } = question;
  const first = names[0] as RecipeName;
  const givenTrimmed = question.given.trim();
  const right = verify(names, values, question.given, { digest });
  if (right) {
    const recipe = names.find((name) => verify(name, values, question.given, { digest })) ?? first;
    return { right, recipe, cause: null, tried: [] };
  }
  const given = /^[0-9a-f]+$/i.test(givenTrimmed) ? givenTrimmed.toLowerCase() : givenTrimmed;
  for (const both of [false, true]) {
    for (const recipe of names) {
      const found = search({ ...question, recipe, layout: layOut(recipe, values), given }, both);
      if (found.cause) return { right, recipe, ...found };
    }
  }
  const { tried } = search({ ...question, recipe: first, layout: layOut(first, values), given }, false);
  return { right, recipe: first, cause: null, tried };
}

function search(asked: Asked, otherDigest: boolean): Pick<Diagnosis, 'cause' | 'tried'> {
  const other = asked.digest === 'md5' ? 'sha256' : 'md5';
  const digest = otherDigest ? other : asked.digest;
  // What gives the right hash is no mistake here.
  const known = new Set(hashesOf({ layout: asked.layout }, asked.digest));
  let cause: Cause | null = null;
  const tried: Diagnosis['tried'] = [];
  for (const { id, name, tries } of causes) {
    let applies = false;
    let matches = false;
    for (const each of tries(asked)) {
      const hashes = hashesOf(each, digest);
      if (hashes.every((hash) => known.has(hash))) continue;
      applies = true;
      for (const hash of hashes) known.add(hash);
      if (cause || !hashes.includes(asked.given)) continue;
      matches = true;
      const { title, advice, layout, changed = [] } = each;
      const also = otherDigest ? `, and ${digestNames[other]} was used in place of ${digestNames[asked.digest]}` : '';
      cause = { id, name, title: title + also, advice, layout, changed };
    }
    if (applies) tried.push({ id, name, matches });
  }
  return { cause, tried };
}
