// Mistakes in how the values become one text: capitals, reversing, order, and which values there are at all.
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
};

export const misplacedCapitals: CauseRow = {
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
              `The ${fieldLabel(group.parts[0]?.name ?? '')} was not reversed`,
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
};

export const keyAsPassword: CauseRow = {
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
};

export const missingField: CauseRow = {
  id: 'missing',
  name: 'A field left out or empty',
  tries: ({ layout }) =>
    everyPart(layout).map(({ name }) => ({
      title: `The ${fieldLabel(name)} was left out`,
      advice: `Without the ${fieldLabel(name)} the received hash comes out exactly. It was missing or empty when the text was joined.`,
      layout: without(layout, name),
      changed: [name],
    })),
};

export const otherOrder: CauseRow = {
  id: 'order',
  name: 'Fields in another order',
  tries: (asked) =>
    [...orders(asked.layout), ...leafOrders(asked)].map((layout) => ({
      title: 'The values were joined in another order',
      advice: 'Join the values in the order shown. The order of the fields in the body does not matter.',
      layout,
    })),
};

export const otherFormula: CauseRow = {
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
};

export const extraField: CauseRow = {
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
};
