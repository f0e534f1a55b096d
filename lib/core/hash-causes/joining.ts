// Mistakes in joining the values: uppercase, reversing, order, and the selection of values.
import { type Group, layOut, type RecipeName, recipes, type SignatureValues } from '../signatures';
import { type Candidate, type CauseRow, everyPart, mapParts, withGroups, without, withText } from './candidates';
import { fieldLabel, formulaNames } from './labels';
import { leafOrders, orders, partsMax } from './orders';

const isPassword = ({ parts }: Group) => parts.some(({ name }) => name === 'password');
const families: readonly RegExp[] = [/^card[1-8]/, /^apm(?!.*Callback$)/, /Callback$/];
const familyOf = (recipe: string) => families.findIndex((family) => family.test(recipe));

export const skippedCapitals: CauseRow = {
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
};

export const misplacedCapitals: CauseRow = {
  id: 'password-case',
  name: 'Uppercase in the wrong place',
  tries: ({ layout }) => {
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
  },
};

export const misplacedReverse: CauseRow = {
  id: 'reverse',
  name: 'Reverse step skipped or misplaced',
  tries: ({ layout }) => {
    const { groups } = layout;
    const as = (title: string, advice: string, changed: readonly Group[]): Candidate => ({
      title,
      advice,
      layout: withGroups(layout, changed),
    });
    const whole = { parts: groups.flatMap(({ parts }) => parts), reversed: true };
    if (!groups.some(({ reversed }) => reversed)) {
      return [as('The text was reversed', 'This formula reverses nothing: join the values without change.', [whole])];
    }
    const alone = (group: Group) =>
      group.reversed ? group.parts.map((part) => ({ parts: [part], reversed: true })) : [group];
    const skipped = groups.map((group) => ({ ...group, reversed: false }));
    const ones = groups.flatMap((group, place) =>
      group.reversed
        ? [
            as(
              `The ${fieldLabel(group.parts[0]?.name ?? '')} was not reversed`,
              'Reverse only the values that the formula reverses.',
              groups.map((each, at) => (at === place ? { ...each, reversed: false } : each)),
            ),
          ]
        : [],
    );
    return [
      as('Nothing was reversed', 'Reverse the values that the formula reverses before you join them.', skipped),
      as('The whole text was reversed', 'Reverse the single values as in the formula, not the joined text.', [whole]),
      as(
        'The values were reversed one by one',
        'Join the values first and reverse the joined text.',
        groups.flatMap(alone),
      ),
      as(
        'The password was reversed too',
        'In this formula the password is not reversed.',
        groups.map((group) => (isPassword(group) ? { ...group, reversed: true } : group)),
      ),
      ...(groups.length > partsMax ? [] : ones),
    ];
  },
};

export const keyAsPassword: CauseRow = {
  id: 'key',
  name: 'Key used as password',
  tries: ({ layout, key }) => [
    {
      title: 'The key was used instead of the password',
      advice: "Sign with the password that belongs to the key. Both are shown on the page of the merchant's keys.",
      layout: withText(layout, 'password', key),
      changed: ['password'],
    },
    ...layout.groups.map((_, place) => ({
      title: 'The key was included in the signed text',
      advice: 'The key is sent in the body only. It is not part of the signed text.',
      layout: withGroups(layout, [
        ...layout.groups.slice(0, place),
        { parts: [{ name: 'key', text: key, upper: true }], reversed: false },
        ...layout.groups.slice(place),
      ]),
    })),
  ],
};

export const missingField: CauseRow = {
  id: 'missing',
  name: 'Missing or empty field',
  tries: ({ layout }) =>
    everyPart(layout).map(({ name }) => ({
      title: `The ${fieldLabel(name)} was left out`,
      advice: `Without the ${fieldLabel(name)} the text gives exactly the received hash. It was missing or empty when the text was joined.`,
      layout: without(layout, name),
      changed: [name],
    })),
};

export const otherOrder: CauseRow = {
  id: 'order',
  name: 'Fields in a different order',
  tries: (question) =>
    [...orders(question.layout), ...leafOrders(question)].map((layout) => ({
      title: 'The values were joined in a different order',
      advice: 'Join the values in the order shown. The order of the fields in the body does not matter.',
      layout,
    })),
};

export const otherFormula: CauseRow = {
  id: 'formula',
  name: 'Formula of a different action',
  tries: ({ recipe, values, others = {} }) => {
    const more = Object.entries(others).flatMap(([name, texts]) =>
      texts?.[0] === undefined ? [] : [[name, texts[0]]],
    );
    const all = { ...Object.fromEntries(more), ...values } as SignatureValues;
    const names = (Object.keys(recipes) as RecipeName[]).filter(
      (name) => name !== recipe && familyOf(name) === familyOf(recipe),
    );
    return names.map((name) => ({
      title: `Signed with the formula for ${formulaNames[name]}`,
      advice: 'Every action has its own formula. Sign this one as shown.',
      layout: layOut(name, all),
    }));
  },
};

export const extraField: CauseRow = {
  id: 'extra',
  name: 'Extra field in the signed text',
  tries: ({ layout, unsigned = [] }) =>
    unsigned.flatMap(({ name, text }) =>
      [...layout.groups.keys(), layout.groups.length].map((place) => ({
        title: `${name} was included in the signed text`,
        advice: 'The formula does not contain this field. Leave it out of the signed text; it stays in the body.',
        layout: withGroups(layout, [
          ...layout.groups.slice(0, place),
          { parts: [{ name: `also ${name}`, text, upper: true }], reversed: false },
          ...layout.groups.slice(place),
        ]),
      })),
    ),
};
