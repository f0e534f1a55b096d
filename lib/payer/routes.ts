/** The routes for payers' browsers and providers. */
import { countRefusal } from '../auth/index.ts';
import { checkoutBaseUrl } from '../config/index.ts';
import { findConnector } from '../connectors/index.ts';
import { isUuid } from '../core/ids.ts';
import { now } from '../db/clock.ts';
import {
  type HttpRequest,
  type HttpResult,
  httpResult,
  jsonResult,
  pdfBusySeconds,
  type Route,
} from '../http/index.ts';
import { runInBackground } from '../jobs/index.ts';
import { earlierSettings, findDomainFile, findMid } from '../merchants/index.ts';
import { findMethod } from '../methods/catalog.ts';
import { qrPng } from '../methods/qr.ts';
import { processNotification, storeNotification } from '../payments/index.ts';
import { retryAfterForPayment } from '../risk/index.ts';
import { cancel, chooseAnotherMethod, remind, renewCode, submitCode, validateApplePay } from './actions.ts';
import { addressForm } from './address-form.ts';
import { calendarFile } from './deadline.ts';
import { frameAncestorsOf } from './exit.ts';
import { fieldRoutes } from './hosted-field.ts';
import { liveRoutes } from './live-updates.ts';
import { logo, logoByDigest } from './logo.ts';
import { attemptPath, pageContextOf, pathOf } from './page-context.ts';
import { payloadOf } from './present.ts';
import {
  documentResponse,
  privateJson,
  render,
  tooManyRequests,
  unknownLinkPage,
  withFailurePage,
  withRateLimit,
} from './responses.ts';
import { pollAttempt, returnFromBank, submitCodeDirect } from './return.ts';
import { submit } from './submit.ts';
import { findView, type View } from './view.ts';
import { voucherPdf } from './voucher.ts';

/** GET /pay/:token: the document of the payment's current state. */
async function page(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const token = params.token ?? '';
  const first = await findView(token, time);
  if (!first) return unknownLinkPage(request);
  const view = (await pollAttempt(first)) ? ((await findView(token, now())) ?? first) : first;
  return documentResponse(request, view, pageContextOf(request, view, time));
}

/** GET /pay/:token/challenge: sends the frame to the card's bank, or back to the page if no challenge is open. */
async function challenge(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return unknownLinkPage(request);
  const { words } = pageContextOf(request, view, time);
  const frameAncestors = frameAncestorsOf(view);
  const { screen } = view;
  return screen.kind === 'challenge'
    ? render({ state: 'frameLeave', action: screen.action }, words, { frameAncestors })
    : render({ state: 'frameReturn', pageUrl: attemptPath(view) }, words, { frameAncestors });
}

/** GET /pay/:token/address?country=US: the country's AddressForm in the page's language. */
async function address(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return privateJson({}, 404);
  const { language } = pageContextOf(request, view, time);
  const country = new URL(request.url).searchParams.get('country')?.toUpperCase() ?? '';
  return privateJson(addressForm(language, country));
}

/** GET /.well-known/apple-developer-merchantid-domain-association: the file of the requested host. */
async function association(request: HttpRequest): Promise<HttpResult> {
  const host = (request.headers.get('host') ?? '').toLowerCase().replace(/:\d+$/, '');
  const file = await findDomainFile(host);
  if (file === null) return httpResult(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return httpResult(file, {
    headers: {
      // Served as plain text, so that an uploaded file is never interpreted as a document of this host.
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; base-uri 'none'; sandbox",
    },
  });
}

type Asked = { request: HttpRequest; view: View; time: Date };

/** A file of a link; 404 if its page has none (null), and a 429 before it is made, over the limit of its payment. */
function fileRoute(make: (asked: Asked) => Promise<HttpResult | null>): Route['run'] {
  return async (request, params) => {
    const time = now();
    const view = await findView(params.token ?? '', time);
    const seconds = view ? retryAfterForPayment('pay_file', view.payment.id) : 0;
    if (seconds > 0) return tooManyRequests(request, seconds);
    return (view && (await make({ request, view, time }))) ?? unknownLinkPage(request);
  };
}

const presentOf = ({ screen }: View) => (screen.kind === 'present' ? screen.present : undefined);

/** GET /pay/:token/code.png: the displayed code as a picture. */
const codePicture = fileRoute(async ({ view }) => {
  const present = presentOf(view);
  const payload = present && payloadOf(present);
  return payload === undefined ? null : fileOf(await qrPng(payload), 'image/png', 'code.png');
});

/** GET /pay/:token/ticket.pdf: the voucher with payment data and barcode. */
const downloadVoucher = fileRoute(async ({ request, view, time }) => {
  const present = presentOf(view);
  if (present?.kind !== 'details' || present.barcode === undefined) return null;
  const { words } = pageContextOf(request, view, time);
  const { payment, caller } = view;
  const pdf = await voucherPdf(
    {
      merchant: caller.merchant.name,
      method: findMethod(view.attempt?.method ?? '')?.name ?? '',
      order: payment.orderNumber,
      description: payment.description,
      amount: { minor: payment.amountMinor, currency: payment.currency },
      rows: present.rows,
      barcode: present.barcode,
      symbology: present.symbology,
      expiresAt: present.expiresAt === undefined ? undefined : new Date(present.expiresAt),
    },
    words,
  );
  if (!pdf) return tooManyRequests(request, pdfBusySeconds);
  return fileOf(pdf, 'application/pdf', `ticket-${payment.id}.pdf`);
});

/** GET /pay/:token/deadline.ics: the time until which the payment can be made, for the payer's calendar. */
const downloadDeadline = fileRoute(async ({ request, view, time }) => {
  const present = presentOf(view);
  if (present?.kind !== 'details' || present.expiresAt === undefined) return null;
  const { words } = pageContextOf(request, view, time);
  const { payment, caller, token } = view;
  const deadline = {
    id: payment.id,
    at: new Date(present.expiresAt),
    merchant: caller.merchant.name,
    amount: words.amount({ minor: payment.amountMinor, currency: payment.currency }).text,
    pageUrl: new URL(pathOf(token), checkoutBaseUrl()).href,
  };
  return fileOf(Buffer.from(await calendarFile(deadline, time, words)), 'text/calendar; charset=utf-8', 'deadline.ics');
});

function fileOf(bytes: Uint8Array, type: string, name: string): HttpResult {
  return httpResult(new Uint8Array(bytes), {
    headers: {
      'content-type': type,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    },
  });
}

/**
 * POST /notify/:connector/:mid: 401 for a bad signature, or one by a replaced secret about no transaction of its time; 404 for
 * an unknown MID, 200 once it is stored. A notification only triggers a poll: its content is not trusted, so a forged,
 * late or repeated one has no effect.
 */
const notify: Route['run'] = async (request, params) => {
  const mid = await findMid(params.mid ?? '');
  const connector = findConnector(params.connector ?? '');
  if (!mid || !connector || mid.connector !== connector.id) return respond(404);
  // A notification about an attempt under earlier settings is signed with the earlier secret.
  const earlier = (await earlierSettings(mid)).filter((each) => each.connector === connector.id);
  const current = { version: mid.settingsVersion, settings: mid.settings };
  const notification = await connector.readNotification([current, ...earlier], request);
  if (!notification) return refuseNotification(mid, connector.id);
  const { key, signers } = notification;
  // A replaced secret, which may have leaked, signs only for the transactions of its own time.
  const versions = signers.includes(current) ? null : signers.map(({ version }) => version);
  const time = now();
  if (isUuid(key) && (await storeNotification(key, mid.id, versions, time))) {
    runInBackground('a notification', () => processNotification(key, time));
    return respond(200);
  }
  return versions === null ? respond(200) : refuseNotification(mid, connector.id);
};

function refuseNotification(mid: { id: string }, connector: string): HttpResult {
  const refused = { action: 'notification.refused', protocol: connector, reason: 'signature' } as const;
  countRefusal({ ...refused, subject: `mid:${mid.id}` });
  return respond(401);
}

function respond(status: number): HttpResult {
  return jsonResult({ received: status === 200 }, { status, headers: { 'cache-control': 'no-store' } });
}

const documents: Route[] = [
  { method: 'GET', path: '/pay/:token', run: page },
  { method: 'POST', path: '/pay/:token', run: submit },
  { method: 'POST', path: '/pay/:token/cancel', run: cancel },
  { method: 'POST', path: '/pay/:token/abandon', run: chooseAnotherMethod },
  { method: 'POST', path: '/pay/:token/remind', run: remind },
  { method: 'POST', path: '/pay/:token/renew', run: renewCode },
  { method: 'POST', path: '/pay/:token/code', run: submitCode },
  { method: 'GET', path: '/pay/:token/code.png', run: codePicture },
  { method: 'GET', path: '/pay/:token/ticket.pdf', run: downloadVoucher },
  { method: 'GET', path: '/pay/:token/deadline.ics', run: downloadDeadline },
  { method: 'GET', path: '/pay/:token/challenge', run: challenge },
  { method: 'GET', path: '/return/:transaction', run: returnFromBank },
  { method: 'POST', path: '/return/:transaction', run: returnFromBank },
  { method: 'POST', path: '/return/:transaction/code', run: submitCodeDirect },
];

/** What a page loads besides its document. */
const states: Route[] = [
  ...liveRoutes,
  { method: 'GET', path: '/pay/:token/address', run: address },
  { method: 'GET', path: '/pay/:token/logo', run: logo },
  { method: 'GET', path: '/pay/logo/:digest', run: logoByDigest },
  { method: 'GET', path: '/.well-known/apple-developer-merchantid-domain-association', run: association },
];

/** The rate limit of a document's route: of requests that do more than to render a page, of files, and of pages. */
function scopeOf({ method, path }: Route): 'pay' | 'pay_file' | 'pay_view' {
  if (method === 'POST' || path.startsWith('/return')) return 'pay';
  return /\.\w+$/.test(path) ? 'pay_file' : 'pay_view';
}

export const payerRoutes: Route[] = [
  ...documents.map((route) => ({ ...route, run: withFailurePage(withRateLimit(scopeOf(route), route.run)) })),
  ...states.map((route) => ({ ...route, run: withRateLimit('pay_state', route.run) })),
  { method: 'POST', path: '/pay/:token/wallet/applepay/validate', run: withRateLimit('pay', validateApplePay) },
  ...fieldRoutes,
  { method: 'POST', path: '/notify/:connector/:mid', run: notify },
];
