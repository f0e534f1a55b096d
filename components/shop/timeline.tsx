'use client';
// The history of an order, oldest first, with the requests and responses of each step. The newest callback is open
// until the user opens or closes one.
import { useState } from 'react';
import {
  type CallbackStep,
  type CallName,
  type CallStep,
  noticeOf,
  type OrderView,
  type ReturnStep,
  type Step,
} from '../../lib/sandbox/shop/order-model.ts';
import { Code } from '../ui/code.tsx';
import { Icon } from '../ui/icons.tsx';
import { StatusShape } from '../ui/status.tsx';
import styles from './timeline.module.css';

export function Timeline({ order, live }: { order: OrderView; live: boolean }) {
  const [chosen, setChosen] = useState<Record<string, boolean>>({});
  const { steps } = order;
  const last = steps.at(-1);
  const shown = steps.findLast((step) => step.kind === 'callback') ?? last;
  return (
    <section aria-labelledby="steps" className={styles.timeline}>
      <div className={styles.head}>
        <h2 id="steps">Requests and callbacks</h2>
        <p className="quiet">
          {live ? 'New steps appear automatically. Times are UTC.' : 'Updated every few seconds. Times are UTC.'}
        </p>
      </div>
      <ol>
        {steps.map((step, at) => (
          <StepRow
            key={step.id}
            step={step}
            before={steps[at - 1]}
            open={chosen[step.id] ?? step === shown}
            onToggle={(open) => setChosen((others) => ({ ...others, [step.id]: open }))}
          />
        ))}
      </ol>
      {order.toPay !== null && !steps.some((step) => step.kind === 'callback') ? (
        <p className={steps.length > 0 ? styles.waiting : styles.none}>
          {steps.length > 0 ? '' : 'The shop has not sent a request yet. '}No callback yet: the first one comes after a
          payment attempt.
        </p>
      ) : null}
      <p className="unseen" role="log">
        {last ? titleOf(last) : ''}
      </p>
    </section>
  );
}

type RowProps = { step: Step; before: Step | undefined; open: boolean; onToggle: (open: boolean) => void };

function StepRow({ step, before, open, onToggle }: RowProps) {
  return (
    <li className={styles.step}>
      <div className={styles.time}>
        <time dateTime={step.at} className="figures">
          {step.at.slice(11, 19)}
        </time>
        {before ? <span className="figures">{sinceText(before.at, step.at)}</span> : null}
      </div>
      <span className={styles.icon}>
        <StepIcon step={step} />
      </span>
      <details
        className={styles.details}
        open={open}
        onToggle={(event) => {
          if (event.currentTarget.open !== open) onToggle(event.currentTarget.open);
        }}
      >
        <summary>
          <span>
            <span className={styles.title}>{titleOf(step)}</span> <Verdict step={step} />
            <span className={styles.line}>{lineOf(step)}</span>
          </span>
          <span className={styles.chevron}>
            <Icon name="down" />
          </span>
        </summary>
        <Wire step={step} />
      </details>
    </li>
  );
}

function StepIcon({ step }: { step: Step }) {
  if (step.kind === 'return') return <Icon name="person" size={14} />;
  if (step.kind === 'call') return <Icon name={step.name === 'status' ? 'ask' : 'out'} size={14} />;
  return step.hashValid ? <StatusShape status={noticeOf(step.fields).state} /> : <Icon name="in" size={14} />;
}

function Verdict({ step }: { step: Step }) {
  if (step.kind === 'call') {
    if (step.status === 200) return null;
    return <span className="tag bad">{step.status === null ? 'No response' : `HTTP ${step.status}`}</span>;
  }
  const genuine = step.kind === 'return' ? step.genuine : step.hashValid && step.headerValid;
  if (step.kind === 'return' && !fieldOf(step, 'hash')) return <span className="tag">Not signed</span>;
  return (
    <>
      <span className={`tag ${genuine ? 'ok' : 'bad'}`}>
        <Icon name={genuine ? 'tick' : 'cross'} size={12} />
        {genuine ? 'Signature valid' : 'Signature invalid'}
      </span>{' '}
      {step.kind === 'callback' && step.repeat ? <span className="tag warn">Repeated</span> : null}
    </>
  );
}

const callTitles: Record<CallName, string> = {
  session: 'Session',
  token: 'Token for hosted fields',
  process: 'Payment by hosted fields',
  sale: 'Sale',
  status: 'Status request',
  refund: 'Refund request',
  capture: 'Capture request',
  void: 'Void request',
  schedule: 'Schedule created',
  pause: 'Schedule paused',
  run: 'Schedule resumed',
  deschedule: 'Subscription cancelled',
  again: 'Subsequent payment',
  forget: 'Saved card removed',
};

function titleOf(step: Step): string {
  if (step.kind === 'call' && step.name === 'session')
    return step.status === 200 ? 'Session created' : 'Session rejected';
  if (step.kind === 'call') return callTitles[step.name];
  if (step.kind === 'return') return 'Payer returned to the shop';
  const names = step.fields.some(([name]) => name === 'action')
    ? ['action', 'result', 'status']
    : ['type', 'status', 'order_status'];
  const words = names.map((name) => fieldOf(step, name) || 'none').join(', ');
  return `${step.scheduled ? 'Scheduled charge' : 'Callback'}: ${words}`;
}

function lineOf(step: Step): string {
  if (step.kind === 'call') return `POST ${step.path}, ${step.status ?? 'no response'} in ${step.durationMs} ms`;
  if (step.kind === 'return') return step.door === 'bank' ? 'to term_url_3ds' : `to ${step.door}_url`;
  const { sequence, delaySeconds } = step;
  const currency = fieldOf(step, 'order_currency') || fieldOf(step, 'currency');
  const amount = `${noticeOf(step.fields).amount} ${currency}`.trim();
  // Both times are cut to whole seconds, so the delay is at most one second more.
  const delay = delaySeconds === null ? [] : [`within ${delaySeconds + 1} s`];
  return [amount, ...(sequence === null ? [] : [`sequence ${sequence}`]), ...delay].filter(Boolean).join(' · ');
}

function fieldOf(step: CallbackStep | ReturnStep, name: string): string {
  return step.fields.find(([field]) => field === name)?.[1] ?? '';
}

function sinceText(before: string, at: string): string {
  const tenths = Math.round((Date.parse(at) - Date.parse(before)) / 100);
  if (tenths < 600) return `+${Math.floor(tenths / 10)}.${tenths % 10} s`;
  const seconds = Math.round(tenths / 10);
  if (seconds < 3600) return `+${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  return `+${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`;
}

function requestOf({ url, path, headers, request }: CallStep): string {
  return `POST ${url || path}\n${lines(headers, ': ')}\n\n${request}`;
}

const lines = (pairs: [string, string][], sign: string) => pairs.map((pair) => pair.join(sign)).join('\n');

function Wire({ step }: { step: Step }) {
  if (step.kind === 'return') {
    return (
      <div className={styles.wire}>
        <Code title="Query of the address" text={lines(step.fields, '=') || 'nothing'} />
        <p className={styles.why}>
          {step.door === 'bank'
            ? 'This address has no signature. The return proves nothing: the outcome of the payment comes by callback.'
            : 'The hash covers the shop’s own record of the order, so the payer cannot change it. It proves the origin of the address, not the payment: its outcome comes by callback.'}
        </p>
      </div>
    );
  }
  if (step.kind === 'call') {
    return (
      <div className={styles.wire}>
        <Code title="Request" text={requestOf(step)} />
        <Code
          title={step.status === null ? 'No response' : `Response: HTTP ${step.status}`}
          text={step.response || 'nothing'}
        />
      </div>
    );
  }
  return (
    <div className={styles.wire}>
      <Code title={`Body, ${step.fields.length} fields`} text={lines(step.fields, '=')} />
      <div className={styles.stack}>
        <Code title="Headers" text={lines(step.headers, ': ')} />
        <Checks step={step} />
      </div>
    </div>
  );
}

// Checkout, S2S CARD and S2S APM sign different fields; only the last has no card.
function coveredBy(step: CallbackStep): string {
  if (fieldOf(step, 'action') === '') return 'covers payment, order, amount, currency and description';
  return fieldOf(step, 'card') === '' ? 'covers every field' : 'covers payer, transaction and card';
}

function Checks({ step }: { step: CallbackStep }) {
  const rows: [string, boolean, string][] = [
    ['hash', step.hashValid, coveredBy(step)],
    ['webhook-signature', step.headerValid, 'covers the whole body'],
  ];
  return (
    <ul className={styles.checks}>
      {rows.map(([name, valid, covers]) => (
        <li key={name} data-valid={valid}>
          <Icon name={valid ? 'tick' : 'cross'} size={14} />
          <span>
            <code>{name}</code> {valid ? 'is valid' : 'is invalid'}; <span className="quiet">{covers}</span>
          </span>
        </li>
      ))}
      <li className="quiet">
        The shop responded {step.hashValid && step.headerValid ? '200 OK' : '400 ERROR and ignored it'}.
      </li>
    </ul>
  );
}
