// The status of a payment: an icon and a label. Filled is final, outlined is in progress; each has its own shape, so
// that the colour is not needed.

import { statusLabels } from '../../lib/dashboard/status-labels.ts';
import styles from './status.module.css';

const tones: Record<string, string | undefined> = {
  pending: styles.warn,
  '3ds': styles.accent,
  redirect: styles.accent,
  settled: styles.ok,
  decline: styles.bad,
  void: styles.quiet,
  chargeback: styles.cb,
};

const line = { stroke: 'currentColor', strokeWidth: 1.4, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const knock = { ...line, stroke: 'var(--bg)', strokeWidth: 1.5 } as const;

function Shape({ status }: { status: string }) {
  switch (status) {
    case 'pending':
      return (
        <>
          <circle cx="7" cy="7" r="5.6" {...line} />
          <path d="M7 3.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />
        </>
      );
    case '3ds':
      return (
        <>
          <path d="M7 1.2 12 3v3.6c0 3-2 5-5 6.2-3-1.2-5-3.2-5-6.2V3z" {...line} />
          <circle cx="7" cy="6.7" r="1.3" fill="currentColor" />
        </>
      );
    case 'redirect':
      return <path d="M6 2.5H2.5v9h9V8M8 1.8h4.2V6M12 2 6.8 7.2" {...line} />;
    case 'settled':
      return (
        <>
          <circle cx="7" cy="7" r="6.3" fill="currentColor" />
          <path d="m4.2 7.2 2 2 3.7-4.2" {...knock} />
        </>
      );
    case 'decline':
      return (
        <>
          <path d="M4.3.8h5.4l3.5 3.5v5.4l-3.5 3.5H4.3L.8 9.7V4.3z" fill="currentColor" />
          <path d="m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1" {...knock} />
        </>
      );
    case 'refund':
      return (
        <>
          <rect x="1" y="1" width="12" height="12" rx="2.5" fill="currentColor" />
          <path d="M5.6 3.8 3.8 5.6l1.8 1.8M4 5.6h4a1.9 1.9 0 0 1 0 3.8H6.5" {...knock} strokeWidth={1.3} />
        </>
      );
    case 'reversal':
      return (
        <>
          <path d="m7 .6 6.4 6.4L7 13.4.6 7z" fill="currentColor" />
          <path d="M9.4 7H4.8m1.7-1.8L4.7 7l1.8 1.8" {...knock} strokeWidth={1.3} />
        </>
      );
    case 'void':
      return (
        <>
          <circle cx="7" cy="7" r="6.3" fill="currentColor" />
          <path d="m4.6 9.4 4.8-4.8" {...knock} />
        </>
      );
    case 'chargeback':
      return (
        <>
          <path d="M7 1.2 13.2 12.4H.8z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
          <path d="M7 5.2v3.2m0 2v.1" {...knock} />
        </>
      );
    default:
      return <circle cx="7" cy="7" r="5.6" {...line} strokeDasharray="2 2.4" />;
  }
}

/** The icon alone, for places where the label is next to it. */
export function StatusShape({ status }: { status: string }) {
  return (
    <span className={`${styles.shape} ${tones[status] ?? ''}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" aria-hidden="true" focusable="false">
        <Shape status={status} />
      </svg>
    </span>
  );
}

/** Icon and label of one of the contract's ten statuses. */
export function Status({ status }: { status: string }) {
  return (
    <span className={styles.status}>
      <StatusShape status={status} />
      {statusLabels[status] ?? status}
    </span>
  );
}
