'use client';
// The same action on several payments: lists each with its amount, then processes one after the other and shows each
// outcome. A payment that changed in the meantime is refused on its own. One without a response can be retried: the
// dialog's idempotency key makes it run once and returns the outcome.
import Link from 'next/link';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { PaymentPage, PaymentRow } from '../../../lib/dashboard/contract.ts';
import { StatusShape } from '../../ui/status.tsx';
import { Button, Dialog, Note, newRequestKey, request, type SmallColumn, SmallTable } from '../ui/index.ts';
import { allFinished, type BulkResult, resultOfError, resultOfResponse, summaryText } from './bulk-results.ts';
import { sumsText } from './money.ts';

export type BulkAction = 'capture' | 'refund';

type Props = {
  action: BulkAction;
  /** The selected payments that allow the action. */
  rows: readonly PaymentRow[];
  onClose: () => void;
  /** Something changed; the list must be reloaded. */
  done: () => void;
};

/** The buttons of the actions. */
export const actionVerbs = { capture: 'Capture', refund: 'Refund' };
const waiting: BulkResult = { kind: 'waiting' };
const results: Record<BulkResult['kind'], { text: string; shape?: string }> = {
  waiting: { text: '' },
  working: { text: 'Sending' },
  done: { text: 'Done', shape: 'settled' },
  taken: { text: 'In progress', shape: 'pending' },
  refused: { text: 'Refused', shape: 'decline' },
  unsure: { text: 'No response', shape: 'prepare' },
};

export function BulkDialog({ action, rows: picked, onClose, done }: Props) {
  // The rows as the user decided on them: the list behind the dialog reloads.
  const [rows] = useState(picked);
  const { fates, busy, ask } = useBulkResults(action, done);
  const fateOf = ({ id }: PaymentRow) => fates[id] ?? waiting;
  const result = rows.map(fateOf);
  const finished = !busy && allFinished(result);
  const open = rows.filter((_, at) => result[at]?.kind === (finished ? 'unsure' : 'waiting'));
  const many = rows.length === 1 ? '1 payment' : `${rows.length} payments`;
  const verb = finished ? 'Retry' : actionVerbs[action];
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
      title={`${actionVerbs[action]} ${many}`}
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
        headCell="h-8 border-b border-line text-xs font-medium text-ink3"
        cell="h-9 border-t border-line"
        columns={columnsOf(action)}
        rows={rows.map((row) => ({ ...row, key: row.id, fate: fateOf(row) }))}
        below={Reason}
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

type Line = PaymentRow & { fate: BulkResult };

const columnsOf = (action: BulkAction): SmallColumn<Line>[] => [
  {
    head: 'Order',
    names: true,
    className: 'pr-3 text-start',
    headClass: 'w-[190px]',
    cellClass: 'truncate font-mono text-xs font-normal',
    cell: ({ orderNumber }) => orderNumber,
  },
  { head: 'Payer', headClass: 'text-start', cellClass: 'truncate text-ink2', cell: ({ payer }) => payer ?? '–' },
  {
    head: actionVerbs[action],
    className: 'text-end',
    headClass: 'w-[140px]',
    cellClass: 'figures font-strong',
    cell: (row) => `${grouped(row[action] ?? '0')} ${row.currency}`,
  },
  {
    head: 'Result',
    className: 'pl-4',
    headClass: 'w-[130px] text-start',
    cellClass: 'text-ink2',
    cell: ({ fate: { kind } }) => (
      <span className="inline-flex items-center gap-1.5">
        {results[kind].shape ? <StatusShape status={results[kind].shape} /> : null}
        {results[kind].text}
      </span>
    ),
  },
];

function Reason({ id, fate }: Line) {
  if (!('why' in fate)) return null;
  return (
    <tr>
      <td colSpan={4} className={`pb-2 text-xs ${fate.kind === 'refused' ? 'text-bad' : 'text-warn'}`}>
        {fate.why}{' '}
        {fate.kind === 'unsure' ? (
          <Link href={`/dashboard/payments/${id}`} target="_blank">
            View payment
          </Link>
        ) : null}
      </td>
    </tr>
  );
}
