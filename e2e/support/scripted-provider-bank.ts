// The records of the scripted provider (scripted-provider.ts): the orders, their outcomes, and the journal of the money that
// has moved.

export type Call = 'payment' | 'payout' | 'capture' | 'refund' | 'void' | 'look-up';
export type Status = 'approved' | 'authorized' | 'declined' | 'processing' | 'challenge' | 'redirect';

/** A chargeback in the open provider contract: the disputed amount, and whether the merchant won the dispute. */
export type Chargeback = {
  id: string;
  amount: string;
  currency: string;
  date: string;
  bank_date?: string;
  reason_code?: string;
  status: 'open' | 'won';
};

/** `minor` is what the payer paid (positive) or received back (negative); a payout's amount is positive. */
type Movement = { account: string; what: string; minor: bigint };

export type Operation = {
  key: string;
  account: string;
  call: Call;
  order: string;
  status: Status;
  decline?: { code: string; soft: boolean };
  amount?: string;
  currency?: string;
  /** Of a payment: the captured amount, the refunded amount, and whether it was voided. */
  taken: bigint;
  returned: bigint;
  isVoided: boolean;
  notifyUrl?: string;
  chargebacks: Chargeback[];
};

/** An order as received. `original` is the key of the payment that a modification refers to. */
export type Ordered = Pick<Operation, 'account' | 'call' | 'key' | 'order' | 'amount' | 'currency' | 'notifyUrl'> & {
  original: string;
  operation?: string;
};

/** Each account has its own operations. */
export type Bank = { operations: Map<string, Operation>; movements: Map<string, Movement[]> };

export const newBank = (): Bank => ({ operations: new Map(), movements: new Map() });

/** Returns the operation that an account has under a key. */
export const known = ({ operations }: Bank, account: string, key: string) => operations.get(`${account} ${key}`);

const keep = ({ operations }: Bank, operation: Operation) =>
  void operations.set(`${operation.account} ${operation.key}`, operation);

const minorOf = (amount: string | undefined) => BigInt((amount ?? '0').replace('.', ''));

function move(bank: Bank, { order, account }: Operation, type: string, minor: bigint): void {
  bank.movements.set(order, [...(bank.movements.get(order) ?? []), { account, what: type, minor }]);
}

function refuse(operation: Operation, code: string, soft = false): void {
  operation.status = 'declined';
  operation.decline = { code, soft };
}

/** Executes an order once per key. `says` is its outcome if the test sets one. */
export function execute(bank: Bank, ordered: Ordered, says: Status | 'soft' | undefined): void {
  const { original, operation: type = ordered.call, ...order } = ordered;
  if (known(bank, order.account, order.key)) return;
  const status = type === 'authorize' ? 'authorized' : 'approved';
  const operation: Operation = { ...order, status, taken: 0n, returned: 0n, isVoided: false, chargebacks: [] };
  keep(bank, operation);
  if (says === 'soft' || says === 'declined') refuse(operation, 'not_now', says === 'soft');
  else if (says) operation.status = says;
  if (order.call === 'payment' || order.call === 'payout') take(bank, operation, type);
  else follow(bank, operation, original);
}

/** `authorized` for any other call is a provider that reports the wrong status: the money has moved. */
function take(bank: Bank, operation: Operation, type: string): void {
  const isDone = operation.status === 'approved' || (operation.status === 'authorized' && type !== 'authorize');
  if (!isDone) return;
  operation.taken = minorOf(operation.amount);
  move(bank, operation, type, operation.taken);
}

/** Executes a modification unless it is rejected or pending. */
function follow(bank: Bank, operation: Operation, originalKey: string): void {
  if (operation.status !== 'approved' && operation.status !== 'authorized') return;
  const original = known(bank, operation.account, originalKey);
  if (operation.call === 'void') undo(bank, operation, originalKey);
  else if (!original) refuse(operation, 'unknown_payment');
  else if (operation.call === 'capture') capture(bank, operation, original);
  else returnAmount(bank, operation, original);
}

function capture(bank: Bank, operation: Operation, original: Operation): void {
  const minor = minorOf(operation.amount ?? original.amount);
  const isHeld = original.status === 'authorized' && original.taken === 0n && !original.isVoided;
  if (!isHeld || minor > minorOf(original.amount)) {
    refuse(operation, 'not_held');
    return;
  }
  original.taken = minor;
  setAmount(operation, minor, original);
  move(bank, operation, 'capture', minor);
}

function returnAmount(bank: Bank, operation: Operation, original: Operation): void {
  const left = original.isVoided ? 0n : original.taken - original.returned;
  const minor = operation.amount === undefined ? left : minorOf(operation.amount);
  if (minor <= 0n || minor > left) {
    refuse(operation, 'nothing_left');
    return;
  }
  original.returned += minor;
  setAmount(operation, minor, original);
  move(bank, operation, 'refund', -minor);
}

/** A request without an amount covers the full amount and then reports it. */
function setAmount(operation: Operation, minor: bigint, { amount = '0', currency }: Operation): void {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const digits = String(minor).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  operation.amount ??= decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  operation.currency ??= currency;
}

/** Voids a payment. An unknown key is reserved, so that a payment that arrives later is declined. */
function undo(bank: Bank, operation: Operation, originalKey: string): void {
  const original = known(bank, operation.account, originalKey);
  if (!original) {
    const reserved: Operation = { ...operation, key: originalKey, call: 'payment', isVoided: true };
    refuse(reserved, 'cancelled');
    keep(bank, reserved);
    return;
  }
  if (original.isVoided || original.returned > 0n) {
    refuse(operation, 'over');
    return;
  }
  original.isVoided = true;
  const isOver = ['approved', 'authorized', 'declined'].includes(original.status);
  if (!isOver) refuse(original, 'cancelled');
  else if (original.taken > 0n) move(bank, operation, 'void', -original.taken);
}

/** The latest payment or payout of an order, at one account if `account` is set. Throws if there is none. */
export function paymentOf(bank: Bank, order: string, account?: string): Operation {
  const isIt = (each: Operation) => each.order === order && (each.call === 'payment' || each.call === 'payout');
  const found = [...bank.operations.values()].findLast((each) => isIt(each) && (!account || each.account === account));
  if (!found) throw new Error(`the provider has no payment of order ${order}`);
  return found;
}

/** The latest operation of one kind of an order. Throws if there is none. */
export function lastOf(bank: Bank, order: string, call: Call): Operation {
  const found = [...bank.operations.values()].findLast((each) => each.order === order && each.call === call);
  if (!found) throw new Error(`the provider has no ${call} of order ${order}`);
  return found;
}

/** Applies a change that the provider makes to a payment without a request, or decides later. */
export function become(bank: Bank, order: string, status: Status, account?: string): void {
  const payment = paymentOf(bank, order, account);
  const balance = payment.isVoided ? 0n : payment.taken - payment.returned;
  if (status === 'approved' && balance === 0n) {
    payment.taken = minorOf(payment.amount);
    payment.returned = 0n;
    move(bank, payment, 'payment after all', payment.taken);
  }
  if (status === 'declined' && balance > 0n) {
    payment.returned = payment.taken;
    move(bank, payment, 'taken back', -balance);
  }
  payment.status = status;
  payment.decline = status === 'declined' ? { code: 'taken_back', soft: false } : undefined;
  // A cancelled payment that settles anyway can be cancelled again.
  payment.isVoided = false;
}

/** Executes or rejects a pending modification. */
export function decide(bank: Bank, order: string, call: Call, status: 'approved' | 'declined'): void {
  const operation = lastOf(bank, order, call);
  operation.status = 'approved';
  if (status === 'declined') refuse(operation, 'not_now');
  else follow(bank, operation, paymentOf(bank, order, operation.account).key);
}

/** The provider's staff captures an authorised payment. */
export function captureAtPortal(bank: Bank, order: string): void {
  const payment = paymentOf(bank, order);
  payment.taken = minorOf(payment.amount);
  payment.status = 'approved';
  move(bank, payment, 'portal capture', payment.taken);
}
