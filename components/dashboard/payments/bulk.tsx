'use client';
// The same action on several payments: each is named with its amount first, then done one after the other, and each says
// what became of it. A payment that has changed meanwhile is refused by itself, the others go on.
import { useState } from 'react';
import { StatusShape } from '../../ui/status';
import { Button, Dialog, errorText, Note, request } from '../kit';
import type { PaymentRow } from '../model';
import { grouped, sumsText } from './money';

export type BulkAction = 'capture' | 'refund';

type Props = {
  action: BulkAction;
  /** Those of the selection that the action is possible for. */
  rows: readonly PaymentRow[];
  onClose: () => void;
  /** Something was done; the list is to be read again. */
  done: () => void;
};

type Fate = { kind: 'waiting' } | { kind: 'working' } | { kind: 'done' } | { kind: 'refused'; why: string };

const verbs = { capture: 'Capture', refund: 'Refund' };

export function BulkDialog({ action, rows, onClose, done }: Props) {
  const [fates, setFates] = useState<Record<string, Fate>>({});
  const [busy, setBusy] = useState(false);
  const amounts = rows.map((row) => ({ amount: row[action] ?? '0', currency: row.currency }));
  const finished = rows.every(({ id }) => ['done', 'refused'].includes(fates[id]?.kind ?? ''));
  const refused = rows.filter(({ id }) => fates[id]?.kind === 'refused').length;
  const many = rows.length === 1 ? '1 payment' : `${rows.length} payments`;
  const carryOut = async () => {
    if (busy || finished) return;
    setBusy(true);
    for (const row of rows) {
      const tell = (fate: Fate) => setFates((now) => ({ ...now, [row.id]: fate }));
      tell({ kind: 'working' });
      try {
        await request(`/payments/${row.id}/${action}`, { body: { version: row.version, amount: row[action] } });
        tell({ kind: 'done' });
      } catch (thrown) {
        tell({ kind: 'refused', why: errorText(thrown) });
      }
    }
    setBusy(false);
    done();
  };
  const foot = finished ? (
    <>
      <span>Logged under your name</span>
      <Button kind="primary" onClick={onClose}>
        Close
      </Button>
    </>
  ) : (
    <>
      <span>Logged under your name</span>
      {busy ? null : <Button onClick={onClose}>Cancel</Button>}
      <Button kind="primary" busy={busy} onClick={() => void carryOut()} keys="Ctrl ↵">
        {busy ? 'Asking the provider' : `${verbs[action]} ${sumsText(amounts)}`}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      wide
      title={`${verbs[action]} ${many}`}
      about={action === 'capture' ? 'Each hold is captured as a whole.' : 'What is left of each goes back to who paid.'}
      onClose={busy ? () => undefined : onClose}
      onConfirm={() => void carryOut()}
      foot={foot}
    >
      <table className="w-full table-fixed" aria-label={`Payments to ${action}`}>
        <thead>
          <tr className="text-xs text-ink3">
            <th scope="col" className="h-8 w-[190px] border-b border-line pr-3 text-start font-medium">
              Order
            </th>
            <th scope="col" className="h-8 border-b border-line text-start font-medium">
              Payer
            </th>
            <th scope="col" className="h-8 w-[140px] border-b border-line text-end font-medium">
              {verbs[action]}
            </th>
            <th scope="col" className="h-8 w-[130px] border-b border-line pl-4 text-start font-medium">
              Result
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} action={action} fate={fates[row.id] ?? { kind: 'waiting' }} />
          ))}
        </tbody>
      </table>
      {finished ? (
        <Note tone={refused > 0 ? 'warn' : 'ok'} role="status">
          {refused === 0
            ? `The provider has taken all ${rows.length}.`
            : `${rows.length - refused} done, ${refused} refused and unchanged.`}
        </Note>
      ) : (
        <p className="text-xs text-ink3">
          A callback tells each merchant's server. {action === 'refund' ? "Refunds can't be undone." : null}
        </p>
      )}
    </Dialog>
  );
}

function Line({ row, action, fate }: { row: PaymentRow; action: BulkAction; fate: Fate }) {
  const { orderNumber, payer, currency } = row;
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
            {fate.kind === 'done' ? <StatusShape status="settled" /> : null}
            {fate.kind === 'refused' ? <StatusShape status="decline" /> : null}
            {{ waiting: '', working: 'Asking', done: 'Done', refused: 'Refused' }[fate.kind]}
          </span>
        </td>
      </tr>
      {fate.kind === 'refused' ? (
        <tr>
          <td colSpan={4} className="pb-2 text-xs text-bad">
            {fate.why}
          </td>
        </tr>
      ) : null}
    </>
  );
}
