// The status of a payment: an icon and a label. Filled is final, outlined is in progress; each has its own shape, so
// that the colour is not needed.
import type { ReactNode } from 'react';
import { statusLabels } from '../../lib/dashboard/status-labels.ts';
import styles from './status.module.css';

const line = { stroke: 'currentColor', strokeWidth: 1.4, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const ring = <circle cx="7" cy="7" r="5.6" {...line} />;
const disc = <circle cx="7" cy="7" r="6.3" fill="currentColor" />;
const dot = <circle cx="7" cy="6.7" r="1.3" fill="currentColor" />;
const outline = (d: string) => <path d={d} {...line} />;
const solid = (d: string) => <path d={d} fill="currentColor" />;
const cut = (d: string, width = 1.5) => <path d={d} {...line} stroke="var(--bg)" strokeWidth={width} />;

/** The shape of each status, what is drawn over it, and its colour. */
const shapes: Record<string, { shape: ReactNode; over?: ReactNode; tone?: string }> = {
  pending: { shape: ring, over: solid('M7 3.2a3.8 3.8 0 0 1 0 7.6z'), tone: styles.warn },
  '3ds': { shape: outline('M7 1.2 12 3v3.6c0 3-2 5-5 6.2-3-1.2-5-3.2-5-6.2V3z'), over: dot, tone: styles.accent },
  redirect: { shape: outline('M6 2.5H2.5v9h9V8M8 1.8h4.2V6M12 2 6.8 7.2'), tone: styles.accent },
  settled: { shape: disc, over: cut('m4.2 7.2 2 2 3.7-4.2'), tone: styles.ok },
  decline: {
    shape: solid('M4.3.8h5.4l3.5 3.5v5.4l-3.5 3.5H4.3L.8 9.7V4.3z'),
    over: cut('m4.9 4.9 4.2 4.2m0-4.2L4.9 9.1'),
    tone: styles.bad,
  },
  refund: {
    shape: <rect x="1" y="1" width="12" height="12" rx="2.5" fill="currentColor" />,
    over: cut('M5.6 3.8 3.8 5.6l1.8 1.8M4 5.6h4a1.9 1.9 0 0 1 0 3.8H6.5', 1.3),
  },
  reversal: { shape: solid('m7 .6 6.4 6.4L7 13.4.6 7z'), over: cut('M9.4 7H4.8m1.7-1.8L4.7 7l1.8 1.8', 1.3) },
  void: { shape: disc, over: cut('m4.6 9.4 4.8-4.8'), tone: styles.quiet },
  chargeback: {
    shape: <path d="M7 1.2 13.2 12.4H.8z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />,
    over: cut('M7 5.2v3.2m0 2v.1'),
    tone: styles.cb,
  },
};

const unknown: (typeof shapes)[string] = { shape: <circle cx="7" cy="7" r="5.6" {...line} strokeDasharray="2 2.4" /> };

/** The icon alone, for places where the label is next to it. */
export function StatusShape({ status }: { status: string }) {
  const { shape, over, tone = '' } = shapes[status] ?? unknown;
  return (
    <span className={`${styles.shape} ${tone}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" fill="none" aria-hidden="true" focusable="false">
        {shape}
        {over}
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
