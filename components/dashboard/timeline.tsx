'use client';
// What happened to a payment, oldest first, with the time since the event before. A state's move shows the state's own
// shape; a callback shows each of its tries.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { StatusShape } from '../ui/status';
import { ask } from './client';
import { Value } from './facts';
import { Glyph, type GlyphName } from './glyphs';
import type { CallbackTry, EventKind, PaymentPage, TimelineEvent } from './model';
import styles from './timeline.module.css';
import { dayText, sinceText } from './times';
import { Time, useZone } from './zone';

const kinds: { kind: EventKind; word: string; glyph: GlyphName }[] = [
  { kind: 'request', word: 'Requests', glyph: 'request' },
  { kind: 'provider', word: 'Provider', glyph: 'provider' },
  { kind: 'state', word: 'States', glyph: 'payments' },
  { kind: 'callback', word: 'Callbacks', glyph: 'callback' },
  { kind: 'dashboard', word: 'Dashboard', glyph: 'person' },
];

type Take = (page: PaymentPage, what: string) => void;

export function Timeline({ payment, take }: { payment: PaymentPage; take: Take }) {
  const [only, setOnly] = useState<EventKind | null>(null);
  const zone = useZone();
  const { events } = payment;
  const shown = only === null ? events : events.filter(({ kind }) => kind === only);
  const offered = kinds.filter(({ kind }) => events.some((event) => event.kind === kind));
  return (
    <section aria-labelledby="timeline" className={styles.timeline}>
      <div className={styles.head}>
        <h2 id="timeline">Timeline</h2>
        <fieldset className={styles.kinds}>
          <legend className="unseen">Show</legend>
          <KindButton word="All" count={events.length} pressed={only === null} choose={() => setOnly(null)} />
          {offered.map(({ kind, word }) => (
            <KindButton
              key={kind}
              word={word}
              count={events.filter((event) => event.kind === kind).length}
              pressed={only === kind}
              choose={() => setOnly(kind)}
            />
          ))}
        </fieldset>
      </div>
      <ol className={styles.events}>
        {shown.map((event, at) => (
          <Event key={event.id} event={event} before={shown[at - 1] ?? null} zone={zone} take={take} />
        ))}
      </ol>
    </section>
  );
}

function KindButton({
  word,
  count,
  pressed,
  choose,
}: {
  word: string;
  count: number;
  pressed: boolean;
  choose: () => void;
}) {
  return (
    <button type="button" className={styles.kind} aria-pressed={pressed} onClick={choose}>
      {word} <span className="figures">{count}</span>
    </button>
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
        {event.status ? <StatusShape status={event.status} /> : <Glyph name={glyph} size={14} />}
      </span>
      <div className={styles.told}>
        <div className={styles.title}>
          <h3>{event.title}</h3>
          {event.tag ? (
            <span className={event.tag.tone === 'plain' ? 'tag' : `tag ${event.tag.tone}`}>{event.tag.text}</span>
          ) : null}
          {event.who ? <span className={styles.who}>{event.who}</span> : null}
        </div>
        {event.detail ? <p>{event.detail}</p> : null}
        {event.facts && event.facts.length > 0 ? (
          <dl className={styles.facts}>
            {event.facts.map((fact) => (
              <div key={fact.name}>
                <dt>{fact.name}</dt>
                <dd>
                  <Value fact={fact} />
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        {event.tries && event.tries.length > 0 ? <Tries tries={event.tries} /> : null}
        {event.resend ? <Resend id={event.resend} take={take} /> : null}
      </div>
    </li>
  );
}

const resultWords: Record<CallbackTry['result'], string> = {
  ok: 'received',
  error: 'received, answered ERROR',
  fail: 'not received',
};

function Tries({ tries }: { tries: CallbackTry[] }) {
  return (
    <ul className={styles.tries} aria-label="Tries">
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

function Resend({ id, take }: { id: string; take: Take }) {
  const send = useMutation({
    mutationFn: () => ask<PaymentPage>(`/callbacks/${id}/resend`, {}),
    onSuccess: (page) => take(page, 'The callback is sent again.'),
  });
  return (
    <div className={styles.resend}>
      <button
        type="button"
        className="button small"
        aria-busy={send.isPending || undefined}
        onClick={() => {
          if (!send.isPending) send.mutate();
        }}
      >
        <Glyph name="again" size={14} />
        Send again
      </button>
      {send.isError ? (
        <span role="alert" className={styles.refused}>
          {send.error.message}
        </span>
      ) : null}
    </div>
  );
}
