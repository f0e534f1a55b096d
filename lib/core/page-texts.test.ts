import { expect, it } from 'vitest';
import { textsFor, textsOfOperation } from './page-texts.ts';

it('takes the text of a language, else the one for all other languages', () => {
  const texts = { default: { title: 'Order', footer: 'Orme Ltd' }, de: { title: 'Bestellung', footer: '' } };
  expect(textsFor(texts, 'de')).toMatchObject({ title: 'Bestellung', footer: 'Orme Ltd', button: undefined });
  expect(textsFor(texts, 'fr')).toMatchObject({ title: 'Order', footer: 'Orme Ltd' });
});

it.each([
  ['purchase', 'Donate'],
  ['debit', 'Donate'],
  ['recurring', 'Donate'],
  ['credit', undefined],
  ['transfer', undefined],
])('for %s has the button %s', (operation, button) => {
  const texts = { title: 'Your gift', button: 'Donate', footer: 'Orme Ltd' };
  const shown = textsOfOperation(texts, operation);
  expect(shown).toMatchObject({ button, title: button && 'Your gift', footer: 'Orme Ltd' });
});
