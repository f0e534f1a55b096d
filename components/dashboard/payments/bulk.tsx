'use client';
// The same action on several payments: lists each with its amount, then processes one after the other and shows each
// outcome. A payment that changed in the meantime is refused on its own. One without a response can be retried: the
// dialog's idempotency key makes it run once and returns the outcome.
import Link from 'next/link';
import { useState } from 'react';
import { grouped } from '../../../lib/core/money.ts';
import type { PaymentPage, PaymentRow } from '../../../lib/dashboard/contract.ts';
import { StatusShape } from '../../ui/status.tsx';
import { Button, Dialog, Note, newRequestKey, request } from '../ui/index.ts';
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
/** The text and the shape of each result. */
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
      <table className="w-full table-fixed" aria-label={`Payments to ${action}`}>
        <thead>
          <tr className="text-xs text-ink3">
            {[
              ['Order', 'w-[190px] pr-3 text-start'],
              ['Payer', 'text-start'],
              [actionVerbs[action], 'w-[140px] text-end'],
              ['Result', 'w-[130px] pl-4 text-start'],
            ].map(([head, className]) => (
              <th key={head} scope="col" className={`h-8 border-b border-line font-medium ${className}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} action={action} fate={fateOf(row)} />
          ))}
        </tbody>
      </table>
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

function Line({ row, action, fate }: { row: PaymentRow; action: BulkAction; fate: BulkResult }) {
  const { orderNumber, payer, currency } = row;
  const { text, shape } = results[fate.kind];
  return (
    <>
      <tr>
        <th scope="row" className="h-9 truncate border-t border-line pr-3 text-start font-mono text-xs font-normal">
          {orderNumber}
        </th>
        <td className="h-9 truncate border-t border-line text-ink2">{payer ?? '–'}</td>
        <td className="figures h-9 border-t border-line text-end font-strong">
          {grouped(row[action] ?? '0')} {currency}
        </td>
        <td className="h-9 border-t border-line pl-4 text-ink2">
          <span className="inline-flex items-center gap-1.5">
            {shape ? <StatusShape status={shape} /> : null}
            {text}
          </span>
        </td>
      </tr>
      {'why' in fate ? (
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
      ) : null}
    </>
  );
}
