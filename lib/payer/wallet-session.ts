/** Gets Apple's merchant session, with the merchant's certificate, for a page that passes the form's CSRF check. */

import { env } from '../config/index.ts';
import { now } from '../db/clock.ts';
import { type HttpResult, isHttpResult } from '../http/index.ts';
import { appleSession } from '../protocols/index.ts';
import { log } from '../telemetry/index.ts';
import { ownOrigins } from './csrf-guard.ts';
import { offeredWallets } from './method-list.ts';
import { privateJson } from './responses.ts';
import { readPageForm } from './submit.ts';
import { findView } from './view.ts';

/** POST /pay/:token/wallet/applepay/validate: Apple's opaque session for this page, from the address it named. */
export async function validateApplePay(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const view = await findView(params.token ?? '', now());
  if (!view) return reload(404);
  const form = await readPageForm(request, view.payment);
  if (isHttpResult(form)) return reload(form.status);
  const offered = view.screen.kind === 'form' ? offeredWallets(view) : [];
  const wallet = offered.find(({ kind }) => kind === 'applepay');
  if (wallet?.kind !== 'applepay') return reload(409);
  const host = new URL(ownOrigins().at(-1) ?? env.baseUrl).hostname;
  const { merchant } = view.caller;
  const address = form.fields.get('validation_url') ?? '';
  const session = await appleSession(address, wallet.apple, { shop: merchant.name, host });
  if (session === 'foreign') {
    log.warn({ merchant: merchant.id }, 'a page named an address that is not Apple Pay');
    return reload(400);
  }
  return session === null ? reload(502) : privateJson(session);
}

const reload = (status: number) => privateJson({ next: 'reload' }, status);
