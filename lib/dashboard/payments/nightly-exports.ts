/**
 * The nightly export of saved views: the payments created on a day of the user's time zone, as a file in the bucket or as a
 * link by e-mail. A day that could not be exported is tried again until it is, and the days after it follow.
 */
import { Temporal } from 'temporal-polyfill';
import { v5 } from 'uuid';
import { z } from 'zod';
import {
  audit,
  claimNightlyExport,
  type DueExport,
  failNightlyExport,
  findSavedView,
  finishNightlyExport,
  may,
  merchantOf,
  type NightlyExport,
  setNightlyExport,
  type Viewer,
} from '../../auth/index.ts';
import { dashboardBaseUrl, env } from '../../config/index.ts';
import type { HttpResult } from '../../http/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../../jobs/index.ts';
import { queueEmail } from '../../outbox/index.ts';
import { log } from '../../telemetry/index.ts';
import { logAction } from '../changes.ts';
import { existing, invalid, notFound, parseBody } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { storedQuery } from '../lists/query.ts';
import { storeInBucket } from './bucket.ts';
import { exportColumnNames, exportPayments, exportText } from './export.ts';

/** A day is exported an hour after it has ended, so that no process with a slow clock creates a payment of it. */
const exportTime = '01:00';
/** Longer than an export of millions of payments takes. */
const leaseMinutes = 60;
const linkDays = 30;

/** When the payments of a day (`YYYY-MM-DD`) of a time zone are exported. */
export const exportedAt = (day: string, zone: string): Date =>
  new Date(
    Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime({ timeZone: zone, plainTime: exportTime })
      .epochMilliseconds,
  );

const after = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

const todayIn = (zone: string, now: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();

const nextOf = (day: string, zone: string) => ({ day, dueAt: exportedAt(day, zone) });

const input = z.object({
  to: z.enum(['off', 'email', 'bucket'], 'Choose where the export goes.'),
  columns: z.array(z.enum(exportColumnNames, 'There is no such column.')).max(exportColumnNames.length).default([]),
});

/** Sets or ends the nightly export of a user's view; today is its first day. */
export async function nightlyAction(request: DashboardRequest) {
  const { viewer, params, zone, scope, now } = request;
  const { to, columns } = parseBody(input, request.body);
  const view = existing(await findSavedView(params.id ?? '', viewer.id));
  if (to === 'bucket' && env.exportBucket === null) {
    throw invalid({ to: 'This deployment has no bucket (EXPORT_BUCKET).' });
  }
  const nightly: NightlyExport | null = to === 'off' ? null : { to, zone, columns, merchantId: scope };
  const change = { before: { nightly: view.nightly?.to ?? 'off' }, after: { view: view.name, nightly: to } };
  await logAction(request, 'payments.nightly_export', 'payments', { ...change, merchantId: scope });
  const next = nextOf(todayIn(zone, now), zone);
  if (!(await setNightlyExport(view.id, viewer.id, nightly && { ...nightly, next }))) throw notFound();
  return existing(await findSavedView(view.id, viewer.id));
}

/** The query of one day of a view. */
function queryOf(view: { query: string }, day: string): URLSearchParams {
  const query = new URLSearchParams(view.query);
  query.set('from', day);
  query.set('to', day);
  return query;
}

type OfDay = Pick<PageContext, 'viewer' | 'params'>;

async function viewOf({ viewer, params }: OfDay) {
  const view = existing(await findSavedView(params.id ?? '', viewer.id));
  const day = params.day ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (!view.nightly || !isDay) throw notFound();
  return { view, nightly: view.nightly, day };
}

/** What the page of an export by e-mail shows. */
export async function nightlyExportPage(request: PageContext) {
  const { view, nightly, day } = await viewOf(request);
  return {
    id: view.id,
    name: view.name,
    day,
    zone: nightly.zone,
    columns: nightly.columns.length || exportColumnNames.length,
  };
}

/** The file of a day that a link by e-mail leads to, as of now. */
export async function nightlyExportFile(request: DashboardRequest): Promise<HttpResult> {
  const { view, nightly, day } = await viewOf(request);
  const query = queryOf(view, day);
  query.set('columns', nightly.columns.join());
  return exportPayments({ ...request, query, zone: nightly.zone, scope: scopeOf(request.viewer, nightly) });
}

/** The user's own merchant, as it is now, else the one that was selected. */
const scopeOf = (viewer: Viewer, { merchantId }: NightlyExport) => merchantOf(viewer) ?? merchantId;

const limiter = newConcurrencyLimiter('a nightly export', 1, {});

/** Starts the export that is due, one at a time in a process; returns the number of started ones. */
export function sendNightlyExports(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  const leasedUntil = new Date(now.getTime() + leaseMinutes * 60_000);
  return limiter.claim(
    1,
    async () => {
      // A process of a deployment whose settings are being changed may not know the bucket.
      const due = await claimNightlyExport(
        now,
        leasedUntil,
        env.exportBucket === null ? ['email'] : ['email', 'bucket'],
      );
      return due ? [due] : [];
    },
    (due) => ({ keys: {}, run: () => send(due, now) }),
    waitMilliseconds,
  );
}

const lostRight = 'The user may no longer export payments.';
/** The log has the reason, which may name hosts of the deployment. */
const failures = { email: 'The email could not be stored.', bucket: 'The file could not be uploaded.' } as const;

async function send(due: DueExport, now: Date): Promise<void> {
  const { id, day, nightly, viewer, tries } = due;
  if (due.isDisabled || !may(viewer.role, 'payments.export')) {
    return void (await failNightlyExport(id, day, null, lostRight));
  }
  try {
    if (nightly.to === 'email') await sendLink(due, now);
    else await sendFile(due, now);
    await finishNightlyExport(id, day, nextOf(after(day), nightly.zone));
  } catch (err) {
    log.error({ err, view: id, day }, 'a nightly export failed');
    const minutes = Math.min(5 * 2 ** Math.min(tries - 1, 10), 6 * 60);
    await failNightlyExport(id, day, new Date(now.getTime() + minutes * 60_000), failures[nightly.to]);
  }
}

async function sendLink({ id, name, day, viewer }: DueExport, now: Date): Promise<void> {
  const url = `${dashboardBaseUrl()}/dashboard/exports/${id}/${day}`;
  const text = `Hello ${viewer.name},

the payments of ${day} in your view “${name}” can be downloaded:

${url}

Sign in to download the file. To end these emails, open the view in the list of payments and choose Nightly export.
`;
  const expiresAt = new Date(now.getTime() + linkDays * 86_400_000);
  // The id follows from view and day: a repeat sends no second email.
  const letter = { id: v5(day, id), to: viewer.email, subject: `Payments of ${day}: ${name}`, text, url, expiresAt };
  await queueEmail(letter, now);
}

/** The file is written by the user's rights: the same scope and filters as in the list. */
async function sendFile({ id, name, query, day, nightly, viewer }: DueExport, now: Date): Promise<void> {
  const scope = scopeOf(viewer, nightly);
  const filter = queryOf({ query }, day);
  const change = {
    after: { filter: storedQuery(filter), time_zone: nightly.zone, view: name, bucket: env.exportBucket },
  };
  await audit(
    { actor: `user:${viewer.id}`, action: 'payments.export', subject: 'payments', merchantId: scope, ...change },
    now,
  );
  const text = exportText({ query: filter, scope, zone: nightly.zone }, nightly.columns);
  await storeInBucket(env, `${scope ?? 'all'}/${id}/payments-${day}.csv`, text);
}
