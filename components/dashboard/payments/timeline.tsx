'use client';
// The timeline of a payment with the time between events. A state change shows its status icon, routing expands to a
// table, and a callback to its attempts. The order is stored in the browser.
import Link from 'next/link';
import { useEffect, useState } from 'react';
import type { CallbackAttempt, EventKind, PaymentPage, TimelineEvent } from '../../../lib/dashboard/contract.ts';
import { StatusShape } from '../../ui/status.tsx';
import { FactList } from '../facts.tsx';
import { Icon, type IconName } from '../icons.tsx';
import { dayText, sinceText } from '../times.ts';
import { Button, request, type SmallColumn, SmallTable, Tag, useAction } from '../ui/index.ts';
import { Time, useZone } from '../zone.tsx';
import styles from './timeline.module.css';

const kinds: { kind: EventKind; word: string; glyph: IconName }[] = [
  { kind: 'request', word: 'Requests', glyph: 'request' },
  { kind: 'payer', word: 'Payer', glyph: 'person' },
  { kind: 'routing', word: 'Routing', glyph: 'routing' },
  { kind: '3ds', word: '3DS', glyph: 'verify' },
  { kind: 'provider', word: 'Provider', glyph: 'provider' },
  { kind: 'state', word: 'States', glyph: 'payments' },
  { kind: 'callback', word: 'Callbacks', glyph: 'callback' },
  { kind: 'dashboard', word: 'Dashboard', glyph: 'comment' },
];

type Take = (page: PaymentPage, what: string) => void;

const remembered = 'florin_timeline_order';

/** Whether the newest event is first; stored in this browser. */
function useOrder(): [boolean, () => void] {
  const [newestFirst, setNewestFirst] = useState(false);
  useEffect(() => setNewestFirst(localStorage.getItem(remembered) === 'newest'), []);
  const turn = () => {
    localStorage.setItem(remembered, newestFirst ? 'oldest' : 'newest');
    setNewestFirst(!newestFirst);
  };
  return [newestFirst, turn];
}

type TimelineProps = {
  payment: PaymentPage;
  take: Take;
  only: EventKind | null;
  setOnly: (kind: EventKind | null) => void;
};

export function Timeline({ payment, take, only, setOnly }: TimelineProps) {
  const [newestFirst, turn] = useOrder();
  const zone = useZone();
  const { events } = payment;
  const chosen = only === null ? events : events.filter(({ kind }) => kind === only);
  const before = new Map(chosen.map((event, at) => [event.id, chosen[at - 1] ?? null]));
  const shown = newestFirst ? chosen.toReversed() : chosen;
  const offered = kinds.filter(({ kind }) => events.some((event) => event.kind === kind));
  return (
    <section aria-labelledby="timeline" className={styles.timeline}>
      <div className={styles.head} data-only={only ?? undefined}>
        <h2 id="timeline">Timeline</h2>
        <fieldset className={styles.kinds}>
          <legend className="unseen">Show</legend>
          {[{ kind: null, word: 'All' }, ...offered].map(({ kind, word }) => (
            <button
              key={word}
              type="button"
              className={styles.kind}
              aria-pressed={only === kind}
              onClick={() => setOnly(kind)}
            >
              {word} <span className="figures">{events.filter((each) => !kind || each.kind === kind).length}</span>
            </button>
          ))}
        </fieldset>
        <Button kind="bare" size="small" icon="updown" onClick={turn} className="ml-auto">
          {newestFirst ? 'Newest first' : 'Oldest first'}
        </Button>
      </div>
      <ol className={styles.events}>
        {shown.map((event) => (
          <Event key={event.id} event={event} before={before.get(event.id) ?? null} zone={zone} take={take} />
        ))}
      </ol>
    </section>
  );
}

type EventProps = { event: TimelineEvent; before: TimelineEvent | null; zone: string; take: Take };

function Event({ event, before, zone, take }: EventProps) {
  const glyph = kinds.find(({ kind }) => kind === event.kind)?.glyph ?? 'request';
  const newDay = before === null || dayText(before.at, zone) !== dayText(event.at, zone);
  return (
    <li className={styles.event} data-kind={event.kind}>
      <div className={styles.when}>
        <Time at={event.at} />
        <span className="figures">{newDay ? dayText(event.at, zone) : sinceText((before ?? event).at, event.at)}</span>
      </div>
      <span className={styles.mark}>
        {event.status ? <StatusShape status={event.status} /> : <Icon name={glyph} size={14} />}
      </span>
      <div className={styles.entry}>
        <div className={styles.title}>
          <h3>{event.title}</h3>
          {event.tag ? <Tag tone={event.tag.tone}>{event.tag.text}</Tag> : null}
          {event.who ? <span className={styles.who}>{event.who}</span> : null}
        </div>
        {event.detail ? <p>{event.detail}</p> : null}
        {event.facts && event.facts.length > 0 ? <FactList facts={event.facts} className={styles.facts} /> : null}
        {event.routing ? (
          <SmallTable
            label="Considered MIDs"
            className={styles.routing ?? ''}
            rowClass={({ taken }) => (taken ? styles.taken : undefined)}
            columns={routingColumns}
            // The same MID may be considered twice.
            rows={event.routing.map((step, at) => ({ ...step, key: `${at}` }))}
          />
        ) : null}
        {event.tries && event.tries.length > 0 ? <Attempts tries={event.tries} /> : null}
        {event.href ? (
          <Link href={event.href} prefetch={false} className="text-xs text-accent">
            View request
          </Link>
        ) : null}
        {event.resend ? <Resend id={event.resend} take={take} /> : null}
      </div>
    </li>
  );
}

const routingColumns: SmallColumn<NonNullable<TimelineEvent['routing']>[number]>[] = [
  { head: 'MID', cell: ({ mid }) => mid },
  { head: 'Reason', cell: ({ why }) => why },
  { head: 'Result', cell: ({ taken }) => (taken ? 'selected' : 'skipped') },
];

const resultWords: Record<CallbackAttempt['result'], string> = {
  ok: 'received',
  error: 'received, answered ERROR',
  fail: 'not received',
};

function Attempts({ tries }: { tries: CallbackAttempt[] }) {
  return (
    <ul className={styles.tries} aria-label="Attempts">
      {tries.map(({ at, result, what, answer, durationMs }) => (
        <li key={at}>
          <StatusShape status={result === 'ok' ? 'settled' : result === 'error' ? 'chargeback' : 'decline'} />
          <Time at={at} />
          <b>{what}</b>
          <span className="unseen">{resultWords[result]}</span>
          {answer ? <span className={styles.answer}>“{answer}”</span> : null}
          <span className="quiet figures">{durationMs.toLocaleString('en-GB')} ms</span>
        </li>
      ))}
    </ul>
  );
}

/** Resends a callback and shows the payment afterwards. */
export async function resendCallback(id: string, take: Take): Promise<void> {
  take(await request<PaymentPage>(`/callbacks/${id}/resend`, { method: 'POST' }), 'The callback is being sent.');
}

function Resend({ id, take }: { id: string; take: Take }) {
  const { run, busy, error } = useAction();
  return (
    <div className={styles.resend}>
      <Button size="small" icon="again" busy={busy !== null} onClick={() => void run(() => resendCallback(id, take))}>
        Resend
      </Button>
      {error ? (
        <span role="alert" className={styles.refused}>
          {error}
        </span>
      ) : null}
    </div>
  );
}
