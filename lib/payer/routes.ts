/** The routes for payers' browsers and providers. */
import { statesOf } from '../core/subdivisions.ts';
import { now } from '../db/clock.ts';
import { type HttpRequest, type HttpResult, httpResult, type Route } from '../http/index.ts';
import { findDomainFile } from '../merchants/index.ts';
import { cancel, chooseAnotherMethod, renewCode, submitCode, validateApplePay } from './actions.ts';
import { frameAncestorsOf } from './exit.ts';
import { fieldRoutes } from './hosted-field.ts';
import { liveRoutes } from './live-updates.ts';
import { logo, logoByDigest } from './logo.ts';
import { attemptPath, pageContextOf } from './page-context.ts';
import { pollAttempt } from './poll-provider.ts';
import { presentRoutes } from './present-files.ts';
import { notify } from './provider-notifications.ts';
import { documentResponse, privateJson, render, unknownLinkPage, withFailurePage, withRateLimit } from './responses.ts';
import { returnFromBank, submitCodeDirect } from './return.ts';
import { submit } from './submit.ts';
import { findView } from './view.ts';

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
  const { language } = pageContextOf(request, view, time);
  const frameAncestors = frameAncestorsOf(view);
  const { screen } = view;
  return screen.kind === 'challenge'
    ? render({ state: 'frameLeave', action: screen.action }, language, { frameAncestors })
    : render({ state: 'frameReturn', pageUrl: attemptPath(view) }, language, { frameAncestors });
}

/** GET /pay/:token/states?country=US: `{"states":[{code,name}]}` in the page's language. */
async function states(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return privateJson({ states: [] }, 404);
  const { language } = pageContextOf(request, view, time);
  const country = new URL(request.url).searchParams.get('country')?.toUpperCase() ?? '';
  return privateJson({ states: statesOf(country, language) });
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
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}

const documents: Route[] = [
  { method: 'GET', path: '/pay/:token', run: page },
  { method: 'POST', path: '/pay/:token', run: submit },
  { method: 'POST', path: '/pay/:token/cancel', run: cancel },
  { method: 'POST', path: '/pay/:token/abandon', run: chooseAnotherMethod },
  { method: 'POST', path: '/pay/:token/renew', run: renewCode },
  { method: 'POST', path: '/pay/:token/code', run: submitCode },
  ...presentRoutes,
  { method: 'GET', path: '/pay/:token/challenge', run: challenge },
  { method: 'GET', path: '/return/:transaction', run: returnFromBank },
  { method: 'POST', path: '/return/:transaction', run: returnFromBank },
  { method: 'POST', path: '/return/:transaction/code', run: submitCodeDirect },
];

export const payerRoutes: Route[] = [
  ...documents.map(({ run, ...route }) => ({
    ...route,
    run: withFailurePage(route.method === 'POST' ? withRateLimit(run) : run),
  })),
  ...liveRoutes,
  { method: 'POST', path: '/pay/:token/wallet/applepay/validate', run: withRateLimit(validateApplePay) },
  ...fieldRoutes,
  { method: 'GET', path: '/pay/:token/states', run: states },
  { method: 'GET', path: '/pay/:token/logo', run: logo },
  { method: 'GET', path: '/pay/logo/:digest', run: logoByDigest },
  { method: 'GET', path: '/.well-known/apple-developer-merchantid-domain-association', run: association },
  { method: 'POST', path: '/notify/:connector/:mid', run: notify },
];
