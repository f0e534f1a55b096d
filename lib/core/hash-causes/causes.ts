// Every mistake in signing, as one table: its name, its explanation and its effect on the signed text.

import { currencies } from '../currencies.ts';
import { type Digest, layOut, type RecipeName, recipes, type SignatureValues } from '../signatures.ts';
import {
  type Candidate,
  everyPart,
  type Group,
  type HashVariant,
  isPassword,
  type Layout,
  leafOrders,
  mapParts,
  orders,
  partsMax,
  type ResolvedQuestion,
  textOf,
  withInserted,
  without,
  withText,
} from './layouts.ts';
import { amountTexts, cardTexts, digestNames, encodings, fieldLabel, formulaNames, spaces } from './texts.ts';

type CauseRow = { id: string; name: string; tries: (question: ResolvedQuestion) => Candidate[] };

const families: readonly RegExp[] = [/^card[1-8]/, /^apm(?!.*Callback$)/, /Callback$/];
const familyOf = (recipe: string) => families.findIndex((family) => family.test(recipe));

const signSame = 'Sign the same text that you put into the body: create it once as a string and use it in both places.';

/** A way to sign another text in place of one value. */
const valueAs = (layout: Layout, name: string, text: string, title: string, advice: string): Candidate => ({
  title,
  advice,
  layout: withText(layout, name, text),
  changed: [name],
});

/** The ways to sign one of `texts` instead of the correct value. */
function otherValues(layout: Layout, name: string, texts: readonly string[] = [], what = `The ${name}`): Candidate[] {
  const sent = textOf(layout, name);
  return [...new Set(texts)]
    .filter((text) => sent !== undefined && text !== sent)
    .map((text) => {
      const title = `${what} was signed as ${text} instead of ${sent}`;
      return valueAs(layout, name, text, title, 'The formula uses the value shown.');
    });
}

const otherDigestOf = (digest: Digest): Digest => (digest === 'md5' ? 'sha256' : 'md5');

/** A mistake in hashing a correct text. */
const hashedAs = (layout: Layout, how: Partial<HashVariant>, title: string, advice: string): Candidate => ({
  title,
  advice,
  layout,
  how,
});

function misplacedCapitals({ layout }: ResolvedQuestion): Candidate[] {
  const outside = everyPart(layout).some(({ name, upper }) => name === 'password' && !upper);
  return [
    {
      title: outside ? 'The password was uppercased' : 'The password was left out of the uppercase step',
      advice: outside
        ? 'In this formula the password is appended after the uppercase step, without change.'
        : 'In this formula the password is part of the text that is converted to upper case.',
      layout: mapParts(layout, (part) => (part.name === 'password' ? { ...part, upper: outside } : part)),
      changed: ['password'],
    },
    {
      title: 'Only the password was uppercased',
      advice: outside
        ? 'Convert everything except the password to upper case.'
        : 'Convert the whole joined text to upper case, not only the password.',
      layout: mapParts(layout, (part) => ({ ...part, upper: part.name === 'password' })),
    },
  ];
}

function misplacedReverse({ layout }: ResolvedQuestion): Candidate[] {
  const { groups } = layout;
  const as = (title: string, advice: string, changed: readonly Group[]): Candidate => ({
    title,
    advice,
    layout: { ...layout, groups: changed },
  });
  const whole = { parts: everyPart(layout), reversed: true };
  if (!groups.some(({ reversed }) => reversed)) {
    return [as('The text was reversed', 'This formula reverses nothing: join the values without change.', [whole])];
  }
  const oneByOne = groups.flatMap((group) =>
    group.reversed ? group.parts.map((part) => ({ parts: [part], reversed: true })) : [group],
  );
  const skipped = (which: (group: Group) => boolean) =>
    groups.map((group) => (which(group) ? { ...group, reversed: false } : group));
  const singles = groups
    .filter(({ reversed }) => reversed)
    .map((one) => {
      const title = `The ${fieldLabel(one.parts[0]?.name ?? '')} was not reversed`;
      return as(
        title,
        'Reverse only the values that the formula reverses.',
        skipped((group) => group === one),
      );
    });
  const password = groups.map((group) => (isPassword(group) ? { ...group, reversed: true } : group));
  return [
    as(
      'Nothing was reversed',
      'Reverse the values that the formula reverses before you join them.',
      skipped(() => true),
    ),
    as('The whole text was reversed', 'Reverse the single values as in the formula, not the joined text.', [whole]),
    as('The values were reversed one by one', 'Join the values first and reverse the joined text.', oneByOne),
    as('The password was reversed too', 'In this formula the password is not reversed.', password),
    ...(groups.length > partsMax ? [] : singles),
  ];
}

function otherFormula({ recipe, values, others = {} }: ResolvedQuestion): Candidate[] {
  const more = Object.entries(others).flatMap(([name, texts]) => (texts?.[0] === undefined ? [] : [[name, texts[0]]]));
  const all = { ...Object.fromEntries(more), ...values } as SignatureValues;
  const names = (Object.keys(recipes) as RecipeName[]).filter(
    (name) => name !== recipe && familyOf(name) === familyOf(recipe),
  );
  return names.map((name) => ({
    title: `Signed with the formula for ${formulaNames[name]}`,
    advice: 'Every action has its own formula. Sign this one as shown.',
    layout: layOut(name, all),
  }));
}

function signedSpaces({ layout }: ResolvedQuestion): Candidate[] {
  const advice = 'Trim the value once when you receive it, and use the trimmed text for the body and for the hash.';
  return everyPart(layout).flatMap(({ name, text }) => {
    const as = (signed: string, how: string) =>
      valueAs(layout, name, signed, `The ${fieldLabel(name)} was signed ${how}`, advice);
    return [
      ...(text.trim() === text ? [] : [as(text.trim(), 'without its leading and trailing spaces')]),
      ...spaces.map(([blank, word]) => as(text + blank, `with ${word} at its end`)),
      as(` ${text}`, 'with a leading space'),
    ];
  });
}

function encodedText({ layout }: ResolvedQuestion): Candidate[] {
  const open = everyPart(layout).filter(({ name }) => name !== 'password');
  const each = encodings.flatMap(([how, encode]) =>
    open.map(({ name, text }) => {
      const advice = 'Sign the plain text. Encode it afterwards, once, when you build the body.';
      return valueAs(layout, name, encode(text), `The ${fieldLabel(name)} was signed ${how}`, advice);
    }),
  );
  const all = encodings.map(([how, encode]) => ({
    title: `The values were signed ${how}`,
    advice: 'Sign the plain texts. Encode them afterwards, once, when you build the body.',
    layout: mapParts(layout, (part) => (part.name === 'password' ? part : { ...part, text: encode(part.text) })),
    changed: open.map(({ name }) => name),
  }));
  const latin1 = hashedAs(
    layout,
    { latin1: true },
    'The text was signed in Latin-1',
    'Sign the text in UTF-8, as the body is sent.',
  );
  return [...each, ...all, latin1];
}

function otherCard({ layout, others }: ResolvedQuestion): Candidate[] {
  const fragment = textOf(layout, 'fragment');
  if (fragment === undefined) return [];
  const advice = 'Use the first six digits of the card number followed by its last four, ten digits in all.';
  const shapes = cardTexts(fragment).map(([what, signed]) =>
    valueAs(layout, 'fragment', signed, `Signed with ${what} of the card`, advice),
  );
  return [...shapes, ...otherValues(layout, 'fragment', others?.fragment, 'The card')];
}

function otherDescription({ layout, others }: ResolvedQuestion): Candidate[] {
  const sent = textOf(layout, 'description') ?? '';
  const cuts = [32, 40, 50, 64, 100, 128, 200, 255].map((length) => sent.slice(0, length));
  const shapes = [
    sent.replace(/\s+/g, ' '),
    sent.replace(/\s+/g, ''),
    sent.replace(/<[^<>]*>/g, ''),
    sent.normalize('NFC'),
    sent.normalize('NFD'),
  ];
  return otherValues(layout, 'description', [...(others?.description ?? []), ...shapes, ...cuts]);
}

function otherAlgorithm({ layout, values, digest }: ResolvedQuestion): Candidate[] {
  const advice = `Compute ${digestNames[digest]} of the text${layout.outer ? ', then SHA-1 of its hex text' : ''}, and send it as hex.`;
  const bare = { ...layout, outer: false };
  const hmac = { hmac: values.password };
  return [
    hashedAs(bare, { digest: 'sha1' }, 'Only SHA-1 was used', advice),
    hashedAs(bare, { digest: 'sha512' }, 'SHA-512 was used', advice),
    hashedAs(layout, { digest: 'sha512' }, 'SHA-512 was used', advice),
    hashedAs(layout, { base64: true }, 'The digest was sent in base64', advice),
    hashedAs(bare, { base64: true }, 'The first digest was sent in base64', advice),
    hashedAs(without(bare, 'password'), hmac, 'A keyed hash (HMAC) was used', advice),
    hashedAs(bare, hmac, 'A keyed hash (HMAC) was used', advice),
  ];
}

/** Every mistake, the most likely first: of two with the same hash the first is named. */
export const causes: readonly CauseRow[] = [
  {
    id: 'amount',
    name: 'Amount formatted differently',
    tries: ({ layout }) => {
      const sent = textOf(layout, 'amount') ?? '';
      return amountTexts(sent).map((signed) => {
        const advice = `With ${signed} in place of ${sent} the received hash comes out exactly. ${signSame}`;
        return valueAs(layout, 'amount', signed, `The amount was signed as ${signed} but sent as ${sent}`, advice);
      });
    },
  },
  {
    id: 'digest',
    name: 'MD5 and SHA-256 mixed up',
    tries: ({ layout, digest }) => {
      const other = otherDigestOf(digest);
      const title = `Signed with ${digestNames[other]}, but this mapping requires ${digestNames[digest]}`;
      const advice = `Use ${digestNames[digest]}, or have the digest of the protocol mapping changed. The signed text is right.`;
      return [hashedAs(layout, { digest: other }, title, advice)];
    },
  },
  {
    id: 'outer',
    name: 'Outer SHA-1 missed or added',
    tries: ({ layout: { groups, outer } }) => [
      {
        title: outer ? 'The outer SHA-1 is missing' : 'An extra SHA-1 was applied to the digest',
        advice: outer
          ? 'Checkout hashes twice: SHA-1 of the lower-case hex text of the first digest.'
          : 'Only Checkout hashes twice. Send the digest of the text.',
        layout: { groups, outer: !outer },
      },
    ],
  },
  {
    id: 'inner',
    name: 'First digest in upper case or as bytes',
    tries: ({ layout }) => {
      const capitals = 'Write the first digest in lower-case hex; SHA-1 is computed over exactly that text.';
      const bytes = 'Compute SHA-1 over the hex text of the first digest, not over its bytes.';
      if (!layout.outer) return [];
      return [
        hashedAs(layout, { inner: 'capitals' }, 'The first digest was converted to upper case before SHA-1', capitals),
        hashedAs(layout, { inner: 'bytes' }, 'SHA-1 was computed over the bytes of the first digest', bytes),
      ];
    },
  },
  {
    id: 'upper',
    name: 'Uppercase step skipped',
    tries: ({ layout }) => [
      {
        title: 'The string was not uppercased',
        advice: 'Convert the joined text to upper case before the digest.',
        layout: mapParts(layout, (part) => ({ ...part, upper: false })),
      },
      {
        title: 'The string was lowercased',
        advice: 'Convert the joined text to upper case, not to lower case, before the digest.',
        layout: mapParts(layout, (part) => ({ ...part, text: part.text.toLowerCase(), upper: false })),
      },
    ],
  },
  { id: 'password-case', name: 'Uppercase in the wrong place', tries: misplacedCapitals },
  { id: 'reverse', name: 'Reverse step skipped or misplaced', tries: misplacedReverse },
  {
    id: 'key',
    name: 'Key used as password',
    tries: ({ layout, key }) => {
      const advice =
        "Sign with the password that belongs to the key. Both are shown on the page of the merchant's keys.";
      const inserted = withInserted(layout, 'key', key).slice(0, -1);
      return [
        valueAs(layout, 'password', key, 'The key was used instead of the password', advice),
        ...inserted.map((each) => ({
          title: 'The key was included in the signed text',
          advice: 'The key is sent in the body only. It is not part of the signed text.',
          layout: each,
        })),
      ];
    },
  },
  {
    id: 'password',
    name: 'Password of another key',
    tries: ({ layout, passwords = [] }) => {
      const advice = 'Each key has its own password. Sign with the password of the key in the body.';
      return passwords.map(({ password, what }) =>
        valueAs(layout, 'password', password, `Signed with ${what}`, advice),
      );
    },
  },
  {
    id: 'missing',
    name: 'Missing or empty field',
    tries: ({ layout }) =>
      everyPart(layout).map(({ name }) => ({
        title: `The ${fieldLabel(name)} was left out`,
        advice: `Without the ${fieldLabel(name)} the text gives exactly the received hash. It was missing or empty when the text was joined.`,
        layout: without(layout, name),
        changed: [name],
      })),
  },
  {
    id: 'order',
    name: 'Fields in a different order',
    tries: (question) =>
      [...orders(question.layout), ...leafOrders(question)].map((layout) => ({
        title: 'The values were joined in a different order',
        advice: 'Join the values in the order shown. The order of the fields in the body does not matter.',
        layout,
      })),
  },
  { id: 'formula', name: 'Formula of a different action', tries: otherFormula },
  { id: 'spaces', name: 'Space or line break in the signed text', tries: signedSpaces },
  {
    id: 'email',
    name: 'Different email',
    tries: ({ layout, others }) => otherValues(layout, 'payerEmail', others?.payerEmail, 'The email'),
  },
  { id: 'card', name: 'Wrong card digits', tries: otherCard },
  { id: 'encoding', name: 'Text encoded before signing', tries: encodedText },
  {
    id: 'currency',
    name: 'Different currency',
    tries: ({ layout }) => {
      const sent = textOf(layout, 'currency');
      const codes = sent === undefined ? [] : Object.keys(currencies).filter((code) => code !== sent);
      return codes.map((code) =>
        valueAs(layout, 'currency', code, `The currency was signed as ${code} but sent as ${sent}`, signSame),
      );
    },
  },
  { id: 'description', name: 'Different description', tries: otherDescription },
  {
    id: 'other',
    name: 'Different value of the same field',
    tries: ({ layout, others }) =>
      everyPart(layout).flatMap(({ name }) =>
        otherValues(layout, name, others?.[name as keyof SignatureValues], `The ${fieldLabel(name)}`),
      ),
  },
  {
    id: 'extra',
    name: 'Extra field in the signed text',
    tries: ({ layout, unsigned = [] }) =>
      unsigned.flatMap(({ name, text }) =>
        withInserted(layout, `also ${name}`, text).map((each) => ({
          title: `${name} was included in the signed text`,
          advice: 'The formula does not contain this field. Leave it out of the signed text; it stays in the body.',
          layout: each,
        })),
      ),
  },
  { id: 'algorithm', name: 'Different hash algorithm or encoding', tries: otherAlgorithm },
];
