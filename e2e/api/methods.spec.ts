// The whole catalogue on Checkout: every identifier opens a session, shows its page, enforces its fields, and ends
// settled with a callback that verifies. The tests rotate through all 21 page languages.
import { catalog } from '../support/catalog.ts';
import { textOf } from '../support/html.ts';
import type { Body, Merchant, Opened } from '../support/merchant.ts';
import { endingOf, receiptTexts } from '../support/method-endings.ts';
import {
  fieldsOf,
  finish,
  methodFormOf,
  referenceOf,
  sessionOf,
  submitMethod,
  type Walk,
  walkOf,
} from '../support/method-flows.ts';
import { contractIds } from '../support/method-ids.ts';
import { cardFormOf, cards, type Screen, startPayer } from '../support/payer.ts';
import type { Provider } from '../support/provider.ts';
import { describeDelivery } from '../support/shop-server.ts';
import { isSignedCallback } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

const languages = 'en sp ar az fr nb zh zh-TW kk de it hr cs hu pl pt ro ja nl bg ru'.split(' ');
/** The same languages as browsers name them. */
const tags: { [code: string]: string } = { sp: 'es' };

/** Language and script of a tag; the payer's country decides on the region. */
function writtenIn(tag = 'und'): string {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

const languageOf = ({ html }: Screen) => /<html[^>]* lang="([^"]*)"/.exec(html)?.[1];

const errorTextsOf = (body: Body): string[] =>
  body.errors.map(({ error_message }: { error_message: string }) => error_message);

/** Without its required parameters no session opens; the response names each of them. */
async function expectRequired(shop: Merchant, walk: Walk): Promise<void> {
  const { demanded: demandedFields, row } = walk;
  if (demandedFields.length === 0) return;
  const { status, body } = await shop.session(sessionOf(walk, { parameters: undefined }));
  expect(status).toBe(400);
  const lists = demandedFields.map(({ name }) => name.split('[]')[0]);
  const named = errorTextsOf(body).map((error) => error.replace(`parameters.${row.id}.`, '').split(':')[0]);
  // Fields with a default are not reported as missing.
  for (const name of named) expect(lists).toContain(name);
  expect(named.length, JSON.stringify(body)).toBeGreaterThan(0);
}

/** The page asks for the fields that the request lacks and rejects an incomplete form. */
async function enforced(screen: Screen, walk: Walk): Promise<void> {
  const form = methodFormOf(screen, walk.row.id);
  const names = fieldsOf(form);
  if (!walk.row.asks?.includes('country')) {
    for (const { name } of walk.asked) expect(names).toContain(`parameter_${name}`);
  }
  for (const name of walk.row.asks ?? []) expect(names).toContain(name);
  const required = form.controls.filter((control) => control.required && control.type !== 'hidden');
  const hasRequired = walk.asked.some(({ need }) => need === 'C') || (walk.row.asks ?? []).length > 0;
  expect(required.length > 0, 'at least one field is enforced').toBe(hasRequired);
  if (!hasRequired) return;
  const rejected = await startPayer(screen.url).submit(form);
  expect(rejected.status).toBe(422);
  for (const { name } of required) {
    const marked = new RegExp(`name="${name}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*name="${name}"`);
    expect(marked.test(rejected.html), `${name} has a field error`).toBe(true);
  }
}

/** The page after the form has the texts of its kind of method, and none that would be wrong there. */
function expectEnding({ html }: Screen, { row, country }: Walk, language: string): void {
  const text = textOf(html);
  const { says, never } = endingOf(row, country, language);
  expect(says.length).toBeGreaterThan(0);
  const isSaid = (sentences: string[]) => sentences.some((sentence) => text.includes(sentence));
  expect(says.filter((sentences) => !isSaid(sentences))).toEqual([]);
  expect(never.filter(isSaid)).toEqual([]);
  expect(text).not.toMatch(/\{[a-zA-Z]+\}|undefined|\b[a-z]+\.[a-z_]+\.[a-z]+\b/);
}

/** Ends the payment at the provider and waits for the callback that reports the end. */
async function ended(shop: Merchant, provider: Provider, { order }: Opened, { operation }: Walk): Promise<string[]> {
  const entries = await provider.journal(order.number);
  if (!entries.some(({ status }) => status === 'approved')) {
    await finish(shop, await referenceOf(provider, order.number));
  }
  const expected = `success ${operation === 'credit' ? 'credit' : 'sale'} settled`;
  const deliveries = await shop.shopServer.waitFor(order.number, (all) => all.map(describeDelivery).includes(expected));
  for (const { fields } of deliveries) expect(isSignedCallback(fields, shop.credentials)).toBe(true);
  return deliveries.map(describeDelivery);
}

test.describe('the catalogue', () => {
  for (const [place, row] of catalog.entries()) {
    const language = languages[place % languages.length] ?? 'en';
    test(`${row.id} (${language})`, async ({ as, florin, provider }) => {
      const shop = as('methods');
      const walk = walkOf(row);
      await expectRequired(shop, walk);
      const opened = await shop.open(sessionOf(walk));
      const payer = startPayer(florin);
      const screen = await payer.visit(`${opened.url}?lang=${language}`);
      expect(screen.status).toBe(200);
      expect(writtenIn(languageOf(screen))).toBe(writtenIn(tags[language] ?? language));
      if (row.id === 'card') {
        await payer.payOn(screen, cards.settled);
      } else {
        expect(cardFormOf(screen)).toBeUndefined();
        await enforced(screen, walk);
        const after = await submitMethod(payer, screen, walk);
        expect(after.status, after.url).toBe(200);
        expect(writtenIn(languageOf(after))).toBe(writtenIn(tags[language] ?? language));
        expectEnding(after, walk, language);
        // The payer has not finished: the link again shows what remains to be done, also if the payer left for a bank.
        expectEnding(await payer.visit(`${opened.url}?lang=${language}`), walk, language);
      }
      await ended(shop, provider, opened, walk);
      const { body } = await shop.statusByOrder(opened.order.number);
      expect(body.status).toBe('settled');
      const receipt = textOf((await payer.visit(`${opened.url}?lang=${language}`)).html);
      expect(receiptTexts(language).filter((texts) => !texts.some((text) => receipt.includes(text)))).toEqual([]);
    });
  }

  test('has every identifier of the contract', () => {
    const walked = catalog.map(({ id }) => id);
    console.log(`${walked.length} identifiers walked on Checkout, ${contractIds.length} in the contract`);
    expect(walked.toSorted()).toEqual(contractIds.toSorted());
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.length).toBeGreaterThan(languages.length);
  });
});
