// A provider that a test scripts call by call, behind the accounts `a` and `b` of the scripted providers' merchants. It
// implements the open provider contract, keeps a journal of the money that has moved, and deviates only as scripted:
// late requests, lost or contradictory answers, portal actions, chargebacks of any amount.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type Bank,
  become,
  type Call,
  type Chargeback,
  captureAtPortal,
  decide,
  execute,
  known,
  lastOf,
  newBank,
  type Operation,
  paymentOf,
  type Status,
} from './scripted-provider-bank.ts';
import { serverSettings } from './vault.ts';

/** How one call is handled. By default the provider executes and answers it. */
export type Step = {
  /** Delays the request until the test releases it, or for this many milliseconds. */
  held?: true | number;
  /** Executes the order; the caller receives only this. */
  lost?: Failure;
  /** Does not execute the order; the caller receives only this. */
  never?: Failure;
  /** Rejects the order before it is executed; its key is not reserved. */
  refused?: { status: 422 | 429; code: string };
  /** The outcome of the order. `soft` is a soft decline. */
  says?: Status | 'soft';
  /** Delays the answer by this many milliseconds after the order is executed. */
  after?: number;
  /** Members that replace those of the answer. */
  tells?: Record<string, unknown>;
  /** A status request that does not find the key (a lagging replica, a restart), or a void that does not reserve it. */
  stray?: true;
  /** Repeats this step for every further call. */
  stays?: true;
};

/** A number is an HTTP status without the contract's error body. */
type Failure = 'hang' | 'reset' | 'garbage' | number;

// biome-ignore lint/suspicious/noExplicitAny: bodies are untyped, and the tests check their values.
type Body = any;
type Headers = IncomingMessage['headers'];

/** A request as received, whether or not it is executed. */
export type Arrival = {
  account: string;
  call: Call;
  key: string;
  order: string;
  path: string;
  body: Body;
  headers: Headers;
};

type ScriptedState = {
  port: number;
  time: () => Promise<Date>;
  bank: Bank;
  /** Keys are `order call` or `order account call`. */
  scripts: Map<string, Step[]>;
  arrivals: Arrival[];
  onTheirWay: { order: string; arrive: () => Promise<void> }[];
  honouring: Set<string>;
  hanging: Set<ServerResponse>;
};

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

/**
 * Starts the provider on a port of `scriptedProviderPorts`. `time` returns the server's time if the test moves the
 * clock; deadlines and timestamps of notifications use it.
 */
export async function startScriptedProvider(port: number, time: () => Promise<Date> = async () => new Date()) {
  const bank = newBank();
  const held = { arrivals: [], onTheirWay: [], scripts: new Map(), honouring: new Set<string>() };
  const state: ScriptedState = { port, time, bank, ...held, hanging: new Set() };
  const server = createServer((request, response) => {
    takeCall(state, request, response).catch((error) => response.destroy(error));
  });
  while (!(await listens(server, port))) await new Promise((resolve) => setTimeout(resolve, 200));
  const movements = (order: string) => bank.movements.get(order) ?? [];

  return {
    /** Scripts the next calls about an order, one step each: `payment`, or `b payment` for one account only. */
    on: (order: string, call: Call | `${'a' | 'b'} ${Call}`, ...steps: Step[]) =>
      void state.scripts.set(`${order} ${call}`, steps),
    /** The requests about an order in order of arrival, including delayed ones. */
    arrived: (order: string, call?: Call) =>
      state.arrivals.filter((each) => each.order === order && (!call || each.call === call)),
    /** Releases all delayed requests of an order; returns their number. */
    release: (order: string) => release(state, order),
    /** From now on rejects requests of an order that arrive after their `Florin-Deadline`. */
    honourDeadlines: (order: string) => void state.honouring.add(order),
    /** The money that has moved for an order: `a sale 8450`, `a refund -2000`. */
    moved: (order: string) => movements(order).map(({ account, what, minor }) => `${account} ${what} ${minor}`),
    /** The provider's balance of an order, or its payouts, in minor units. */
    net: (order: string) => Number(movements(order).reduce((sum, { minor }) => sum + minor, 0n)),
    becomes: (order: string, status: Status, account?: string) => become(bank, order, status, account),
    decides: (order: string, call: Call, status: 'approved' | 'declined') => decide(bank, order, call, status),
    captureAtPortal: (order: string) => captureAtPortal(bank, order),
    /** The payer's bank charges back, or withdraws the chargeback under the same id. */
    chargeBack(order: string, reported: Partial<Chargeback> & { amount: string; currency: string }): Chargeback {
      const payment = paymentOf(bank, order);
      const full: Chargeback = { id: `cb-${randomUUID()}`, date: '2026-11-20', status: 'open', ...reported };
      payment.chargebacks = [...payment.chargebacks.filter(({ id }) => id !== full.id), full];
      return full;
    },
    /**
     * Sends a signed notification of an order's payment, or of its last `call`, to the server at `florin`; returns the
     * status.
     */
    notify: (order: string, florin: string, call?: Call) => notify(state, order, florin, call),
    async close() {
      for (const response of state.hanging) response.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Returns false while another test run uses the port. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((done, failed) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : failed(error));
    server.once('error', onError);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', onError);
      done(true);
    });
  });
}

async function takeCall(state: ScriptedState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await read(request);
  const [, account = '', first = '', id = '', action] = (request.url ?? '').split('/');
  const body = text === '' ? {} : JSON.parse(text);
  const call = first === 'operations' ? 'look-up' : ((action ?? first.slice(0, -1)) as Call);
  const key = call === 'look-up' ? id : String(request.headers['idempotency-key']);
  const order = body.order?.number ?? orderOf(state, id);
  const { url: path = '', headers } = request;
  state.arrivals.push({ account, call, key, order, path, body, headers });
  const step = nextStep(state, order, account, call);
  const arrive = async () => {
    if (call !== 'look-up') {
      if (await isOver(state, order, request.headers)) {
        send(response, 408, { error: { code: 'deadline_passed' } });
        return;
      }
      const { amount, currency, operation, notify_url: notifyUrl } = body;
      const ordered = { account, call, key, order, original: id, amount, currency, operation, notifyUrl };
      if (!step.stray) execute(state.bank, ordered, step.says);
    }
    await answer(state, response, step, known(state.bank, account, key));
  };
  if (typeof step.held === 'number') await new Promise((resolve) => setTimeout(resolve, Number(step.held)));
  if (step.held === true) state.onTheirWay.push({ order, arrive });
  else if (step.never !== undefined) fail(state, response, step.never);
  else if (step.refused !== undefined) send(response, step.refused.status, { error: { code: step.refused.code } });
  else await arrive();
}

/** The payment that a status request or a modification refers to may still be delayed. */
function orderOf({ arrivals }: ScriptedState, key: string): string {
  return arrivals.find((each) => each.key === key)?.order ?? '';
}

function nextStep({ scripts }: ScriptedState, order: string, account: string, call: Call): Step {
  const steps = scripts.get(`${order} ${account} ${call}`) ?? scripts.get(`${order} ${call}`) ?? [];
  return (steps[0]?.stays ? steps[0] : steps.shift()) ?? {};
}

async function isOver({ honouring, time }: ScriptedState, order: string, headers: Headers): Promise<boolean> {
  const deadline = headers['florin-deadline'];
  return honouring.has(order) && typeof deadline === 'string' && (await time()).getTime() > Date.parse(deadline);
}

async function release({ onTheirWay }: ScriptedState, order: string): Promise<number> {
  const ofOrder = onTheirWay.filter((each) => each.order === order);
  for (const each of ofOrder) {
    onTheirWay.splice(onTheirWay.indexOf(each), 1);
    await each.arrive();
  }
  return ofOrder.length;
}

async function answer(
  state: ScriptedState,
  response: ServerResponse,
  step: Step,
  operation: Operation | undefined,
): Promise<void> {
  if (step.lost !== undefined) {
    fail(state, response, step.lost);
    return;
  }
  if (step.after) await new Promise((resolve) => setTimeout(resolve, step.after));
  if (!operation || step.stray) send(response, 404, { error: { code: 'operation_not_found' } });
  else send(response, 200, { ...answerOf(state, operation), ...step.tells });
}

function answerOf({ port }: ScriptedState, operation: Operation): object {
  const { key, amount, currency, chargebacks, call, isVoided } = operation;
  // A voided payment accepts no modifications, whatever its earlier state.
  const voided = isVoided && call === 'payment';
  const status = voided ? 'declined' : operation.status;
  const decline = voided ? { code: 'voided', soft: false } : operation.decline;
  const action = { url: `http://127.0.0.1:${port}/bank/${key}`, method: 'GET', params: {} };
  return {
    reference: key,
    provider_reference: `p-${key}`,
    status,
    ...(call !== 'void' && { amount, currency }),
    ...((status === 'challenge' || status === 'redirect') && { action }),
    ...(decline && { decline: { ...decline, message: decline.code, class: 'bank' } }),
    ...(chargebacks.length > 0 && { chargebacks }),
  };
}

function fail({ hanging }: ScriptedState, response: ServerResponse, how: Failure): void {
  if (how === 'hang') hanging.add(response);
  else if (how === 'reset') response.socket?.destroy();
  else if (how === 'garbage') response.writeHead(200).end('<html>Maintenance</html>');
  else response.writeHead(how).end('<html>Bad gateway</html>');
}

async function notify(state: ScriptedState, order: string, florin: string, call?: Call): Promise<number> {
  const payment = paymentOf(state.bank, order);
  const body = JSON.stringify(answerOf(state, call ? lastOf(state.bank, order, call) : payment));
  const [id, timestamp] = [`evt-${randomUUID()}`, String(Math.floor((await state.time()).getTime() / 1000))];
  const signature = createHmac('sha256', notificationKey()).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const address = florin + new URL(payment.notifyUrl ?? '').pathname;
  const response = await fetch(address, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

/** The key of the notifications, derived for the account `scripted` as in lib/sandbox/provider/api-keys.ts. */
function notificationKey(): Buffer {
  const vaultKey = Buffer.from(serverSettings().VAULT_KEY ?? '', 'base64');
  return createHmac('sha256', vaultKey).update('sandbox provider notifications scripted').digest();
}

function send(response: ServerResponse, status: number, body: object): void {
  // The caller may have closed the connection.
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
