/**
 * Serves the hosted fields: the document of each frame and the address the frames submit to. Any site may frame the
 * documents, so they have the card's inputs and nothing that could be misused; the session's token authorises the submit.
 */

import { randomBytes } from 'node:crypto';
import { digitsOf, parseExpiry } from '../core/cards.ts';
import { repeatedName } from '../core/json.ts';
import type { Payment } from '../core/payment.ts';
import type { Message, Translations } from '../core/translations.ts';
import { now } from '../db/clock.ts';
import {
  type Html,
  type HttpRequest,
  type HttpResult,
  html,
  httpResult,
  isHttpResult,
  type Route,
  readAsset,
  readBytes,
  textOf,
  translationsOf,
} from '../http/index.ts';
import { callerOf } from '../merchants/index.ts';
import { type CardFieldName, cardFieldsOf, normalizeField, typedFieldError } from '../methods/fields.ts';
import { findFieldsSession } from '../payments/index.ts';
import { retryAfterForAddress, retryAfterForPayment } from '../risk/index.ts';
import { acceptedBrands, isAccepted } from '../routing/index.ts';
import { storePendingCard } from '../vault/index.ts';
import { isCrossSite } from './csrf-guard.ts';
import { hostedAgreement, readChoice, recordChoice } from './hosted-agreement.ts';
import { localeOfRequest } from './page-context.ts';
import { renderCardLogos } from './render.ts';
import { privateJson, withRateLimit } from './responses.ts';
import { savedCards } from './view.ts';

type Field = 'card' | 'expiry' | 'cvv';

const fields: { [name in Field]: { wire: CardFieldName; autocomplete: string; hint?: string } } = {
  card: { wire: 'card_number', autocomplete: 'cc-number' },
  expiry: { wire: 'card_expiry', autocomplete: 'cc-exp', hint: 'hint.expiry' },
  cvv: { wire: 'card_cvv', autocomplete: 'cc-csc' },
};

/** The frames: a field each, all fields in one line, and what the payer agrees to. */
const titles: { [name: string]: string } = {
  ...Object.fromEntries(Object.entries(fields).map(([name, { wire }]) => [name, `field.${wire}`])),
  line: 'pay.card',
  agreement: 'pay.save',
};

const style = `*{box-sizing:border-box}html,body{margin:0;height:100%;background:none;overflow:hidden}
.field,.line{width:100%;height:100%;margin:0;border:0;padding:0 2px;outline:0;background:none;color:inherit;font:400 16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums lining-nums;direction:ltr;text-align:start;-webkit-appearance:none;appearance:none}
[dir=rtl] .field{text-align:right}
.away{position:absolute;inset:auto auto 0 0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);border:0;padding:0;opacity:0}`;

/** The line's own rules are stronger than the merchant's: the padding is the line's, and its direction stays. */
const lineStyle = `svg[width="0"]{position:absolute}div.line{display:flex;align-items:center;gap:.5em;direction:ltr;opacity:1;overflow:hidden}
.line .field{padding:0;direction:ltr;text-align:left;text-overflow:ellipsis}
.number{position:relative;flex:1 1 0;min-width:0;height:100%;display:flex;align-items:center}
.number:focus-within{min-width:21ch}
[data-short] .number{flex:0 0 auto;margin-right:.4em}
[data-short] #card{position:absolute;inset:0;opacity:0}
.last{display:none}[data-short] .last{display:block}
#expiry{flex:0 0 4.3em}#cvv{flex:0 0 2.9em}
.mark{flex:none;width:36px;height:24px}
@media (max-width:359px){.number:focus-within{min-width:calc(100% - 36px - .5em)}.number:focus-within~.field{opacity:0}.line:not(:focus-within) .mark[data-brand=none]{display:none}}`;

const agreementStyle = `html,body{height:auto}div.words{padding:0;opacity:1;direction:inherit;text-align:start;font:400 16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.words label{display:flex;gap:.6em;align-items:flex-start;padding:.4em 0;cursor:pointer}
.words input{flex:none;width:1.25em;height:1.25em;margin:.12em 0 0 2px;accent-color:currentcolor}
.words p,.words dl{margin:0;padding:.3em 0;font-size:.875em}
.words .error{padding:0 0 .3em;font-weight:600}.words .error:empty{display:none}
.words dl{display:grid;grid-template-columns:auto 1fr;gap:.1em 1em}.words dd{margin:0;text-align:end}`;

/** GET /fields/:field?lang=es-MX: the document of a frame; `lang` is a code of the contract or a language tag. */
const frame: Route['run'] = async (request, params) => {
  const name = params.field ?? '';
  const title = Object.hasOwn(titles, name) ? titles[name] : undefined;
  if (title === undefined) return httpResult(null, { status: 404 });
  const lang = new URL(request.url).searchParams.get('lang');
  const { words } = localeOfRequest(request, { language: lang, defaultLanguage: null });
  const nonce = randomBytes(16).toString('base64url');
  const { src, integrity } = readAsset('field.js');
  const [own, body] = await contentOf(name, words);
  const document = html`<!doctype html>
<html lang="${words.lang}" dir="${words.dir}" data-frame="${name}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.t(title)}</title>
<style nonce="${nonce}">${{ html: style + own }}</style>
<style nonce="${nonce}" id="given"></style>
</head>
<body>
${body}
<script type="application/json" id="texts">${{ html: textsOf(words) }}</script>
<script nonce="${nonce}" src="${src}" integrity="${integrity}" crossorigin="anonymous"></script>
</body>
</html>`;
  return httpResult(document.html, { headers: headersOf(nonce) });
};

/** The own rules and the body of a frame. */
async function contentOf(name: string, words: Translations): Promise<[style: string, body: Html]> {
  if (name === 'line') return [lineStyle, await lineOf(words)];
  if (name === 'agreement') return [agreementStyle, html`<div class="words" data-language="${words.lang}"></div>`];
  return ['', fieldOf(name as Field, words)];
}

function fieldOf(name: Field, words: Translations): Html {
  const { hint } = fields[name];
  return html`${inputOf(name, words, { id: 'field', placeholder: hint ? words.t(hint) : '' })}
${name === 'card' ? autofillInputs : html``}
${messageOf('field')}`;
}

async function lineOf(words: Translations): Promise<Html> {
  const part = (name: Field, placeholder: string) => inputOf(name, words, { id: name, placeholder });
  return html`${{ html: await renderCardLogos() }}
<div class="line" role="group" aria-label="${words.t('pay.card')}">
<svg class="mark" viewBox="0 0 36 24" data-brand="none" role="img" aria-hidden="true" focusable="false"><use href="#mark-none"/></svg>
<span class="number">${part('card', words.t('field.card_number'))}<span class="last" aria-hidden="true"></span></span>
${part('expiry', words.t('hint.expiry'))}
${part('cvv', 'CVC')}
</div>
${(['card', 'expiry', 'cvv'] as const).map(messageOf)}`;
}

function inputOf(name: Field, { t }: Translations, { id, placeholder }: { id: string; placeholder: string }): Html {
  const { wire, autocomplete } = fields[name];
  return html`<input id="${id}" class="field" data-field="${name}" type="text" inputmode="numeric" autocomplete="${autocomplete}" aria-label="${t(`field.${wire}`)}" aria-describedby="${id}-error" placeholder="${placeholder}" autocorrect="off" autocapitalize="off" spellcheck="false" maxlength="40">`;
}

const messageOf = (id: string): Html => html`<p id="${id}-error" class="away" role="alert"></p>`;

/** Inputs for browsers that fill in a whole card; the script passes the values to the other frames. */
const autofillInputs = html`<input id="fill-expiry" class="away" type="text" autocomplete="cc-exp" tabindex="-1" aria-hidden="true">
<input id="fill-cvv" class="away" type="text" autocomplete="cc-csc" tabindex="-1" aria-hidden="true">`;

function headersOf(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
    // A page that is isolated from other origins may load this frame too.
    'cross-origin-embedder-policy': 'require-corp',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  };
}

/** The script's texts by code; `<` is escaped, because the JSON is inside of a script element. */
function textsOf({ t }: Translations): string {
  const codes = ['empty', 'short', 'wrong', 'brand'].map((code) => `card_number.${code}`);
  const expiries = ['empty', 'wrong', 'past'].map((code) => `card_expiry.${code}`);
  const plain = [...codes, ...expiries].map((code) => [code, t(`error.${code}`)]);
  const counted = [3, 4].map((count) => [`card_cvv.empty:${count}`, t('error.card_cvv.empty', { count })]);
  const ends = {
    success: 'Card data accepted.',
    expired: t('expired.heading'),
    network: t('offline.heading'),
    limited: t('limited.text'),
    busy: 'A submit is running.',
    missing: 'The frames are not of one mount.',
    changed: t('agreement.changed'),
  };
  return JSON.stringify({ ...Object.fromEntries([...plain, ...counted]), ...ends }).replaceAll('<', '\\u003c');
}

const bodyBytesMax = 4 * 1024;

const limited = (seconds: number) => privateJson({}, 429, { 'retry-after': String(seconds) });

type FieldsSession = NonNullable<Awaited<ReturnType<typeof findFieldsSession>>>;

/** The session and the JSON body of a request of the frames' own script, or the refusal of any other request. */
async function framesRequest(
  request: HttpRequest,
  address: string,
  time: Date,
): Promise<{ stored: FieldsSession; body: Record<string, unknown> } | HttpResult> {
  const seconds = retryAfterForAddress('fields', address);
  if (seconds > 0) return limited(seconds);
  // Only the frames' own script can submit: forms and scripts of other origins cannot set this content type.
  const isJson = request.headers.get('content-type')?.split(';')[0] === 'application/json';
  if (isCrossSite(request) || !namesOrigin(request) || !isJson) return privateJson({}, 403);
  const stored = await findFieldsSession(request.headers.get('token') ?? '', time);
  if (!stored) return privateJson({}, 401);
  const secondsOfPayment = retryAfterForPayment('pay', stored.payment.id);
  if (secondsOfPayment > 0) return limited(secondsOfPayment);
  const body = readJson(textOf(await readBytes(request, bodyBytesMax)));
  return body ? { stored, body } : privateJson({}, 400);
}

/** POST /fields/words, header `Token`: what the session's payer agrees to besides the payment. */
const agreement: Route['run'] = async (request, _params, { address }) => {
  const time = now();
  const read = await framesRequest(request, address, time);
  if (isHttpResult(read)) return read;
  return privateJson(await hostedAgreement(read.stored, String(read.body.language ?? ''), time), 200);
};

/** POST /fields/agreed, header `Token`: records what the payer agrees to before a payment by wallet. */
const agreed: Route['run'] = async (request, _params, { address }) => {
  const time = now();
  const read = await framesRequest(request, address, time);
  if (isHttpResult(read)) return read;
  const choice = readChoice(read.body.agreed);
  if (!choice) return privateJson({}, 400);
  if (!isPayable(read.stored.payment)) return privateJson({}, 200);
  return privateJson({}, (await recordChoice(read.stored, choice, false, time)) === null ? 409 : 200);
};

/** POST /fields/collect, header `Token`: stores the frames' card data until the merchant makes the payment. */
const collect: Route['run'] = async (request, _params, { address }) => {
  const time = now();
  const read = await framesRequest(request, address, time);
  if (isHttpResult(read)) return read;
  const { payment, session } = read.stored;
  const typed = typedIn(read.body);
  const caller = await callerOf(payment);
  const savedCard = (await savedCards({ payment, session, caller }, time)).find((card) => !card.expired);
  // With a saved card the page may omit the number's frame; then only the code is required.
  const usesSavedCard = savedCard !== undefined && typed.card_number === undefined;
  const required = cardFieldsOf(payment.operation, usesSavedCard).filter((name) => wireNames.includes(name));
  const cardNumber = usesSavedCard ? savedCard.card.first6 : (typed.card_number ?? '');
  const fieldErrors = required.flatMap((name) =>
    fieldErrorOf(name, typedFieldError(name, typed[name] ?? '', { cardNumber, now: time })),
  );
  if (fieldErrors.length === 0 && !isAccepted(acceptedBrands(caller.mids, payment), cardNumber))
    fieldErrors.push(...fieldErrorOf('card_number', { key: 'error.card_number.brand' }));
  if (fieldErrors.length > 0) return privateJson({ faults: fieldErrors }, 422);
  // A code is stored only for a payable payment. Otherwise the merchant's next call reports the payment's state.
  if (!isPayable(payment)) return privateJson({ result: 'success' }, 200);
  const choice = readChoice(read.body.agreed);
  const keepsCard = choice ? await recordChoice(read.stored, choice, !usesSavedCard, time) : undefined;
  if (keepsCard === null) return privateJson({}, 409);
  const text = (name: CardFieldName) => (required.includes(name) ? normalizeField(name, typed[name] ?? '') : undefined);
  const common = { cvv: text('card_cvv'), address, mark: choice?.mark };
  const expiry = parseExpiry(text('card_expiry') ?? '');
  const number = text('card_number');
  const fieldsPayment = { ...payment, token: request.headers.get('token') ?? '' };
  if (usesSavedCard) await storePendingCard(fieldsPayment, { keptCardId: savedCard.card.id, ...common }, time);
  else if (number !== undefined && expiry) {
    await storePendingCard(fieldsPayment, { number, expiry, ...common, keepsCard }, time);
  }
  return privateJson({ result: 'success' }, 200);
};

/** Whether the browser names the origin, in one header or another; browsers do so for every such request. */
function namesOrigin({ headers }: HttpRequest): boolean {
  return headers.has('sec-fetch-site') || (headers.get('origin') ?? 'null') !== 'null';
}

function isPayable({ inFlightId, state }: Payment): boolean {
  return inFlightId === null && (state === 'prepare' || state === 'declined');
}

const wireNames: readonly CardFieldName[] = Object.values(fields).map(({ wire }) => wire);

function readJson(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === 'object' && read !== null && repeatedName(text) === null;
    return isObject ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function typedIn(body: Record<string, unknown>): { [name in CardFieldName]?: string } {
  const texts = wireNames.map((name) => [name, body[name]]);
  const present = texts.filter((entry): entry is [CardFieldName, string] => typeof entry[1] === 'string');
  return Object.fromEntries(present.map(([name, text]) => [name, digitsOf(text.slice(0, 40))]));
}

function fieldErrorOf(wire: CardFieldName, error: Message | null): { field: string; code: string; message: string }[] {
  if (!error) return [];
  const field = Object.keys(fields).find((name) => fields[name as Field].wire === wire) ?? wire;
  return [{ field, code: error.key.replace('error.', ''), message: translationsOf('en').t(error.key, error.values) }];
}

export const fieldRoutes: Route[] = [
  { method: 'GET', path: '/fields/:field', run: withRateLimit('fields_view', frame) },
  { method: 'POST', path: '/fields/words', run: agreement },
  { method: 'POST', path: '/fields/agreed', run: agreed },
  { method: 'POST', path: '/fields/collect', run: collect },
];
