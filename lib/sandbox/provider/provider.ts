// The API of the sandbox provider: the open provider contract over its own tables. The gateway reaches it over HTTP
// like any other provider. Not available in production.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { env } from '../../config/index.ts';
import { maskOf } from '../../core/cards.ts';
import { sandboxCards, sandboxCode } from '../../core/sandbox-cards.ts';
import { now } from '../../db/clock.ts';
import { type HttpRequest, type HttpResult, jsonResult, type Route } from '../../http/index.ts';
import { findMethod, methods } from '../../methods/catalog.ts';
import type { Method } from '../../methods/method.ts';
import { sandboxRoute } from '../routes.ts';
import { accountOf, providerPath } from './api-keys.ts';
import { bankRoutes } from './bank.ts';
import { bankingAppRoutes } from './banking-app.ts';
import { completeDue } from './completion.ts';
import { issueReference, issueToken, requireCredentials } from './credentials.ts';
import { startMethod, startMethodPayout } from './experience.ts';
import { broken, hang, type Instead, under, withFault } from './injected-faults.ts';
import { type Caller, type Handler, handleModification, handleProceed, minorOf, repeatOf } from './modifications.ts';
import { declinedByProcessing } from './operation.ts';
import { countAttempts, findByKey, insertOperation, type NewOperation, newOperation } from './operation-queries.ts';
import { countsAttempts, type Start, startPayment, startPayout } from './scenario.ts';
import { tellSettlements } from './settlements.ts';
import { providerControlRoutes } from './test-controls.ts';
import * as wire from './wire.ts';

const slowSeconds = 8;

/** All routes of the sandbox provider: its API, its bank and wallet, and the guarded controls. */
export const simulatorRoutes: Route[] = [
  row('POST', '/payments', takePayment),
  row('POST', '/payouts', takePayout),
  row('POST', '/payments/:original/capture', handleModification('capture')),
  row('POST', '/payments/:original/refund', handleModification('refund')),
  row('POST', '/payments/:original/void', handleModification('void')),
  row('POST', '/payments/:original/proceed', handleProceed),
  row('POST', '/tokens', issueToken),
  // A reference requires only the token that the account got.
  sandboxRoute('POST', `${providerPath}/references`, issueReference),
  row('GET', '/operations/:key', tellOperation),
  row('GET', '/settlements/:date', tellSettlements),
  row('GET', '/capabilities', async () => jsonResult(capabilities)),
  ...bankRoutes,
  ...bankingAppRoutes,
  ...providerControlRoutes,
  // The table of sandbox cards, for documentation and tests.
  sandboxRoute('GET', '/sandbox/cards.json', () => jsonResult({ code: sandboxCode, cards: sandboxCards })),
];

const capabilities = {
  operations: ['sale', 'authorize', 'debit', 'transfer', 'capture', 'refund', 'void', 'payout'],
  methods: methods.map(({ id }) => id),
  partial_capture: true,
  partial_refund: true,
  zero_amount: true,
  three_ds: true,
  external_three_ds: true,
  recurring: true,
  wallet: 'decrypted',
};

function row(method: string, path: string, run: Handler): Route {
  return sandboxRoute(method, providerPath + path, (request, params) => {
    const account = accountOf(env.vaultKey, request.headers.get('authorization'));
    if (account === null) return wire.reject(401, 'unauthorized', 'The API key is not valid');
    return run({ account, waitSeconds: waitOf(request), deadline: wire.deadlineOf(request) }, request, params);
  });
}

// The caller's timeout (RFC 7240), so that a response meant to be late is late enough.
function waitOf(request: HttpRequest): number {
  const match = /(?:^|[\s,;])wait=(\d{1,3})/.exec(request.headers.get('prefer') ?? '');
  return match ? Math.min(Math.max(Number(match[1]), 1), 60) : 30;
}

async function takePayment(caller: Caller, request: HttpRequest): Promise<HttpResult> {
  const order = await wire.readOrder(request, wire.paymentShape);
  const method = methodOf(caller, order, request.headers, 'payment');
  const fingerprint = `payment ${order.operation} ${order.method} ${order.minor} ${order.currency}`;
  const made = { kind: 'payment', fingerprint, operation: order.operation, card: order.card } as const;
  return await arrive(caller, order, made, async (id, at) => {
    if (method) return startMethod(order, method, { id, at, baseUrl: env.baseUrl });
    const attempts = countsAttempts(order) ? await countAttempts(order.order.number, at) : 0;
    return startPayment(order, attempts, caller.waitSeconds);
  });
}

function methodOf(caller: Caller, order: wire.OrderRequest, headers: Headers, kind: Made['kind']): Method | null {
  const method = findMethod(order.method);
  if (!method) return wire.reject(422, 'method_not_supported', 'There is no such method');
  if (method.experience === 'card') return null;
  const serves = method.operations.some((operation) => (operation === 'credit') === (kind === 'payout'));
  if (!serves) wire.reject(422, 'operation_not_supported', `This method takes no ${kind}s`);
  requireCredentials(caller, method, order, headers);
  return method;
}

async function takePayout(caller: Caller, request: HttpRequest): Promise<HttpResult> {
  const order = await wire.readOrder(request, wire.payoutShape);
  const method = methodOf(caller, order, request.headers, 'payout');
  const fingerprint = `payout ${order.method} ${order.minor} ${order.currency}`;
  const made = { kind: 'payout', fingerprint, card: order.payee_card } as const;
  return await arrive(caller, order, made, async (_id, at) =>
    method && !order.payee_card ? startMethodPayout(order, method, at) : startPayout(order),
  );
}

type Made = Pick<NewOperation, 'fingerprint' | 'operation'> & { kind: 'payment' | 'payout'; card?: { number: string } };

/** Handles an order: rejects it after its deadline, inserts it, or repeats the answer. `instead`: a fault's result. */
async function arrive(
  caller: Caller,
  order: wire.OrderRequest,
  made: Made,
  begin: (id: string, at: Date) => Promise<Start>,
  instead: Instead | null = null,
): Promise<HttpResult> {
  const at = now();
  const late = wire.isLate(caller.deadline, at);
  // A known key gets its usual answer.
  if (late && !(await findByKey(caller.account, order.reference))) wire.rejectLate();
  const id = randomUUID();
  const start = await begin(id, at);
  const operation = operationOf(caller, order, made, { ...start, id, at }, instead ?? {});
  const written = late ? 'repeat' : await insertOperation(operation, instead !== null);
  if (written === 'repeat') return repeat(caller, order, made);
  const { fault } = written;
  const respond = () => transport(start, caller, operation.firstAnswer);
  if (!fault) return respond();
  const carryOut = () => arrive(caller, order, made, begin, fault.answer ?? {});
  return under(fault, caller.waitSeconds, fault.carriedOut ? respond : carryOut);
}

function operationOf(
  { account }: Caller,
  order: wire.OrderRequest,
  { card, ...made }: Made,
  { id, at, scenario, facts, ...start }: Start & { id: string; at: Date },
  instead: Instead,
) {
  const status = instead.status ?? start.status;
  const payer = { ip: order.payer?.ip, browser: 'browser' in order ? order.browser : undefined };
  return newOperation({
    ...made,
    id,
    account,
    status,
    facts,
    key: order.reference,
    decline: status === 'declined' ? (start.decline ?? declinedByProcessing) : null,
    amountMinor: minorOf(instead) ?? order.minor,
    currency: instead.currency ?? order.currency,
    method: order.method,
    orderNumber: order.order.number,
    descriptor: order.descriptor ?? '',
    cardMask: card ? maskOf(card.number) : null,
    scenario: { ...scenario, payer },
    returnUrl: order.return_url ?? null,
    notifyUrl: order.notify_url ?? null,
    dueAt: start.dueSeconds === undefined ? null : new Date(at.getTime() + start.dueSeconds * 1000),
    createdAt: at,
  });
}

async function transport({ transport: how }: Start, { waitSeconds }: Caller, answer: object): Promise<HttpResult> {
  if (how === 'drop') return broken();
  if (how === 'hang') await hang(waitSeconds);
  if (how === 'slow') {
    const seconds = Math.max(0, Math.min(slowSeconds, waitSeconds - 2));
    await delay(seconds * 1000, undefined, { ref: false });
  }
  return wire.say(answer);
}

async function repeat(caller: Caller, order: wire.OrderRequest, { kind, fingerprint }: Made): Promise<HttpResult> {
  const first = await findByKey(caller.account, order.reference);
  if (!first) return wire.reject(409, 'operation_in_progress', 'Another call with this key is under way');
  return withFault(order.order.number, kind, caller.waitSeconds, () => repeatOf(first, fingerprint));
}

async function tellOperation(caller: Caller, _: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const found = await findByKey(caller.account, params.key ?? '');
  return withFault(found?.orderNumber ?? '', 'status', caller.waitSeconds, async () => {
    const operation = found && (await completeDue(found, now()));
    if (!operation) return wire.reject(404, 'operation_not_found', 'There is no operation with this key');
    return wire.say(wire.writeAnswer(operation, env.baseUrl));
  });
}
