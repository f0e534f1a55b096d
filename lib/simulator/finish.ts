// Addresses by which a person or a test plays the payer of any sandbox payment, whatever the payment showed them: by the
// gateway's own reference, so that whoever knows a transaction can finish it.
import { now } from '../clock';
import { env } from '../env';
import type { Route } from '../route';
import { leadBack, readForm } from './bank';
import { finishedPage, finishPage, openPage } from './finish-pages';
import type { Operation } from './operation';
import { findByReference, findLatest } from './operations';
import { payerDeclined } from './outcomes';
import { missingPage } from './pages';
import { threeDS } from './scenario';
import { chargeBack, isUnfinished, leavePending, settleDue, settleOperation } from './settle';
import { parseJson, refusal, say, writeAnswer } from './wire';

const latestCount = 50;
/** The reason that card schemes give for "not authorised by the cardholder", where the bank's reason is not asked. */
const chargebackReason = '10.4';

/** The rows of the payer's other side. */
export const finishRoutes: Route[] = [
  { method: 'GET', path: '/sandbox/provider/open', only: 'sandbox', run: listOpen },
  { method: 'GET', path: '/sandbox/finish/:reference', only: 'sandbox', run: showFinish },
  { method: 'POST', path: '/sandbox/finish/:reference', only: 'sandbox', run: takeFinish },
];

async function listOpen(): Promise<Response> {
  const open = await findLatest(['challenge', 'redirect', 'processing'], latestCount);
  const done = await findLatest(['approved', 'authorized'], latestCount);
  return openPage(open, done);
}

async function find({ reference = '' }: Record<string, string>): Promise<Operation | null> {
  const found = await findByReference(reference);
  return found && (await settleDue(found, now()));
}

async function showFinish(request: Request, params: Record<string, string>): Promise<Response> {
  const operation = await find(params);
  if (wantsJson(request)) return operation ? tell(operation) : unknown();
  return operation ? shownAfter(operation) : missingPage();
}

/** Carries out `outcome` (approve, decline, pending, rejected or chargeback) and tells what the payment is then. */
async function takeFinish(request: Request, params: Record<string, string>): Promise<Response> {
  const isJson = wantsJson(request);
  const outcome = await outcomeOf(request);
  const operation = await find(params);
  if (!operation) return isJson ? unknown() : missingPage();
  const change = outcome !== null && Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  if (!change)
    return refusal(400, 'invalid_request', `The outcome should be one of ${Object.keys(outcomes).join(', ')}`);
  const after = await change(operation, now());
  if (isJson) return tell(after);
  // A payer who was sent away is led back; any other has the checkout open somewhere else.
  const wasSentAway = operation.status === 'redirect' || operation.status === 'challenge';
  return wasSentAway && operation.returnUrl ? leadBack(after) : shownAfter(after);
}

type Finish = (operation: Operation, at: Date) => Promise<Operation>;

const outcomes: { readonly [outcome: string]: Finish } = {
  approve: (operation, at) => settleOperation(operation, at, null, authenticated(operation)),
  decline: (operation, at) => settleOperation(operation, at, payerDeclined),
  pending: (operation, at) => leavePending(operation, at, 'settled'),
  rejected: (operation, at) => leavePending(operation, at, 'declined'),
  chargeback: takeBack,
};

const authenticated = ({ status }: Operation) => (status === 'challenge' ? threeDS('Y', 'challenge') : {});

async function takeBack(operation: Operation, at: Date): Promise<Operation> {
  if (operation.kind !== 'payment' || !operation.capturedAt || operation.voidedAt) return operation;
  const chargeback = await chargeBack(operation, operation.capturedMinor, chargebackReason, at);
  return chargeback ? { ...operation, facts: { ...operation.facts, chargeback } } : operation;
}

// One that was left pending has no question any more: it ends by itself.
function shownAfter(operation: Operation): Response {
  const isLeft = operation.status === 'processing' && !operation.facts.present && operation.dueAt !== null;
  return isUnfinished(operation) && !isLeft ? finishPage(operation) : finishedPage(operation);
}

const wantsJson = (request: Request) => /\bapplication\/json\b/.test(request.headers.get('accept') ?? '');
const tell = (operation: Operation) => say(writeAnswer(operation, env.baseUrl));
const unknown = () => refusal(404, 'operation_not_found', 'There is no operation with this reference');

async function outcomeOf(request: Request): Promise<string | null> {
  if (!/\bapplication\/json\b/.test(request.headers.get('content-type') ?? ''))
    return (await readForm(request)).get('outcome');
  const body = parseJson(await request.text()) as { outcome?: unknown } | undefined;
  return typeof body?.outcome === 'string' ? body.outcome : null;
}
