// Mistakes in values: a value was signed in a different form than it was sent, or another value was signed.
import { currencies } from '../currencies';
import type { SignatureValues } from '../signatures';
import { type CauseRow, everyPart, mapParts, otherValues, textOf, withText } from './candidates';
import { fieldLabel } from './labels';
import { amountTexts, cardTexts, encodings, spaces } from './texts';

const signSame = 'Sign the same text that you put into the body: create it once as a string and use it in both places.';

export const otherAmount: CauseRow = {
  id: 'amount',
  name: 'Amount formatted differently',
  tries: ({ layout }) =>
    amountTexts(textOf(layout, 'amount') ?? '').map((signed) => ({
      title: `The amount was signed as ${signed} but sent as ${textOf(layout, 'amount')}`,
      advice: `With ${signed} in place of ${textOf(layout, 'amount')} the received hash comes out exactly. ${signSame}`,
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
  name: 'Space or line break in the signed text',
  tries: ({ layout }) =>
    everyPart(layout).flatMap(({ name, text }) => {
      const as = (signed: string, title: string) => ({
        title,
        advice: 'Trim the value once when you receive it, and use the trimmed text for the body and for the hash.',
        layout: withText(layout, name, signed),
        changed: [name],
      });
      const trimmed =
        text.trim() === text
          ? []
          : [as(text.trim(), `The ${fieldLabel(name)} was signed without its leading and trailing spaces`)];
      return [
        ...trimmed,
        ...spaces.map(([blank, word]) =>
          as(text + blank, `The ${fieldLabel(name)} was signed with ${word} at its end`),
        ),
        as(` ${text}`, `The ${fieldLabel(name)} was signed with a leading space`),
      ];
    }),
};

export const otherEmail: CauseRow = {
  id: 'email',
  name: 'Different email',
  tries: ({ layout, others = {} }) => otherValues(layout, 'payerEmail', others.payerEmail, 'The email'),
};

export const otherCard: CauseRow = {
  id: 'card',
  name: 'Wrong card digits',
  tries: ({ layout, others = {} }) => {
    const fragment = textOf(layout, 'fragment');
    if (fragment === undefined) return [];
    const shapes = cardTexts(fragment).map(([what, signed]) => ({
      title: `Signed with ${what} of the card`,
      advice: 'Use the first six digits of the card number followed by its last four, ten digits in all.',
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
        advice: 'Sign the plain text. Encode it afterwards, once, when you build the body.',
        layout: withText(layout, name, encode(text)),
        changed: [name],
      })),
    );
    const all = encodings.map(([how, encode]) => ({
      title: `The values were signed ${how}`,
      advice: 'Sign the plain texts. Encode them afterwards, once, when you build the body.',
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
  name: 'Different currency',
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
  name: 'Different description',
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
    const known = others.description ?? [];
    return otherValues(layout, 'description', [...known, ...shapes, ...cuts], 'The description');
  },
};

export const otherValue: CauseRow = {
  id: 'other',
  name: 'Different value of the same field',
  tries: ({ layout, others = {} }) =>
    everyPart(layout).flatMap(({ name }) => {
      const known = others[name as keyof SignatureValues];
      return otherValues(layout, name, known, `The ${fieldLabel(name)}`);
    }),
};
