// Routes by which a user or a test acts as the payer of any sandbox payment, by the gateway's own reference.
import { z } from 'zod';
import { env } from '../../config';
import { now } from '../../db/clock';
import type { HttpResult, Route } from '../../http';
import { refuse, sandboxRoute } from '../routes';
import { readForm, redirectBack } from './bank';
import { finishedPage, finishPage, openPage } from './banking-app-pages';
import { completeDue, completeOperation, isUnfinished, leavePending, payAmount } from './completion';
import { findById, findLatest, findLatestBy } from './operation-queries';
import type { Operation } from './operation-row';
import { payerDeclined } from './outcomes';
import { missingPage } from './pages';
import { chargeBack, leftOf } from './portal';
import { threeDS } from './scenario';
import { minorIn, parseJson, reject, say, writeAnswer } from './wire';

const latestCount = 50;
/** The card schemes' reason for "not authorised by the cardholder", used without the bank's reason. */
const chargebackReason = '10.4';

/** Routes of the payer's banking app. */
export const finishRoutes: Route[] = [
  sandboxRoute('GET', '/sandbox/provider/open', listOpen),
  sandboxRoute('GET', '/sandbox/finish/:reference', showFinish),
  sandboxRoute('POST', '/sandbox/finish/:reference', takeFinish),
];

async function listOpen(): Promise<HttpResult> {
  const open = await findLatest(['challenge', 'redirect', 'processing'], latestCount);
  const done = await findLatest(['approved', 'authorized'], latestCount);
  return openPage(open, done);
}

async function find(request: Request, { reference = '' }: Record<string, string>): Promise<Operation> {
  const found = await findLatestBy({ key: reference });
  if (found) return completeDue(found, now());
  if (!wantsJson(request)) return refuse(missingPage());
  return reject(404, 'operation_not_found', 'There is no operation with this reference');
}

async function showFinish(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const operation = await find(request, params);
  return wantsJson(request) ? replyWith(operation) : shownAfter(operation);
}

/**
 * Applies `outcome` (approve, decline, pending, rejected or chargeback) and returns the payment. `amount` is what the
 * payer approves or sends; by default all that is missing.
 */
async function takeFinish(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const { outcome, amount } = await saidBy(request);
  const operation = await find(request, params);
  const change = outcome !== null && Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  if (!change)
    return reject(400, 'invalid_request', `The outcome should be one of ${Object.keys(outcomes).join(', ')}`);
  const after = await change(operation, now(), amount ? minorIn(amount, operation.currency) : null);
  if (wantsJson(request)) return replyWith(after);
  // A redirected payer is sent back; any other has the checkout open elsewhere.
  const wasSentAway = operation.status === 'redirect' || operation.status === 'challenge';
  return wasSentAway && operation.returnUrl ? redirectBack(after) : shownAfter(after);
}

type Finish = (operation: Operation, at: Date, minor: bigint | null) => Promise<Operation>;

const outcomes: { readonly [outcome: string]: Finish } = {
  approve: (operation, at, minor) => payAmount(operation, at, minor, authenticated(operation)),
  decline: (operation, at) => completeOperation(operation, at, payerDeclined),
  pending: (operation, at) => leavePending(operation, at, 'settled'),
  rejected: (operation, at) => leavePending(operation, at, 'declined'),
  chargeback: takeBack,
};

const authenticated = ({ status }: Operation) => (status === 'challenge' ? threeDS('Y', 'challenge') : {});

async function takeBack(operation: Operation, at: Date): Promise<Operation> {
  if (operation.kind !== 'payment' || !operation.capturedAt || operation.voidedAt) return operation;
  const amount = { minor: leftOf(operation), currency: operation.currency };
  if (amount.minor <= 0n) return operation;
  await chargeBack(operation, { amount, reasonCode: chargebackReason }, at);
  return (await findById(operation.id)) ?? operation;
}

// A payment left pending completes by itself.
function shownAfter(operation: Operation): HttpResult {
  const isLeft = operation.status === 'processing' && !operation.facts.present && operation.dueAt !== null;
  return isUnfinished(operation) && !isLeft ? finishPage(operation) : finishedPage(operation);
}

const wantsJson = (request: Request) => /\bapplication\/json\b/.test(request.headers.get('accept') ?? '');
const replyWith = (operation: Operation) => say(writeAnswer(operation, env.baseUrl));

async function saidBy(request: Request): Promise<{ outcome: string | null; amount: string | null }> {
  const isJson = /\bapplication\/json\b/.test(request.headers.get('content-type') ?? '');
  const body: unknown = isJson ? parseJson(await request.text()) : Object.fromEntries(await readForm(request));
  const read = saidShape.safeParse(body);
  return read.success ? read.data : { outcome: null, amount: null };
}

const saidShape = z.object({
  outcome: z.string(),
  amount: z
    .string()
    .nullish()
    .transform((text) => text || null),
});
