// The data block for the page's script: texts that only the script shows, and the addresses of the live state. The
// script reads everything else from the document.

import { inLatinField } from '../../lib/core/bidi.ts';
import type { PageData, WalletData } from '../../lib/core/page-data.ts';
import type { Translations } from '../../lib/core/translations.ts';
import { documentFacts, isNumeric } from '../../lib/methods/documents.ts';
import type {
  FieldName,
  FormPage,
  OtherMethod,
  PageModel,
  PayerFormField,
  SessionPage,
  WalletButton,
} from '../../lib/payer/contract.ts';
import { errorText } from '../../lib/payer/error-text.ts';

/** The error codes of each field, as in lib/methods/fields; the message key is `error.` and the code. */
const errorKinds: Partial<Record<FieldName, string[]>> = {
  card_number: ['empty', 'short', 'wrong', 'brand'],
  // The text for a short number speaks of the payer's own card.
  payee_card_number: ['empty', 'wrong'],
  card_expiry: ['empty', 'wrong', 'past'],
  card_holder: ['empty', 'characters'],
  name: ['empty', 'characters'],
  email: ['empty', 'wrong'],
  phone: ['empty', 'wrong'],
  birth_date: ['empty', 'wrong'],
};

/** The limits that a text about length may name. */
const counts = { short: [2], long: [9, 10, 32, 40, 255] };

function errorTexts(names: FieldName[], { t }: Translations): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    if (name === 'card_cvv') continue;
    for (const kind of errorKinds[name] ?? ['empty']) texts[`${name}.${kind}`] = t(`error.${name}.${kind}`);
  }
  for (const count of [3, 4]) texts[`card_cvv.empty:${count}`] = t('error.card_cvv.empty', { count });
  for (const [kind, values] of Object.entries(counts)) {
    for (const count of values) texts[`${kind}:${count}`] = t(`error.${kind}`, { count });
  }
  return texts;
}

function documentTexts(format: string, words: Translations): Record<string, string> {
  const { ids } = documentFacts(format);
  const kinds = [
    ...['empty', isNumeric(format) ? 'digits' : 'characters'].map((kind) => [kind, format] as const),
    ...ids.flatMap((id) => [['shape', id] as const, ['checkDigits', id] as const]),
  ];
  const text = ([kind, document]: readonly [string, string]) =>
    errorText({ key: `error.document.${kind}`, values: { document } }, words);
  return Object.fromEntries(kinds.map((each) => [`document.${each.join(':')}`, text(each)]));
}

function parameterTexts(methods: OtherMethod[], words: Translations): Record<string, string> {
  const { t } = words;
  const fields = methods.flatMap((method) => method.parameters);
  if (fields.length === 0) return {};
  const texts: Record<string, string> = {};
  for (const kind of ['empty', 'wrong', 'choose']) texts[`parameter.${kind}`] = t(`error.parameter.${kind}`);
  for (const { least, most, document } of fields) {
    if (document !== undefined) {
      Object.assign(texts, documentTexts(document, words));
      continue;
    }
    texts[`short:${least}`] = t('error.short', { count: least });
    texts[`long:${most}`] = t('error.long', { count: most });
  }
  return texts;
}

function formData(page: FormPage, words: Translations): PageData['form'] {
  const { t } = words;
  const others = page.methods.filter((method) => !method.card && !method.href) as OtherMethod[];
  const fields: PayerFormField[] = [
    ...page.methods.flatMap((method) => method.card?.fields ?? []),
    ...others.flatMap((method) => method.fields),
  ];
  const names = new Set<FieldName>([...fields.map((field) => field.name)]);
  const card = page.methods.find((method) => method.card)?.card;
  for (const name of card ? (['card_number', 'card_expiry', 'card_cvv', ...card.cardFields] as const) : [])
    names.add(name);
  const addressNames = [...names].filter((name) => page.address && name in page.address.labels);
  const addressTexts = addressNames.map((name) => [`${name}.empty`, page.address?.errors[`${name}.empty`]]);
  return {
    errors: {
      ...errorTexts(
        [...names].filter((name) => !addressNames.includes(name)),
        words,
      ),
      ...Object.fromEntries(addressTexts),
      ...parameterTexts(others, words),
      ...(page.consent && { consent: t('error.consent') }),
    },
    code: { 3: inLatinField(t('hint.cvv', { count: 3 }), words), 4: inLatinField(t('hint.cvv', { count: 4 }), words) },
    brands: card?.accepted ?? [],
    addressUrl: names.has('country') && addressNames.length > 0 ? page.addressUrl : undefined,
    offline: { heading: t('offline.heading'), text: t('offline.text') },
    wallets: page.wallets?.length ? walletData(page.wallets) : undefined,
  };
}

function walletData(wallets: WalletButton[]): WalletData {
  return Object.fromEntries(wallets.map(({ id, name: _shown, ...data }) => [id, data]));
}

/** The texts of a receipt's countdown cover zero to eight seconds. */
const countdownSeconds = 8;

function liveData(page: SessionPage, now: Date): PageData['live'] {
  if (!page.live) return undefined;
  const { eventsUrl, stateUrl, version, expiresAt } = page.live;
  return { eventsUrl, stateUrl, version, secondsLeft: expiresAt && secondsUntil(expiresAt, now) };
}

function secondsUntil(at: Date, now: Date): number {
  return Math.max(0, Math.ceil((at.getTime() - now.getTime()) / 1000));
}

/** The data for this page's script; only pages of a session are followed. */
export function pageData(model: PageModel, words: Translations, now: Date): PageData {
  if (model.state === 'frameLeave') return { state: model.state, pageUrl: '' };
  const data: PageData = { state: model.state, pageUrl: model.pageUrl };
  if (model.state === 'frameReturn' || model.state === 'unknownLink' || model.state === 'error') return data;
  data.live = liveData(model, now);
  if (data.live?.secondsLeft !== undefined) data.closes = words.t('live.closes', { time: '{time}' });
  if (model.state === 'present' && model.step.expiresAt) {
    data.stepSecondsLeft = secondsUntil(model.step.expiresAt, now);
  }
  if (model.state === 'form') data.form = formData(model, words);
  if (model.state === 'receipt' && model.returnUrl && model.isNew) {
    data.countdown = Array.from({ length: countdownSeconds + 1 }, (_, seconds) =>
      words.t('receipt.countdown', { seconds }),
    );
  }
  return data;
}
