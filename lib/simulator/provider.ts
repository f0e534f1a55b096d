// The API of the sandbox provider: the open provider contract, answered from the simulator's own books. The gateway
// reaches it over HTTP like any other provider.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../clock';
import { maskOf } from '../core/cards';
import { env } from '../env';
import { findMethod, methods } from '../methods/catalog';
import type { Method } from '../methods/method';
import type { Route } from '../route';
import { giveReference, giveToken, refuseUncredited } from './credentials';
import { startMethod, startMethodPayout } from './experience';
import { broken, type FaultCall, hang, takeFault, under } from './faults';
import { type Caller, repeatOf, takeFollow } from './follow';
import { accountOf, providerPath } from './keys';
import type { NewOperation, Scenario } from './operation';
import { countAttempts, findByKey, insertOperation } from './operations';
import { takeProceed } from './proceed';
import { countsAttempts, type Start, startPayment, startPayout } from './scenario';
import { settleDue } from './settle';
import {
  type PaymentOrder,
  type PayoutOrder,
  readOrder,
  readPayment,
  readPayout,
  refusal,
  say,
  writeAnswer,
} from './wire';

const slowSeconds = 8;

type Answering = (caller: Caller, request: Request, params: Record<string, string>) => Promise<Response>;

/** The rows of the provider's API. */
export const providerRoutes: Route[] = [
  row('POST', '/payments', takePayment),
  row('POST', '/payouts', takePayout),
  row('POST', '/payments/:original/capture', takeFollow('capture')),
  row('POST', '/payments/:original/refund', takeFollow('refund')),
  row('POST', '/payments/:original/void', takeFollow('void')),
  row('POST', '/payments/:original/proceed', takeProceed),
  row('POST', '/tokens', giveToken),
  // A reference is asked for with the token that the account was given, and with nothing else.
  { method: 'POST', path: `${providerPath}/references`, only: 'sandbox', run: giveReference },
  row('GET', '/operations/:key', tellOperation),
  row('GET', '/capabilities', async () => Response.json(capabilities)),
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

function row(method: string, path: string, run: Answering): Route {
  return {
    method,
    path: providerPath + path,
    only: 'sandbox',
    run(request, params) {
      const account = accountOf(env.vaultKey, request.headers.get('authorization'));
      if (account === null) return refusal(401, 'unauthorized', 'The API key is not valid');
      return run({ account, waitSeconds: waitOf(request) }, request, params);
    },
  };
}

// How long the caller is going to wait (RFC 7240), so that an answer that must come too late does not come by far.
function waitOf(request: Request): number {
  const match = /(?:^|[\s,;])wait=(\d{1,3})/.exec(request.headers.get('prefer') ?? '');
  return match ? Math.min(Math.max(Number(match[1]), 1), 60) : 30;
}

async function takePayment(caller: Caller, request: Request): Promise<Response> {
  const order = await readOrder(request, readPayment);
  if (order instanceof Response) return order;
  const method = methodOf(caller, order, request.headers, 'payment');
  if (method instanceof Response) return method;
  const at = now();
  const id = randomUUID();
  const start = method
    ? startMethod(order, method, { id, at, baseUrl: env.baseUrl })
    : startPayment(order, countsAttempts(order) ? await countAttempts(order.order.number, at) : 0, caller.waitSeconds);
  const fingerprint = `payment ${order.operation} ${order.method} ${order.minor} ${order.currency}`;
  return begin(
    caller,
    order,
    start,
    { id, kind: 'payment', fingerprint, operation: order.operation, card: order.card },
    at,
  );
}

/** The row of an order's method, null for cards; a Response is the refusal. */
function methodOf(
  caller: Caller,
  order: PaymentOrder | PayoutOrder,
  headers: Headers,
  kind: 'payment' | 'payout',
): Method | null | Response {
  const method = findMethod(order.method);
  if (!method) return refusal(422, 'method_not_supported', 'There is no such method');
  if (method.experience === 'card') return null;
  const serves = method.operations.some((operation) => (operation === 'credit') === (kind === 'payout'));
  if (!serves) return refusal(422, 'operation_not_supported', `This method takes no ${kind}s`);
  return refuseUncredited(caller, method, order, headers) ?? method;
}

async function takePayout(caller: Caller, request: Request): Promise<Response> {
  const order = await readOrder(request, readPayout);
  if (order instanceof Response) return order;
  const method = methodOf(caller, order, request.headers, 'payout');
  if (method instanceof Response) return method;
  const at = now();
  const start = method && !order.payee_card ? startMethodPayout(order, method, at) : startPayout(order);
  const fingerprint = `payout ${order.method} ${order.minor} ${order.currency}`;
  const made = { id: randomUUID(), kind: 'payout', fingerprint, card: order.payee_card } as const;
  return begin(caller, order, start, made, at);
}

type Made = Pick<NewOperation, 'id' | 'kind' | 'fingerprint' | 'operation'> & { card?: { number: string } };

async function begin(
  caller: Caller,
  order: PaymentOrder | PayoutOrder,
  start: Start,
  { card, ...made }: Made,
  at: Date,
): Promise<Response> {
  const { id } = made;
  const { status, scenario, decline, facts } = start;
  const answer = writeAnswer({ id, key: order.reference, status, decline, facts }, env.baseUrl);
  const written = await insertOperation({
    ...made,
    account: caller.account,
    key: order.reference,
    method: order.method,
    orderNumber: order.order.number,
    descriptor: order.descriptor ?? '',
    currency: order.currency,
    amountMinor: order.minor,
    status,
    cardMask: card && maskOf(card.number),
    scenario: { ...scenario, told: toldOf(order) },
    facts,
    decline,
    firstAnswer: answer,
    returnUrl: order.return_url,
    notifyUrl: order.notify_url,
    dueAt: start.dueSeconds === undefined ? null : new Date(at.getTime() + start.dueSeconds * 1000),
    createdAt: at,
  });
  if (written === 'repeat') return await repeat(caller, order, made.kind, made.fingerprint);
  const say = () => transport(start, caller, answer);
  return written.fault ? await under(written.fault, caller.waitSeconds, say) : await say();
}

function toldOf(order: PaymentOrder | PayoutOrder): Scenario['told'] {
  return { ip: order.payer?.ip, browser: 'browser' in order ? order.browser : undefined };
}

async function transport({ transport: how }: Start, { waitSeconds }: Caller, answer: object): Promise<Response> {
  if (how === 'drop') return broken();
  if (how === 'hang') await hang(waitSeconds);
  if (how === 'slow') {
    const seconds = Math.max(0, Math.min(slowSeconds, waitSeconds - 2));
    await delay(seconds * 1000, undefined, { ref: false });
  }
  return say(answer);
}

/** The same key again: the first answer, unless the same key now means another movement. */
async function repeat(
  caller: Caller,
  order: { reference: string; order: { number: string } },
  kind: FaultCall,
  fingerprint: string,
): Promise<Response> {
  const first = await findByKey(caller.account, order.reference);
  if (!first) return refusal(409, 'operation_in_progress', 'Another call with this key is under way');
  const fault = await takeFault(order.order.number, kind);
  const work = async () => repeatOf(first, fingerprint);
  return fault ? await under(fault, caller.waitSeconds, work) : await work();
}

async function tellOperation(
  caller: Caller,
  _request: Request,
  { key = '' }: Record<string, string>,
): Promise<Response> {
  const found = await findByKey(caller.account, key);
  const fault = await takeFault(found?.orderNumber ?? '', 'status');
  const work = async () => {
    const at = now();
    const operation = found && (await settleDue(found, at));
    if (!operation) return refusal(404, 'operation_not_found', 'There is no operation with this key');
    return say(writeAnswer(operation, env.baseUrl));
  };
  return fault ? await under(fault, caller.waitSeconds, work) : await work();
}
