// A provider of the open provider contract (docs/providers/contract.md) without a network: what it does with requests, and
// what its staff, its payers and their banks do. Its journal is the true record of money movements.
import { type Draw, oneOf } from './seeded-random.ts';

/** A line of the journal: one movement. */
export type Movement = {
  at: number;
  key: string;
  kind: string;
  what: string;
  original: string | null;
  order: string | null;
  status: string;
  minor: string;
  currency: string;
};

type Decision = {
  status: string;
  /** The money that a modification moves. */
  moved?: bigint;
  decline?: { code: string; message: string; class: string; soft: boolean };
};

type Chargeback = { id: string; amount: string; currency: string; date: string; status: string };

export type Operation = Decision & {
  kind: string;
  key: string;
  original: string | null;
  order: string | null;
  minor: bigint;
  currency: string;
  notifyUrl?: string;
  chargebacks: Chargeback[];
  captured: bigint | null;
  refunded: bigint;
  isVoided: boolean;
  /** Reserves only: its approval is called `authorized`. */
  isAuthorize?: boolean;
  /** What was taken less than was requested. */
  missing?: bigint;
  written?: Promise<void>;
};

/** The body of a request of the contract. */
export type Asked = {
  reference: string;
  amount?: string;
  currency?: string;
  operation?: string;
  method?: string;
  order?: { number: string };
  notify_url?: string;
};

export type Answer = [status: number, body: object];

const minor = (amount: string) => BigInt(amount.replace('.', ''));
/** All test amounts have two decimals. */
const amountOf = (sum: bigint) => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;

/** What a provider may do within the contract beyond the outcome that the amount selects. */
export type Whims = {
  /** A decline that another account of the merchant may not repeat. */
  declinesSoftly: () => boolean;
  /** The bank approves what it has declined before. */
  relents: () => boolean;
  /** Captured money can no longer be voided. */
  refusesVoid: () => boolean;
  /** Another amount is taken than was requested, which the contract does not allow. */
  takesLess: () => boolean;
  /** Another currency is reported than was requested, which the contract does not allow. */
  takesOtherCurrency: () => boolean;
  /** A capture or a refund moves less than was requested, which the contract does not allow. */
  movesLess: () => boolean;
  /** A void is decided later. */
  voidsLater: () => boolean;
};

const never = () => false;
const noWhims: Whims = {
  declinesSoftly: never,
  relents: never,
  refusesVoid: never,
  takesLess: never,
  takesOtherCurrency: never,
  movesLess: never,
  voidsLater: never,
};

type Context = { original: Operation | undefined; isRepeated: boolean; whims: Whims };

/**
 * The outcome of a request. Amounts ending in 5 are declined, those ending in 3 get a challenge, and those ending in 7
 * are decided by the bank later.
 */
function decide(kind: string, { amount = '', operation }: Asked, { original, isRepeated, whims }: Context): Decision {
  if (kind === 'payment') {
    if (amount.endsWith('5') && !(isRepeated && whims.relents())) return declined('funds', whims.declinesSoftly());
    if (amount.endsWith('3')) return { status: 'challenge' };
    if (amount.endsWith('7')) return { status: 'processing' };
    return { status: operation === 'authorize' ? 'authorized' : 'approved' };
  }
  if (kind === 'payout') return { status: amount.endsWith('7') ? 'processing' : 'approved' };
  if (!original) return declined('unknown_payment');
  if (kind === 'void' && whims.voidsLater()) return { status: 'processing', moved: 0n };
  return follow(kind, original, amount === '' ? null : minor(amount), whims);
}

const lessOf = (sum: bigint, whims: Whims) => (sum > 100n && whims.movesLess() ? sum - 100n : sum);

const isLater = (wanted: bigint | null) => wanted !== null && wanted % 10n === 7n;

function follow(kind: string, original: Operation, wanted: bigint | null, whims: Whims): Decision {
  if (kind === 'capture') {
    const isHeld = original.status === 'authorized' && original.captured === null && !original.isVoided;
    if (!isHeld || (wanted ?? original.minor) > original.minor) return declined('not_held');
    original.captured = lessOf(wanted ?? original.minor, whims);
    return { status: 'approved', moved: original.captured };
  }
  const taken = original.captured ?? (original.status === 'approved' ? original.minor : 0n);
  if (kind === 'refund') {
    const left = original.isVoided ? 0n : taken - original.refunded;
    if ((wanted ?? left) <= 0n || (wanted ?? left) > left) return declined('nothing_left');
    const share = lessOf(wanted ?? left, whims);
    original.refunded += share;
    return { status: isLater(wanted) ? 'processing' : 'approved', moved: share };
  }
  if (original.isVoided || original.refunded > 0n) return declined('over');
  if (taken > 0n && whims.refusesVoid()) return declined('too_late');
  original.isVoided = true;
  if (original.status === 'challenge' || original.status === 'processing') original.status = 'declined';
  // The void of an uncaptured authorisation moves its full amount in the journal, like a refund.
  const isHeld = original.status === 'authorized' && original.captured === null;
  return { status: 'approved', moved: isHeld ? original.minor : taken };
}

const declined = (code: string, soft = false) => ({
  status: 'declined',
  decline: { code, message: code, class: 'bank', soft },
});

/** The captured amount, 0 after a void. */
const takenOf = ({ status, isVoided, captured, minor: sum }: Operation) =>
  isVoided ? 0n : (captured ?? (status === 'approved' ? sum : 0n));

/** What the model needs: where its journal goes, its clock, its chance, and the address of the bank's page. */
type Surroundings = {
  write: (line: Movement) => Promise<void>;
  now: () => number;
  draw: Draw;
  bankUrl: (key: string) => string;
  whims?: Whims;
};

export type ProviderModel = ReturnType<typeof newProviderModel>;

/** A provider without operations. */
export function newProviderModel({ write, now, draw, bankUrl, whims = noWhims }: Surroundings) {
  /** By key: the operation and its response. */
  const operations = new Map<string, Operation>();

  /** Executes a request once per key and writes it to disk. */
  async function execute(kind: string, key: string, originalKey: string | undefined, body: Asked) {
    const known = operations.get(key);
    if (known) return known.written;
    if (kind === 'void' && originalKey && !operations.has(originalKey)) blockKey(originalKey);
    const original = operations.get(originalKey ?? '');
    const amount = body.amount ?? null;
    const order = body.order?.number ?? original?.order ?? null;
    const missing = kind === 'payment' && body.method === 'card' && whims.takesLess() ? 100n : 0n;
    const decision = decide(kind, body, { original, isRepeated: hasDeclined(order), whims });
    const operation: Operation = {
      ...decision,
      kind,
      key,
      original: originalKey ?? null,
      order,
      minor: decision.moved ?? minor(amount ?? '0') - missing,
      missing,
      currency: whims.takesOtherCurrency() ? 'USD' : (body.currency ?? original?.currency ?? 'EUR'),
      notifyUrl: body.notify_url,
      chargebacks: [],
      captured: null,
      refunded: 0n,
      isVoided: false,
      isAuthorize: body.operation === 'authorize',
    };
    operations.set(key, operation);
    operation.written = note(operation, body.operation ?? kind);
    return operation.written;
  }

  const hasDeclined = (order: string | null) =>
    [...operations.values()].some(
      (each) => each.kind === 'payment' && each.order === order && each.status === 'declined',
    );

  /** A void of an unknown payment blocks its key: the payment is declined if it arrives later. */
  function blockKey(key: string) {
    const blank = {
      original: null,
      order: null,
      minor: 0n,
      currency: 'EUR',
      chargebacks: [],
      captured: null,
      refunded: 0n,
    };
    const blocked: Operation = { ...declined('cancelled'), ...blank, key, kind: 'payment', isVoided: false };
    operations.set(key, blocked);
    blocked.written = note(blocked, 'cancelled');
  }

  function note({ key, kind, original, order, status, minor: amount, moved, currency }: Operation, what: string) {
    return write({ at: now(), key, kind, what, original, order, status, minor: String(moved ?? amount), currency });
  }

  function answerOf(key: string): Answer {
    const operation = operations.get(key);
    if (!operation) return [404, { error: { code: 'operation_not_found' } }];
    const { kind, minor: sum, currency, chargebacks } = operation;
    // A voided payment holds no money, whatever its state before.
    const voided = kind === 'payment' && operation.isVoided ? declined('voided') : null;
    const { status, decline } = voided ?? operation;
    const action = status === 'challenge' ? { url: bankUrl(key), method: 'GET', params: {} } : undefined;
    const money = kind === 'void' ? {} : { amount: amountOf(sum), currency };
    const disputes = chargebacks.length > 0 ? { chargebacks } : {};
    return [200, { reference: key, provider_reference: `p-${key}`, status, decline, action, ...money, ...disputes }];
  }

  return { operations, execute, answerOf, ...newPortal({ operations, note, write, now, draw, whims }) };
}

type Portal = Omit<Surroundings, 'bankUrl' | 'whims'> & {
  whims: Whims;
  operations: Map<string, Operation>;
  note: (operation: Operation, what: string) => Promise<void>;
};

/** What happens at a provider without a request. */
function newPortal({ operations, note, write, now, draw, whims }: Portal) {
  /** Actions of the provider's staff and of issuers. */
  const portal: Record<string, (payment: Operation) => Promise<boolean>> = {
    async void(payment) {
      if (takenOf(payment) === 0n || payment.refunded > 0n) return false;
      Object.assign(payment, declined('voided_at_portal'), { isVoided: true });
      await note(payment, 'taken back');
      return true;
    },
    async capture(payment) {
      if (payment.status !== 'authorized' || payment.captured !== null || payment.isVoided) return false;
      Object.assign(payment, { captured: payment.minor, status: 'approved' });
      await note(payment, 'portal capture');
      return true;
    },
    async chargeback(payment) {
      const left = takenOf(payment) - payment.refunded;
      if (left < 100n || payment.chargebacks.length > 0) return false;
      const sum = draw() < 0.5 ? left : left / 2n;
      const id = `cb-${payment.key}`;
      const date = new Date(now()).toISOString().slice(0, 10);
      payment.chargebacks.push({ id, amount: amountOf(sum), currency: payment.currency, date, status: 'open' });
      const line = { key: id, kind: 'chargeback', what: 'chargeback', original: payment.key, order: payment.order };
      await write({ at: now(), ...line, status: 'approved', minor: String(sum), currency: payment.currency });
      return true;
    },
  };

  /** Acts on a random payment; returns its key and notification URL, or nothing if none is eligible. */
  async function actAtPortal() {
    const payments = [...operations.values()].filter(({ kind, order }) => kind === 'payment' && order !== null);
    const what = oneOf(draw, Object.keys(portal));
    const from = Math.max(0, payments.length - 200);
    for (let attempts = 0; attempts < 20 && payments.length > 0; attempts += 1) {
      const payment = payments[from + Math.floor(draw() * (payments.length - from))];
      if (!payment || !(await portal[what]?.(payment))) continue;
      return { what, key: payment.key, notifyUrl: payment.notifyUrl };
    }
    return {};
  }

  /**
   * The payer's or the bank's decision. `anyway` violates the contract: a cancelled payment settles nevertheless.
   */
  async function finish({ key, ok, anyway }: { key: string; ok?: boolean; anyway?: boolean }) {
    const operation = operations.get(key);
    const isOpen = operation?.status === 'challenge' || operation?.status === 'processing';
    if (!operation || (!isOpen && !anyway)) return;
    const original = operations.get(operation.original ?? '');
    if (operation.kind === 'void' && original) {
      Object.assign(operation, follow('void', original, null, whims));
      return note(operation, 'finished');
    }
    if (!ok && original && operation.kind === 'refund') original.refunded -= operation.moved ?? 0n;
    Object.assign(
      operation,
      ok ? { status: operation.isAuthorize ? 'authorized' : 'approved', isVoided: false } : declined('refused'),
    );
    await note(operation, 'finished');
  }

  /** Takes the rest of a payment of which less was taken, unless it has been changed since. */
  async function takeRest(key: string): Promise<boolean> {
    const operation = operations.get(key);
    if (!operation?.missing || !/^(approved|authorized)$/.test(operation.status)) return false;
    if (operation.isVoided || operation.captured !== null) return false;
    Object.assign(operation, { minor: operation.minor + operation.missing, missing: 0n });
    await note(operation, 'rest taken');
    return true;
  }

  return { actAtPortal, finish, takeRest, reverse: newReversal({ operations, note, draw }) };
}

/** Contradicts outcomes that were reported, which the contract does not allow. */
function newReversal({ operations, note, draw }: Pick<Portal, 'operations' | 'note' | 'draw'>) {
  /** Whether the modification or payout can get the other outcome: what was moved since does not depend on it. */
  function isReversible({ kind, status, original: key, moved, minor: sum }: Operation): boolean {
    const original = operations.get(key ?? '');
    const isApproved = status === 'approved';
    if (!isApproved && status !== 'declined') return false;
    if (kind === 'payout') return true;
    if (!original || original.isVoided) return false;
    if (kind === 'refund') return isApproved || (moved ?? sum) <= takenOf(original) - original.refunded;
    if (kind !== 'capture' || original.refunded > 0n) return false;
    return isApproved || (original.status === 'authorized' && original.captured === null && sum <= original.minor);
  }

  /** A random capture, refund or payout of these keys gets the opposite of its outcome, against the contract. */
  return async function reverse(keys: Set<string>): Promise<Operation | undefined> {
    const eligible = [...operations.values()].filter((each) => keys.has(each.key) && isReversible(each));
    const operation = eligible[Math.floor(draw() * eligible.length)];
    if (!operation) return undefined;
    const original = operations.get(operation.original ?? '');
    const isApproved = operation.status === 'approved';
    const sum = operation.moved ?? operation.minor;
    if (operation.kind === 'refund' && original) original.refunded += isApproved ? -sum : sum;
    if (operation.kind === 'capture' && original) original.captured = isApproved ? null : sum;
    Object.assign(
      operation,
      isApproved ? declined('reversed') : { status: 'approved', moved: sum, decline: undefined },
    );
    await note(operation, 'reversed');
    return operation;
  };
}
