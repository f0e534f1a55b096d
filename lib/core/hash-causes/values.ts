// Mistakes in the values: a value is signed in another form than it was sent in, or replaced by another value.
import { currencies } from '../currencies';
import type { SignatureValues } from '../signatures';
import { type CauseRow, everyPart, mapParts, otherValues, textOf, withText } from './candidates';
import { fieldLabel } from './labels';
import { amountTexts, cardTexts, encodings, spaces } from './texts';

const signSame = 'Sign exactly the text that the body contains: format it once and use the result in both places.';

export const otherAmount: CauseRow = {
  id: 'amount',
  name: 'Amount written differently',
  tries: ({ layout }) =>
    amountTexts(textOf(layout, 'amount') ?? '').map((signed) => ({
      title: `The amount was signed as ${signed} but sent as ${textOf(layout, 'amount')}`,
      advice: `With ${signed} in place of ${textOf(layout, 'amount')} the hash is exactly the received one. ${signSame}`,
      layout: withText(layout, 'amount', signed),
      changed: ['amount'],
    })),
};

export const otherPassword: CauseRow = {
  id: 'password',
  name: 'Password of another key',
  tries: ({ layout, passwords = [] }) =>
    passwords.map(({ password, what }) => ({
      title: `Signed with ${what}`,
      advice: 'Each key has its own password. Sign with the password of the key in the body.',
      layout: withText(layout, 'password', password),
      changed: ['password'],
    })),
};

export const signedSpaces: CauseRow = {
  id: 'spaces',
  name: 'A space or line break in the signed text',
  tries: ({ layout }) =>
    everyPart(layout).flatMap(({ name, text }) => {
      const as = (signed: string, title: string) => ({
        title,
        advice: 'Trim the value once, on input, and use the trimmed text for the body and the hash.',
        layout: withText(layout, name, signed),
        changed: [name],
      });
      const trimmed =
        text.trim() === text
          ? []
          : [as(text.trim(), `The ${fieldLabel(name)} was signed without its leading and trailing blanks`)];
      return [
        ...trimmed,
        ...spaces.map(([blank, word]) => as(text + blank, `The ${fieldLabel(name)} was signed with ${word} after it`)),
        as(` ${text}`, `The ${fieldLabel(name)} was signed with a space before it`),
      ];
    }),
};

export const otherEmail: CauseRow = {
  id: 'email',
  name: 'Another e-mail',
  tries: ({ layout, others = {} }) => otherValues(layout, 'payerEmail', others.payerEmail, 'The e-mail'),
};

export const otherCard: CauseRow = {
  id: 'card',
  name: 'Other digits of the card',
  tries: ({ layout, others = {} }) => {
    const fragment = textOf(layout, 'fragment');
    if (fragment === undefined) return [];
    const shapes = cardTexts(fragment).map(([what, signed]) => ({
      title: `Of the card ${what} ${what.includes('digits') ? 'were' : 'was'} signed`,
      advice: 'Take the first six digits of the card number and then its last four, ten digits in total.',
      layout: withText(layout, 'fragment', signed),
      changed: ['fragment'],
    }));
    return [...shapes, ...otherValues(layout, 'fragment', others.fragment, 'The card')];
  },
};

export const encodedText: CauseRow = {
  id: 'encoding',
  name: 'Text encoded before signing',
  tries: ({ layout }) => {
    const open = everyPart(layout).filter(({ name }) => name !== 'password');
    const each = encodings.flatMap(([how, encode]) =>
      open.map(({ name, text }) => ({
        title: `The ${fieldLabel(name)} was signed ${how}`,
        advice: 'Sign the plain text. Encode it afterwards, once, for the body.',
        layout: withText(layout, name, encode(text)),
        changed: [name],
      })),
    );
    const all = encodings.map(([how, encode]) => ({
      title: `The values were signed ${how}`,
      advice: 'Sign the plain texts. Encode them afterwards, once, for the body.',
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
};

export const otherCurrency: CauseRow = {
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
};

export const otherDescription: CauseRow = {
  id: 'description',
  name: 'Another description',
  tries: ({ layout, others = {} }) => {
    const sent = textOf(layout, 'description');
    if (sent === undefined) return [];
    const cuts = [32, 40, 50, 64, 100, 128, 200, 255].map((length) => sent.slice(0, length));
    const shapes = [
      sent.replace(/\s+/g, ' '),
      sent.replace(/\s+/g, ''),
      sent.replace(/<[^<>]*>/g, ''),
      sent.normalize('NFC'),
      sent.normalize('NFD'),
    ];
    const alternatives = others.description ?? [];
    return otherValues(layout, 'description', [...alternatives, ...shapes, ...cuts], 'The description');
  },
};

export const otherValue: CauseRow = {
  id: 'other',
  name: 'Another value of the same field',
  tries: ({ layout, others = {} }) =>
    everyPart(layout).flatMap(({ name }) => {
      const alternatives = others[name as keyof SignatureValues];
      return otherValues(layout, name, alternatives, `The ${fieldLabel(name)}`);
    }),
};
