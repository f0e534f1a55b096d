// Where security events go: the log, signed callbacks and syslog, as the settings name them.
import { env } from '../config/index.ts';
import { signWebhook } from '../core/webhooks.ts';
import { operatorClient } from '../http/index.ts';
import { log } from '../telemetry/index.ts';
import type { OcsfEvent } from './ocsf.ts';
import { sendSyslog, syslogFrame } from './syslog.ts';

/** Sends events in their order and resolves when all are accepted. Throws an error with a text for operators. */
export type Sink = { name: string; send: (events: readonly OcsfEvent[], now: Date) => Promise<void> };

const postSeconds = 10;

/** The configured sinks. */
export function configuredSinks(): Sink[] {
  const { eventsLog, eventsUrl, eventsSecret, eventsSyslog } = env;
  return [
    ...(eventsLog ? [{ name: 'log', send: writeLog }] : []),
    ...(eventsUrl && eventsSecret ? [callbackSink(eventsUrl, eventsSecret)] : []),
    ...(eventsSyslog ? [{ name: 'syslog', send: (events: readonly OcsfEvent[]) => syslog(eventsSyslog, events) }] : []),
  ];
}

// LOG_LEVEL does not apply: with another one the events would be lost.
const eventLog = log.child({}, { level: 'info' });

async function writeLog(events: readonly OcsfEvent[]): Promise<void> {
  for (const event of events) eventLog.info({ event }, 'security event');
}

/** The ids of the batch's first and last event are its message id. */
function callbackSink(url: string, secret: string): Sink {
  return {
    name: 'callback',
    send: async (events, now) => {
      const id = `${events[0]?.metadata.uid}-${events.at(-1)?.metadata.uid}`;
      const body = JSON.stringify({ events });
      const headers = { 'content-type': 'application/json', ...signWebhook(secret, id, now, body) };
      const { httpStatus, error } = await operatorClient().post(url, body, headers, postSeconds);
      if (error) throw new Error(error);
      if (httpStatus === undefined || httpStatus < 200 || httpStatus > 299) throw new Error(`status ${httpStatus}`);
    },
  };
}

/** The severities of syslog by those of OCSF: informational, notice, warning, error. */
const severities: { readonly [severityId: number]: number } = { 1: 6, 2: 5, 3: 4, 4: 3 };

function syslog(address: NonNullable<typeof env.eventsSyslog>, events: readonly OcsfEvent[]): Promise<void> {
  const frames = events.map((event) =>
    syslogFrame({
      at: new Date(event.time),
      severity: severities[event.severity_id] ?? 6,
      id: event.metadata.uid,
      text: JSON.stringify(event),
    }),
  );
  return sendSyslog(address, frames);
}
