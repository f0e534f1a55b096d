/** Serves the document inside the challenge frame, and the states of a country for the form's list. */

import { statesOf } from '../core/subdivisions';
import { now } from '../db/clock';
import { type HttpResult, jsonResult } from '../http';
import { frameAncestorsOf } from './exit';
import { attemptPath, pageContextOf, presetOf } from './page-context';
import { render, unknownLinkPage } from './responses';
import { findView } from './view';

/** GET /pay/:token/challenge: sends the frame to the card's bank, or back to the page if no challenge is open. */
export async function challenge(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return unknownLinkPage(request);
  const { language } = pageContextOf(request, presetOf(view), time);
  const frameAncestors = frameAncestorsOf(view);
  const { screen } = view;
  return screen.kind === 'challenge'
    ? render({ state: 'frameLeave', action: screen.action }, language, { frameAncestors })
    : render({ state: 'frameReturn', pageUrl: attemptPath(view) }, language, { frameAncestors });
}

/**
 * GET /pay/:token/states?country=US: `{"states":[{code,name}]}` in the page's language; empty for a country without
 * states.
 */
export async function states(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (!view) return jsonResult({ states: [] }, { status: 404, headers });
  const { language } = pageContextOf(request, presetOf(view), time);
  const country = new URL(request.url).searchParams.get('country')?.toUpperCase() ?? '';
  return jsonResult({ states: statesOf(country, language) }, { headers });
}
