'use client';
// The dialog before money moves: the operation, the amounts now and afterwards, and the callback. Its button contains
// the amount. Each dialog has an idempotency key: a request without a response may have moved the money, and a retry
// under the same key moves it once and returns the outcome.
import { type ReactNode, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { exponentOf } from '../../../lib/core/currencies.ts';
import { formatAmount, grouped, parseAmount } from '../../../lib/core/money.ts';
import { ambiguousAmount, plainAmount, typedMinor } from '../../../lib/core/typed-amount.ts';
import type { Actions, PaymentPage } from '../../../lib/dashboard/contract.ts';
import { Status } from '../../ui/status.tsx';
import { Icon } from '../icons.tsx';
import {
  FormDialog,
  FormRow,
  Note,
  newRequestKey,
  RequestFailed,
  request,
  type SmallColumn,
  SmallTable,
  TextInput,
} from '../ui/index.ts';
import { isOutcomeUnknown } from '../ui/request.ts';

type Name = keyof Actions;

type Props = {
  name: Name;
  payment: PaymentPage;
  /** The outcome is unknown: the payment is as it was before the request, or has changed since. */
  unsure: 'same' | 'changed' | null;
  close: () => void;
  done: (page: PaymentPage, what: string) => void;
  /** The displayed payment must be reloaded; `unsure`: there was no response. */
  changed: (unsure: boolean) => void;
};

type Values = { amount: string; reason: string };

export function MoneyDialog({ name, payment, unsure, close, done, changed }: Props) {
  const move = moveOf(name, payment);
  const { verb, most } = move;
  const { currency, orderNumber, paidWith } = payment;
  const [key] = useState(newRequestKey);
  const send = async ({ amount, reason }: Values) => {
    const body = { version: payment.version, key, ...(name !== 'void' && { amount: plainOf(amount), reason }) };
    try {
      const page = await request<PaymentPage>(`/payments/${payment.id}/${name}`, { body });
      done(page, `${verb} of ${orderNumber} is in progress.`);
    } catch (thrown) {
      // A note about the unknown outcome takes the place of the error.
      if (isOutcomeUnknown(thrown)) return changed(true);
      if (thrown instanceof RequestFailed && thrown.status === 409) changed(false);
      throw thrown;
    }
  };
  return (
    <FormDialog<Values>
      title={`${verb} ${orderNumber}`}
      about={paidWith ? `${name === 'refund' ? 'To' : 'Paid with'} ${paidWith}` : undefined}
      verb={({ watch, formState }) => {
        if (formState.isSubmitting) return 'Sending to the provider';
        const amount = watch('amount');
        const shown = amountError(amount, most, currency) === null ? `${grouped(plainOf(amount))} ${currency}` : '';
        return `${unsure ? 'Retry: ' : ''}${verb} ${shown}`;
      }}
      danger={name === 'void'}
      keys="Ctrl ↵"
      mode="onTouched"
      cancel={unsure === null ? 'Cancel' : 'Close'}
      defaultValues={{ amount: most, reason: '' }}
      onSend={send}
      onClose={close}
    >
      {({ register, watch }) => (
        <>
          {name === 'void' ? null : (
            <>
              <FormRow label="Amount" name="amount" help={move.help} stacked>
                <Amount move={move} currency={currency} locked={unsure !== null} />
              </FormRow>
              <FormRow label={reasonLabel} name="reason" stacked>
                <TextInput maxLength={200} className={tall} {...register('reason')} />
              </FormRow>
            </>
          )}
          <AfterTable move={move} payment={payment} amount={watch('amount')} />
          <p className="flex gap-2 text-xs text-ink3">
            <Icon name="callback" />
            <span className="min-w-0">
              A callback of type {move.type}{' '}
              {payment.callbackHost
                ? `is sent to ${payment.callbackHost}`
                : 'is recorded but not sent, because there is no callback URL'}
              . This can't be undone.
            </span>
          </p>
          {unsure === null ? null : (
            <Note tone="warn" role="alert">
              {unsureTexts[unsure]}
            </Note>
          )}
        </>
      )}
    </FormDialog>
  );
}

const tall = 'h-10! pl-3! text-[16px]! phone:h-11!';

const reasonLabel = (
  <>
    Reason <span className="font-normal text-ink3">internal note, not sent</span>
  </>
);

const unsureTexts = {
  same: 'No response was received. The operation may have been processed or may still be in progress. A retry runs it once at most.',
  changed:
    'No response was received, and the payment has changed since. A retry shows whether it was processed, and runs it once at most.',
};

const plainOf = (text: string) => plainAmount(text) ?? text.trim();

function decimalsText(currency: string): string {
  const exponent = exponentOf(currency) ?? 0;
  return `${currency} has ${exponent === 0 ? 'no' : exponent} decimals.`;
}

/** The error of an amount as a sentence; null if valid. */
function amountError(text: string, most: string, currency: string): string | null {
  const plain = plainAmount(text);
  if (plain === null) return ambiguousAmount(text);
  const parsed = parseAmount(plain, currency);
  const limit = parseAmount(most, currency);
  if (!parsed.ok && parsed.fault === 'decimals') return decimalsText(currency);
  if (!parsed.ok || !limit.ok) return `Enter the amount as ${most}.`;
  if (parsed.minor <= 0n) return 'The amount must be above zero.';
  return parsed.minor > limit.minor ? `At most ${grouped(most)} ${currency} is possible.` : null;
}

/** `locked`: the amount is that of the first request. */
type AmountProps = { move: Move; currency: string; locked: boolean };

function Amount({ move: { most, whole }, currency, locked }: AmountProps) {
  const { register, setValue, setFocus } = useFormContext<Values>();
  const fixed = whole || locked;
  const takeAll = () => {
    setValue('amount', most, { shouldValidate: true });
    setFocus('amount');
  };
  return (
    <div className="relative">
      <TextInput
        inputMode="decimal"
        readOnly={fixed}
        className={`figures pr-[140px]! ${tall}`}
        {...register('amount', { validate: (text) => amountError(text, most, currency) ?? true })}
      />
      <span className="absolute inset-y-0 right-3 flex items-center gap-2.5 text-ink3">
        {currency}
        {fixed ? null : (
          <button
            type="button"
            onClick={takeAll}
            className="min-h-6 border-0 border-l border-solid border-line2 bg-transparent py-0 pr-0 pl-2.5 text-xs text-accent"
          >
            All {grouped(most)}
          </button>
        )}
      </span>
    </div>
  );
}

type After = { key: string; now: ReactNode; after: ReactNode };

const afterColumns: SmallColumn<After>[] = [
  { head: <span className="unseen">Sum</span>, names: true, className: 'text-start', cell: ({ key }) => key },
  { head: 'Now', className: 'text-end', cellClass: 'figures', cell: ({ now }) => now },
  { head: 'After', className: 'text-end', cellClass: 'figures', cell: ({ after }) => after },
];

function AfterTable({ move, payment, amount }: { move: Move; payment: PaymentPage; amount: string }) {
  const { currency, status } = payment;
  const moved = amountError(amount, move.most, currency) === null ? minorOf(amount, currency) : null;
  const text = (minor: bigint) => grouped(formatAmount(minor, currency));
  const sums = move.sums(moved ?? 0n).map(([key, now, after]) => {
    return { key, now: text(now), after: <b>{moved === null ? '–' : text(after)}</b> };
  });
  const statuses = { now: <Status status={status} />, after: <Status status={move.statusAfter(moved)} /> };
  return (
    <SmallTable
      label="Now and afterwards"
      className="w-full"
      headCell="text-xs leading-5 font-normal text-ink3"
      cell="h-8 border-t border-line font-normal"
      columns={afterColumns}
      rows={[...sums, { key: 'Status', ...statuses }]}
    />
  );
}

const minorOf = (text: string, currency: string) => typedMinor(text, currency) ?? 0n;

type Move = {
  verb: string;
  type: string;
  most: string;
  /** Only the whole amount can be moved. */
  whole: boolean;
  help: string;
  sums: (moved: bigint) => [what: string, now: bigint, after: bigint][];
  /** `moved` is null while the input is invalid. */
  statusAfter: (moved: bigint | null) => string;
};

/** What an action moves, and the payment afterwards. */
export function moveOf(name: Name, { actions, currency, ...payment }: PaymentPage): Move {
  const upTo = (most: string, more: string) => `Up to ${grouped(most)} ${currency}. ${more}`;
  if (name === 'capture') {
    const most = actions.capture?.most ?? '';
    return {
      verb: 'Capture',
      type: 'capture',
      most,
      whole: false,
      help: upTo(most, 'Only one capture is possible.'),
      sums: (moved) => [['Captured', 0n, moved]],
      statusAfter: () => 'settled',
    };
  }
  if (name === 'void') {
    const { kind = 'void', amount: most = '' } = actions.void ?? {};
    const releases = kind === 'release';
    const type = releases ? 'reversal' : 'void';
    return {
      verb: releases ? 'Void authorisation' : 'Void',
      type,
      most,
      whole: true,
      help: '',
      sums: (moved) => [[releases ? 'Authorised' : 'Captured', moved, 0n]],
      statusAfter: () => type,
    };
  }
  const { most = '', partial = false } = actions.refund ?? {};
  const refunded = minorOf(payment.refunded, currency);
  const refundable = minorOf(payment.refundable, currency);
  return {
    verb: 'Refund',
    type: 'refund',
    most,
    whole: !partial,
    help: partial ? upTo(most, 'Several partial refunds are possible.') : 'This payment can only be refunded in full.',
    sums: (moved) => [
      ['Refunded', refunded, refunded + moved],
      ['Can be refunded', refundable, refundable - moved],
    ],
    statusAfter: (moved) => (partial ? (moved === refundable ? 'refund' : 'settled') : 'reversal'),
  };
}
