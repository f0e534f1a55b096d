'use client';
// The same action on several payments: lists each with its amount, then processes one after the other and shows each
// outcome. A payment that changed in the meantime is refused on its own. One without a response can be retried: the
// dialog's idempotency key makes it run once and returns the outcome.
import Link from 'next/link';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money';
import type { PaymentPage, PaymentRow } from '../../../lib/dashboard/contract';
import { StatusShape } from '../../ui/status';
import { Button, Dialog, Note, newRequestKey, request } from '../ui';
import { type SmallColumn, SmallTable } from '../ui/small-table';
import { allFinished, type BulkResult, resultOfError, resultOfResponse, summaryText } from './bulk-results';
import { sumsText } from './money';

export type BulkAction = 'capture' | 'refund';

type Props = {
  action: BulkAction;
  /** The selected payments that allow the action. */
  rows: readonly PaymentRow[];
  onClose: () => void;
  /** Something changed; the list must be reloaded. */
  done: () => void;
};

const verbs = { capture: 'Capture', refund: 'Refund' };
const waiting: BulkResult = { kind: 'waiting' };
const words: Record<BulkResult['kind'], string> = {
  waiting: '',
  working: 'Sending',
  done: 'Done',
  taken: 'In progress',
  refused: 'Refused',
  unsure: 'No response',
};
const shapes: Partial<Record<BulkResult['kind'], string>> = {
  done: 'settled',
  taken: 'pending',
  refused: 'decline',
  unsure: 'prepare',
};

export function BulkDialog({ action, rows: picked, onClose, done }: Props) {
  // The rows as the user decided on them: the list behind the dialog reloads.
  const [rows] = useState(picked);
  const { fates, busy, ask } = useBulkResults(action, done);
  const result = rows.map(({ id }) => fates[id] ?? waiting);
  const finished = !busy && allFinished(result);
  const open = rows.filter((_, at) => result[at]?.kind === (finished ? 'unsure' : 'waiting'));
  const many = rows.length === 1 ? '1 payment' : `${rows.length} payments`;
  const verb = finished ? 'Retry' : verbs[action];
  const sum = sumsText((busy ? rows : open).map((row) => ({ amount: row[action] ?? '0', currency: row.currency })));
  const carryOut = () => void (busy ? undefined : ask(open));
  const foot = (
    <>
      <span>Logged under your name</span>
      {busy ? null : (
        <Button kind={finished && open.length === 0 ? 'primary' : 'plain'} onClick={onClose}>
          {finished ? 'Close' : 'Cancel'}
        </Button>
      )}
      {busy || open.length > 0 ? (
        <Button kind="primary" busy={busy} onClick={carryOut} keys="Ctrl ↵">
          {busy ? 'Sending to the provider' : `${verb} ${sum}`}
        </Button>
      ) : null}
    </>
  );
  const summary = summaryText(result);
  return (
    <Dialog
      open
      wide
      title={`${verbs[action]} ${many}`}
      about={
        action === 'capture'
          ? 'Each authorisation is captured in full.'
          : 'The remaining amount of each is refunded to the payer.'
      }
      onClose={busy ? () => undefined : onClose}
      onConfirm={carryOut}
      foot={foot}
    >
      <SmallTable
        label={`Payments to ${action}`}
        className="w-full table-fixed"
        columns={columnsOf(action)}
        headCell="h-8 border-b border-line text-xs font-medium text-ink3"
        cell="h-9 border-t border-line"
        rows={rows.map((row) => ({ row, action, fate: fates[row.id] ?? waiting }))}
        keyOf={({ row }) => row.id}
        below={(line) => <Reason {...line} />}
      />
      {finished ? (
        <Note tone={summary.tone} role="status">
          {summary.text}
        </Note>
      ) : (
        <p className="text-xs text-ink3">
          Each merchant's server gets a callback. {action === 'refund' ? "Refunds can't be undone." : null}
        </p>
      )}
    </Dialog>
  );
}

/** Requests one row after the other and stores each outcome. */
function useBulkResults(action: BulkAction, done: () => void) {
  const [fates, setFates] = useState<Record<string, BulkResult>>({});
  const [key] = useState(newRequestKey);
  const [busy, setBusy] = useState(false);
  const ask = async (rows: readonly PaymentRow[]) => {
    if (rows.length === 0) return;
    setBusy(true);
    for (const row of rows) {
      const before = fates[row.id] ?? waiting;
      const report = (fate: BulkResult) => setFates((now) => ({ ...now, [row.id]: fate }));
      report({ kind: 'working' });
      const body = { version: row.version, key, amount: row[action] };
      await request<PaymentPage>(`/payments/${row.id}/${action}`, { body }).then(
        (page) => report(resultOfResponse(action, page)),
        (thrown) => report(resultOfError(thrown, before)),
      );
    }
    setBusy(false);
    done();
  };
  return { fates, busy, ask };
}

type Line = { row: PaymentRow; action: BulkAction; fate: BulkResult };

const columnsOf = (action: BulkAction): SmallColumn<Line>[] => [
  {
    ...{ head: 'Order', names: true, headClass: 'w-[190px]', className: 'pr-3 text-start' },
    cellClass: 'truncate font-mono text-xs font-normal',
    cell: ({ row }) => row.orderNumber,
  },
  { head: 'Payer', headClass: 'text-start', cellClass: 'truncate text-ink2', cell: ({ row }) => row.payer ?? '–' },
  {
    ...{ head: verbs[action], headClass: 'w-[140px]', className: 'text-end', cellClass: 'figures font-strong' },
    cell: ({ row }) => `${grouped(row[action] ?? '0')} ${row.currency}`,
  },
  {
    ...{ head: 'Result', headClass: 'w-[130px] text-start', className: 'pl-4', cellClass: 'text-ink2' },
    cell: ({ fate: { kind } }) => (
      <span className="inline-flex items-center gap-1.5">
        {shapes[kind] ? <StatusShape status={shapes[kind]} /> : null}
        {words[kind]}
      </span>
    ),
  },
];

/** Why a payment was refused, or that there was no response. */
function Reason({ row, fate }: Line) {
  if (!('why' in fate)) return null;
  return (
    <tr>
      <td colSpan={4} className={`pb-2 text-xs ${fate.kind === 'refused' ? 'text-bad' : 'text-warn'}`}>
        {fate.why}{' '}
        {fate.kind === 'unsure' ? (
          <Link href={`/dashboard/payments/${row.id}`} target="_blank">
            View payment
          </Link>
        ) : null}
      </td>
    </tr>
  );
}
