// A provider of a history: the open provider contract over the network of the simulation. What it answers with a status
// of its own (errors, garbage, a look-up that finds nothing) is decided here; what happens on the way, in network.ts.
import { createHmac } from 'node:crypto';
import {
  type Answer,
  type Asked,
  type Movement,
  newProviderModel,
  type Operation,
  type ProviderModel,
  type Whims,
} from '../chaos/provider-model.ts';
import type { Draw } from '../chaos/seeded-random.ts';
import type { Chance } from './chance.ts';
import { type Merchant, merchants } from './merchants.ts';
import type { Answered, Sent } from './network.ts';
import type { Scheduler } from './scheduler.ts';
import { serviceOrigin } from './settings.ts';

const day = 86_400_000;
const answered = ([status, body]: Answer): Answered => ({ status, body: JSON.stringify(body) });
const notFound: Answer = [404, { error: { code: 'operation_not_found' } }];
const garbled: Answered = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Maintenance</html>' };

export type Provider = {
  origin: string;
  journal: Movement[];
  serve: (sent: Sent) => Promise<Answered>;
  /** Its staff, a payer or a bank changes an operation without a request. */
  actAtPortal: () => Promise<void>;
  /** A capture, refund or payout gets the opposite of the outcome that was reported, against the contract. */
  reverse: (keys: Set<string>) => Promise<void>;
  /** A payment that was declined or cancelled settles nevertheless, against the contract. */
  contradict: () => Promise<void>;
};

type Surroundings = {
  chance: Chance;
  scheduler: Scheduler;
  note: (who: string, what: string) => void;
  report: (violation: string) => void;
  onMovement: (line: Movement) => void;
  /** Sends a request to the service. */
  send: (who: string, sent: Sent) => Promise<Answered | null>;
};

type Parts = Surroundings & { origin: string; model: ProviderModel; owners: Owners; draw: Draw };

/** Starts a provider that is reached under `origin`. */
export function startProvider(surroundings: Surroundings, origin: string): Provider {
  const { chance, scheduler, note, onMovement } = surroundings;
  const journal: Movement[] = [];
  const draw = chance.draws(`provider ${origin}`);
  // Some providers ignore the deadline of a request.
  const keepsDeadlines = draw() < 0.5;
  const declinesSoftly = chance.draws('bank')() < 0.5;
  const model = newProviderModel({
    write: async (line) => {
      journal.push(line);
      for (const key of [line.key, line.original ?? '']) replica.remember(key);
      note(origin, `${line.what} ${line.kind} ${line.key.slice(-4)} ${line.status} ${line.minor}`);
      onMovement(line);
    },
    now: scheduler.now,
    draw,
    bankUrl: (key) => `${origin}/bank/${key}`,
    whims: { ...whimsOf(chance), declinesSoftly: () => declinesSoftly || chance.happens('declined softly') },
  });
  const replica = newReplica(surroundings, model);
  const owners = newOwners(surroundings);
  const parts = { ...surroundings, origin, model, owners, draw };
  const notify = newNotifier(parts);
  const follow = newFollower(parts, notify);

  async function execute(sent: Sent, kind: string, original: string | undefined, asked: Asked) {
    const body = owners.receive(sent, original, asked);
    const deadline = sent.headers['florin-deadline'];
    if (keepsDeadlines && deadline && scheduler.now() > Date.parse(deadline)) return;
    const isNew = !model.operations.has(body.reference);
    await model.execute(kind, body.reference, original, body);
    const operation = model.operations.get(body.reference);
    if (isNew && operation) follow(operation);
  }

  async function serve(sent: Sent): Promise<Answered> {
    const [, first = '', original = '', action] = new URL(sent.url).pathname.split('/');
    if (chance.happens('server error before')) return { status: 503, body: 'oops' };
    if (sent.method === 'GET') {
      owners.verify(sent, original);
      const answer = chance.happens('look-up finds nothing') ? notFound : replica.lookUp(original);
      const [status, found] = answer as [number, { status?: string }];
      note(origin, `look-up ${original.slice(-4)} ${found.status ?? status}`);
      return chance.happens('answer garbled') ? garbled : answered(answer);
    }
    const body: Asked = JSON.parse(sent.body);
    const kind = action ?? (first === 'payouts' ? 'payout' : 'payment');
    await execute(sent, kind, action ? original : undefined, body);
    if (chance.happens('server error after')) return { status: 502, body: '<html>Bad gateway</html>' };
    if (chance.happens('answer garbled')) return garbled;
    if (!model.operations.has(body.reference)) return { status: 408, body: '{"error":{"code":"deadline_passed"}}' };
    return answered(model.answerOf(body.reference));
  }

  async function contradict() {
    const declined = [...model.operations.values()].filter(
      ({ kind, status, order, captured }) =>
        kind === 'payment' && status === 'declined' && order !== null && captured === null,
    );
    const operation = declined[Math.floor(draw() * declined.length)];
    if (!operation) return;
    await model.finish({ key: operation.key, ok: true, anyway: true });
    notify(operation.key, operation.notifyUrl);
  }

  async function reverse(keys: Set<string>) {
    const operation = await model.reverse(keys);
    if (!operation) return;
    notify(operation.key, operation.notifyUrl ?? model.operations.get(operation.original ?? '')?.notifyUrl);
  }

  async function actAtPortal() {
    const { what, key, notifyUrl } = await model.actAtPortal();
    if (!key) return;
    note(origin, `portal: ${what} ${key.slice(-4)}`);
    notify(key, notifyUrl);
  }

  return { origin, journal, serve, actAtPortal, contradict, reverse };
}

type Owners = ReturnType<typeof newOwners>;

/** To which merchant's accounts the operations of a provider belong, by their API keys. */
function newOwners({ report }: Surroundings) {
  const owners = new Map<string, Merchant>();

  /** The merchant of a request about an operation, which another merchant may not see or change. */
  function verify({ headers, url }: Sent, key: string | undefined): Merchant | undefined {
    const merchant = merchants.find(({ providerKeys }) => headers.authorization === `Bearer ${providerKeys.apiKey}`);
    const owner = owners.get(key ?? '');
    if (!merchant) report(`${url} was called with an unknown API key`);
    else if (owner && owner !== merchant)
      report(`${url} of an account of ${owner.name} was called with the API key of ${merchant.name}`);
    return merchant;
  }

  return {
    verify,
    /** Notes the owner of a new operation; returns the request with the order's name in the records of a history. */
    receive(sent: Sent, original: string | undefined, asked: Asked): Asked {
      const merchant = verify(sent, original);
      if (!merchant) return asked;
      for (const key of [asked.reference, original])
        if (key !== undefined && !owners.has(key)) owners.set(key, merchant);
      verify(sent, asked.reference);
      const { order } = asked;
      return order ? { ...asked, order: { ...order, number: merchant.orderOf(order.number) } } : asked;
    },
    /** The secret that signs the notifications about an operation. */
    secretOf: (key: string) =>
      Buffer.from(owners.get(key)?.providerKeys.signingSecret.replace('whsec_', '') ?? '', 'base64'),
  };
}

/** What the provider decides by chance, within the contract and against it. */
function whimsOf({ happens }: Chance): Whims {
  const refusesVoids = happens('void refused');
  return {
    declinesSoftly: () => happens('declined softly'),
    relents: () => happens('bank relents'),
    refusesVoid: () => refusesVoids,
    takesLess: () => happens('takes less'),
    takesOtherCurrency: () => happens('takes another currency'),
    movesLess: () => happens('moves less'),
    voidsLater: () => happens('void takes time'),
  };
}

/** Answers look-ups; at times as of some time ago, where an operation had no outcome yet. */
function newReplica({ chance, scheduler }: Surroundings, model: ProviderModel) {
  /** What look-ups of each key would have returned, after each change. */
  const states = new Map<string, { at: number; answer: Answer }[]>();
  return {
    remember(key: string) {
      if (model.operations.has(key))
        states.set(key, [...(states.get(key) ?? []), { at: scheduler.now(), answer: model.answerOf(key) }]);
    },
    lookUp(key: string): Answer {
      if (!chance.happens('look-up lags')) return model.answerOf(key);
      const shown = scheduler.now() - chance.longWait('lag');
      const older = states.get(key)?.findLast(({ at }) => at <= shown)?.answer;
      const hasNoOutcome = older && 'status' in older[1] && /challenge|processing/.test(String(older[1].status));
      return hasNoOutcome ? older : model.answerOf(key);
    },
  };
}

type Notify = (key: string, url: string | undefined) => void;

/** What comes later for an operation that is not final: the payer or the bank decides. */
function newFollower({ chance, scheduler, send, model, draw }: Parts, notify: Notify) {
  async function finish(operation: Operation, ok: boolean) {
    const before = operation.status;
    await model.finish({ key: operation.key, ok });
    if (operation.status === before) return;
    notify(operation.key, operation.notifyUrl ?? model.operations.get(operation.original ?? '')?.notifyUrl);
    if (operation.kind === 'payment' && before === 'challenge' && draw() < 0.7) returnPayer(operation.key);
  }

  /** The payer's browser comes back from the bank. */
  function returnPayer(key: string) {
    const sent = { method: 'GET', url: `${serviceOrigin}/return/${key}`, headers: { accept: 'text/html' }, body: '' };
    scheduler.after(chance.between('return', 100, 5_000), null, 'the payer returns', () => void send('payer', sent));
  }

  async function takeRest({ key, notifyUrl }: Operation) {
    if (await model.takeRest(key)) notify(key, notifyUrl);
  }

  return function follow(operation: Operation) {
    if (operation.missing && chance.happens('rest taken'))
      scheduler.after(chance.between('rest', 100, 60_000), null, 'the rest is taken', () => takeRest(operation));
    if (operation.status === 'challenge') {
      if (chance.happens('payer leaves')) return;
      const ok = draw() < 0.7;
      scheduler.after(chance.between('payer', 2_000, 120_000), null, 'the payer decides', () => finish(operation, ok));
    } else if (operation.status === 'processing') {
      const ok = draw() < 0.7;
      scheduler.after(chance.between('bank', 500, 60_000), null, 'the bank decides', () => finish(operation, ok));
    }
  };
}

/** Sends notifications, and repeats each until it was acknowledged. */
function newNotifier({ chance, scheduler, note, send, origin, owners, draw }: Parts) {
  async function deliver(url: string, key: string) {
    const body = JSON.stringify({ reference: key, status: 'approved' });
    const at = scheduler.now();
    const [id, timestamp] = [`evt-${key}-${at}`, String(Math.floor(at / 1000))];
    const signature = createHmac('sha256', owners.secretOf(key)).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    };
    const answer = await send(origin, { method: 'POST', url, headers, body });
    note(origin, `notified ${key.slice(-4)}: ${answer?.status} ${answer?.status === 200 ? '' : answer?.body}`);
    return answer?.status ?? null;
  }

  return function notify(key: string, url: string | undefined, attempts = 0) {
    if (!url || attempts > 300) return;
    const again = () => notify(key, url, attempts + 1);
    scheduler.after(chance.between('notification', 5, 3_000), null, 'notification', async () => {
      if (chance.happens('notification twice')) {
        const later = 5 + draw() ** 4 * 2 * day;
        scheduler.after(later, null, 'notification twice', () => void deliver(url, key));
      }
      const isAcknowledged = !chance.happens('notification lost') && (await deliver(url, key)) === 200;
      if (!isAcknowledged) scheduler.after(1_000 * 2 ** Math.min(attempts, 12), null, 'notification again', again);
    });
  };
}
