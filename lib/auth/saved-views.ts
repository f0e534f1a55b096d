/** A user's saved views of a list. Every statement contains the user's id, so that users see only their own. */
import { v7, validate } from 'uuid';
import { prisma, statement } from '../db/index.ts';
import type { Viewer } from './roles.ts';

/**
 * What a view's list is exported as each night: one day of the time zone, with these columns of the file (empty: all), of the
 * merchant that was selected (null: every merchant that the user sees).
 */
export type NightlyExport = { to: 'email' | 'bucket'; zone: string; columns: string[]; merchantId: string | null };

type SavedView = {
  id: string;
  name: string;
  query: string;
  columns: string[];
  nightly: NightlyExport | null;
  /** Why the last nightly export has failed so far. */
  exportError: string | null;
};
type NewView = Pick<SavedView, 'name' | 'query' | 'columns'>;

/** The user has a view of this name on the list already. */
export class NameTakenError extends Error {
  constructor() {
    super('the name of the view is taken');
    this.name = 'NameTaken';
  }
}

const viewFields = { id: true, name: true, query: true, columns: true, nightly: true, exportError: true } as const;

const toView = <Row extends { nightly: unknown }>(row: Row) => ({
  ...row,
  nightly: row.nightly as NightlyExport | null,
});

/** A user's views of a list, oldest first. */
export async function listSavedViews(userId: string, page: string): Promise<SavedView[]> {
  const rows = await prisma().savedView.findMany({
    where: { userId, page },
    select: viewFields,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(toView);
}

/** Saves a view; throws {@link NameTakenError}. */
export async function insertSavedView(view: NewView & { userId: string; page: string }, now: Date): Promise<SavedView> {
  const data = { id: v7(), createdAt: now, ...view };
  return toView(await unique(prisma().savedView.create({ data, select: viewFields })));
}

/** Changes the given members of a user's view; null for another user's view. Throws {@link NameTakenError}. */
export async function updateSavedView(
  id: string,
  userId: string,
  changes: Partial<NewView>,
): Promise<SavedView | null> {
  if (!validate(id)) return null;
  const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { count } = await unique(prisma().savedView.updateMany({ where: { id, userId }, data }));
  return count === 0 ? null : findSavedView(id, userId);
}

/** A user's view; null for another user's. */
export async function findSavedView(id: string, userId: string): Promise<SavedView | null> {
  if (!validate(id)) return null;
  const found = await prisma().savedView.findFirst({ where: { id, userId }, select: viewFields });
  return found && toView(found);
}

type Next = { day: string; dueAt: Date };

const setNightly = statement<
  { id: string; userId: string; nightly: string | null; day: string | null; dueAt: Date | null },
  { id: string }
>(
  'saved-view-nightly',
  `update saved_views set nightly = :nightly::jsonb, export_day = :day::date, export_due_at = :dueAt::timestamptz,
          export_tries = 0, export_error = null
    where id = :id::uuid and user_id = :userId::uuid returning id`,
);

/** Sets the nightly export of a user's view, with its first day, or ends it; false for another user's view. */
export async function setNightlyExport(
  id: string,
  userId: string,
  nightly: (NightlyExport & { next: Next }) | null,
): Promise<boolean> {
  if (!validate(id)) return false;
  const { next = null, ...settings } = nightly ?? { next: null };
  const values = { nightly: nightly && JSON.stringify(settings), day: next?.day ?? null, dueAt: next?.dueAt ?? null };
  return (await setNightly({ id, userId, ...values })).length > 0;
}

/** A claimed export, with the user's rights as they are now. */
export type DueExport = Pick<SavedView, 'id' | 'name' | 'query'> & {
  nightly: NightlyExport;
  /** `YYYY-MM-DD`. */
  day: string;
  tries: number;
  viewer: Viewer;
  isDisabled: boolean;
};

const claimDue = statement<{ now: Date; leasedUntil: Date; goals: string[] }, DueExport>(
  'saved-view-export-due',
  `update saved_views v set export_due_at = :leasedUntil::timestamptz, export_tries = export_tries + 1
    from users u
   where u.id = v.user_id
     and v.id = (select id from saved_views
                  where export_due_at <= :now::timestamptz and nightly ->> 'to' = any(:goals::text[])
                  order by export_due_at limit 1 for update skip locked)
  returning v.id, v.name, v.query, v.nightly, to_char(v.export_day, 'YYYY-MM-DD') as day, v.export_tries as tries,
            u.disabled_at is not null as "isDisabled",
            json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role, 'merchantId', u.merchant_id) as viewer`,
);

/** Claims one export to `goals` that is due until `leasedUntil`; null if there is none. */
export const claimNightlyExport = async (
  now: Date,
  leasedUntil: Date,
  goals: NightlyExport['to'][],
): Promise<DueExport | null> => (await claimDue({ now, leasedUntil, goals }))[0] ?? null;

const moveOn = statement<{ id: string; day: string; nextDay: string | null; dueAt: Date | null; error: string | null }>(
  'saved-view-export-done',
  `update saved_views set export_day = coalesce(:nextDay::date, export_day), export_due_at = :dueAt::timestamptz,
          export_tries = case when :nextDay::date is null then export_tries else 0 end, export_error = :error::text
    where id = :id::uuid and export_day = :day::date and export_due_at is not null`,
);

/** A day is exported: the next one follows. No effect if the export was changed meanwhile to another day. */
export const finishNightlyExport = (id: string, day: string, { day: nextDay, dueAt }: Next): Promise<object[]> =>
  moveOn({ id, day, nextDay, dueAt, error: null });

/** A try has failed: the same day is due again at `dueAt`; null: not again. */
export const failNightlyExport = (id: string, day: string, dueAt: Date | null, error: string): Promise<object[]> =>
  moveOn({ id, day, nextDay: null, dueAt, error });

/** Deletes a user's view; false if there was none. */
export async function deleteSavedView(id: string, userId: string): Promise<boolean> {
  if (!validate(id)) return false;
  return (await prisma().savedView.deleteMany({ where: { id, userId } })).count > 0;
}

async function unique<T>(writing: PromiseLike<T>): Promise<T> {
  try {
    return await writing;
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'P2002') throw new NameTakenError();
    throw thrown;
  }
}
