// The block of data for the page's script: the texts that only the script shows, and where to follow the
// state. Everything else the script finds in the document itself.
import { countriesWithStates } from '../../lib/core/countries';
import type { PageData } from '../../lib/core/page-data';
import type { Words } from '../../lib/core/words';
import { stateLabel } from './form-fields';
import type { AskedField, FieldName, FormPage, PageModel, SessionPage } from './model';
import { inLatinField } from './text';

/** Kinds of faults of each field, as lib/methods/fields names them; `error.` before them makes the message key. */
const faults: Partial<Record<FieldName, string[]>> = {
  card_number: ['empty', 'short', 'wrong', 'brand'],
  // Too short is said as of the payer's own card.
  payee_card_number: ['empty', 'wrong'],
  card_expiry: ['empty', 'wrong', 'past'],
  card_holder: ['empty', 'words', 'characters'],
  name: ['empty', 'words', 'characters'],
  email: ['empty', 'wrong'],
  phone: ['empty', 'wrong'],
  birth_date: ['empty', 'wrong'],
};

/** Least and most characters that a text about length may name. */
const counts = { short: [2], long: [9, 10, 32, 40, 255] };

function errorTexts(names: FieldName[], { t }: Words): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    if (name === 'card_cvv') continue;
    for (const kind of faults[name] ?? ['empty']) texts[`${name}.${kind}`] = t(`error.${name}.${kind}`);
  }
  for (const count of [3, 4]) texts[`card_cvv.empty:${count}`] = t('error.card_cvv.empty', { count });
  for (const [kind, values] of Object.entries(counts)) {
    for (const count of values) texts[`${kind}:${count}`] = t(`error.${kind}`, { count });
  }
  return texts;
}

function formData(page: FormPage, words: Words): PageData['form'] {
  const { t } = words;
  const asked: AskedField[] = page.methods.flatMap((method) => (method.card ? method.card.fields : method.fields));
  const names = new Set<FieldName>([...asked.map((field) => field.name)]);
  const card = page.methods.find((method) => method.card)?.card;
  for (const name of card ? (['card_number', 'card_expiry', 'card_cvv', ...card.asked] as const) : []) names.add(name);
  return {
    errors: errorTexts([...names], words),
    code: {
      3: inLatinField(t('hint.cvv', { count: 3 }), words),
      4: inLatinField(t('hint.cvv', { count: 4 }), words),
    },
    brands: card?.accepted ?? [],
    states:
      names.has('state') && names.has('country')
        ? {
            url: page.statesUrl,
            labels: Object.fromEntries(countriesWithStates.map((country) => [country, stateLabel(country, words)])),
          }
        : undefined,
    offline: { heading: t('offline.heading'), text: t('offline.text') },
  };
}

/** The countdown of a receipt, from none to eight seconds left. */
const countdownSeconds = 8;

function liveData(page: SessionPage, now: Date): PageData['live'] {
  if (!page.live) return undefined;
  const { eventsUrl, stateUrl, version, expiresAt } = page.live;
  const secondsLeft = expiresAt ? Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)) : undefined;
  return { eventsUrl, stateUrl, version, secondsLeft };
}

/** What the script of this page needs; only pages of a session are followed. */
export function pageData(model: PageModel, words: Words, now: Date): PageData {
  if (model.state === 'frameLeave') return { state: model.state, pageUrl: '' };
  const data: PageData = { state: model.state, pageUrl: model.pageUrl };
  if (model.state === 'frameReturn' || model.state === 'unknownLink' || model.state === 'error') return data;
  data.live = liveData(model, now);
  if (data.live?.secondsLeft !== undefined) data.closes = words.t('live.closes', { time: '{time}' });
  if (model.state === 'form') data.form = formData(model, words);
  if (model.state === 'receipt' && model.returnUrl) {
    data.countdown = Array.from({ length: countdownSeconds + 1 }, (_, seconds) =>
      words.t('receipt.countdown', { seconds }),
    );
  }
  return data;
}
