// A model of a payment, written from the contract alone (protocol.md 5, Moves; section 8): its state, its sums and its
// callbacks. Tests act on a real payment and compare it with the model.

export type CardKind = 'settled' | 'declined' | 'captureDeclined' | 'refundDeclined' | 'voidDeclined';

/** The expected state of a payment. Amounts are cents. */
export type Model = {
  protocol: 'checkout' | 's2s';
  operation: 'purchase' | 'debit';
  /** Authorize only. */
  auth: boolean;
  total: number;
  card: CardKind;
  /** Whether the payer got a challenge: a repeated attempt gets another challenge. */
  challenged: boolean;
  state: 'prepare' | 'pending' | 'settled' | 'decline' | 'refund' | 'reversal' | 'void' | 'chargeback';
  settled: number;
  refunded: number;
  /** Callbacks so far, as `status type order_status`. */
  told: string[];
};

/** The answer to a request: `ok`, `failed` for a decline, `taken` for a pending outcome, or an error code. */
export type Verdict = string;

/** An attempt to pay; only if the page still has its form. */
export function pay(model: Model, card: CardKind, challenge: 'none' | 'confirm' | 'refuse'): void {
  model.card = card;
  model.challenged = challenge !== 'none';
  if (challenge !== 'none') model.told.push('success 3ds 3ds');
  attempt(model, challenge !== 'refuse' && card !== 'declined');
}

function attempt(model: Model, succeeds: boolean): void {
  const type = model.operation === 'debit' ? 'debit' : 'sale';
  model.state = !succeeds ? 'decline' : model.auth ? 'pending' : 'settled';
  if (model.state === 'settled') model.settled = model.total;
  model.told.push(`${succeeds ? 'success' : 'fail'} ${type} ${model.state}`);
}

export function capture(model: Model, amount: number | null): Verdict {
  if (model.state !== 'pending') return '208003';
  if ((amount ?? 0) > model.total) return '208004';
  if (model.card === 'captureDeclined') return report(model, 'fail', 'capture');
  model.state = 'settled';
  model.settled = amount ?? model.total;
  return report(model, 'success', 'capture');
}

export function refund(model: Model, amount: number | null): Verdict {
  const releases = model.state === 'pending' && model.protocol === 's2s';
  if (!releases && model.state !== 'settled') return '208005';
  if (releases || model.operation === 'debit') {
    if (amount !== null && amount > model.total) return '208008';
    if (amount !== null && amount < model.total) return '208009';
    return reverse(model, releases ? 'voidDeclined' : 'refundDeclined', 'taken');
  }
  const left = model.settled - model.refunded;
  if ((amount ?? 0) > left) return '208006';
  if (model.card !== 'refundDeclined') {
    model.refunded += amount ?? left;
    if (model.refunded === model.settled) model.state = 'refund';
  }
  report(model, model.card === 'refundDeclined' ? 'fail' : 'success', 'refund');
  return 'taken';
}

export function voidWhole(model: Model): Verdict {
  if (model.state === 'pending' && model.protocol === 'checkout') return reverse(model, 'voidDeclined');
  if (model.state !== 'settled' || model.refunded > 0) return '100000';
  if (model.card === 'voidDeclined') return report(model, 'fail', 'void');
  model.state = 'void';
  return report(model, 'success', 'void');
}

export function retry(model: Model): Verdict {
  if (model.state !== 'decline') return '204005';
  attempt(model, model.card !== 'declined');
  return 'taken';
}

export function chargeBack(model: Model): void {
  model.state = 'chargeback';
  report(model, 'success', 'chargeback');
}

function reverse(model: Model, fails: CardKind, answered?: Verdict): Verdict {
  const failed = model.card === fails;
  if (!failed) model.state = 'reversal';
  const verdict = report(model, failed ? 'fail' : 'success', 'reversal');
  return answered ?? verdict;
}

function report(model: Model, outcome: 'success' | 'fail', type: string): Verdict {
  model.told.push(`${outcome} ${type} ${model.state}`);
  return outcome === 'success' ? 'ok' : 'failed';
}

/** The same callback in S2S CARD terms. */
export function inCardWords(callback: string): string {
  const [outcome = '', type = '', state = ''] = callback.split(' ');
  const action = { refund: 'CREDITVOID', reversal: 'CREDITVOID' }[type] ?? type.toUpperCase();
  return [action, outcome === 'fail' ? 'DECLINED' : 'SUCCESS', cardState(state)].join(' ');
}

/** The same state in S2S CARD terms. */
export const cardState = (state: string): string => (state === 'decline' ? 'DECLINED' : state.toUpperCase());
