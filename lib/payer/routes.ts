/** The rows of the table of routes that payers' browsers and providers reach. */
import { now } from '../db/clock';
import type { Route } from '../http/route';
import { abandonAttempt, cancel, renewCode, typeCode } from './actions';
import { association } from './association';
import { challenge, states } from './challenge';
import { documentOf, unknownLink, withFailurePage, withLimit } from './document';
import { fieldRoutes } from './hosted-field';
import { liveRoutes } from './live';
import { logo, logoByDigest } from './logo';
import { notify } from './notify';
import { presentRoutes } from './present-files';
import { returned } from './return';
import { typeCodeDirect } from './return-direct';
import { askSoon } from './soon';
import { submit } from './submit';
import { findView } from './view';
import { presetOf, visitOf } from './visit';
import { validateApplePay } from './wallet-session';

/** GET /pay/:token: the document of the state that the payment is in. */
async function page(request: Request, params: Record<string, string>): Promise<Response> {
  const time = now();
  const token = params.token ?? '';
  const first = await findView(token, time);
  if (!first) return unknownLink(request);
  const view = (await askSoon(first)) ? ((await findView(token, now())) ?? first) : first;
  return documentOf(request, view, visitOf(request, presetOf(view), time));
}

const documents: Route[] = [
  { method: 'GET', path: '/pay/:token', run: page },
  { method: 'POST', path: '/pay/:token', run: submit },
  { method: 'POST', path: '/pay/:token/cancel', run: cancel },
  { method: 'POST', path: '/pay/:token/abandon', run: abandonAttempt },
  { method: 'POST', path: '/pay/:token/renew', run: renewCode },
  { method: 'POST', path: '/pay/:token/code', run: typeCode },
  ...presentRoutes,
  { method: 'GET', path: '/pay/:token/challenge', run: challenge },
  { method: 'GET', path: '/return/:transaction', run: returned },
  { method: 'POST', path: '/return/:transaction', run: returned },
  { method: 'POST', path: '/return/:transaction/code', run: typeCodeDirect },
];

/** Every row of this room. */
export const payerRoutes: Route[] = [
  ...documents.map(({ run, ...route }) => ({
    ...route,
    run: withFailurePage(route.method === 'POST' ? withLimit(run) : run),
  })),
  ...liveRoutes,
  { method: 'POST', path: '/pay/:token/wallet/applepay/validate', run: withLimit(validateApplePay) },
  ...fieldRoutes,
  { method: 'GET', path: '/pay/:token/states', run: states },
  { method: 'GET', path: '/pay/:token/logo', run: logo },
  { method: 'GET', path: '/pay/logo/:digest', run: logoByDigest },
  { method: 'GET', path: '/.well-known/apple-developer-merchantid-domain-association', run: association },
  { method: 'POST', path: '/notify/:connector/:mid', run: notify },
];
