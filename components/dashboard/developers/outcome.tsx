// The outcome of a request or callback as icon and label: filled is final, a triangle needs attention.
import type { ReactNode } from 'react';
import type { DeliveryStatus, RequestRow } from '../../../lib/dashboard/developers/contract.ts';
import { StatusShape } from '../../ui/status.tsx';

type Kind = DeliveryStatus | RequestRow['outcome'];

const shapes: Partial<Record<Kind, string>> = {
  received: 'settled',
  carried: 'settled',
  refused: 'decline',
  failed: 'decline',
};

/** The icon alone, for places with a label next to it. */
export function OutcomeShape({ kind }: { kind: Kind }) {
  if (kind !== 'error') return <StatusShape status={shapes[kind] ?? 'prepare'} />;
  return (
    <span className="inline-flex text-warn">
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" aria-hidden="true" focusable="false">
        <path d="M7 1.6 13 12.2H1z" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
        <path d="M7 5.4v3.2m0 1.8v.1" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      </svg>
    </span>
  );
}

/** The icon with its label. */
export function OutcomeLabel({ kind, children }: { kind: Kind; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2">
      <OutcomeShape kind={kind} />
      <span className="truncate">{children}</span>
    </span>
  );
}
