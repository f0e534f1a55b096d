/** A user's saved views of the list. Only their owner sees and changes them. */
import { z } from 'zod';
import {
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  NameTakenError,
  updateSavedView,
  type Viewer,
} from '../../auth/index.ts';
import { DashboardError, existing, notFound, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { storedQuery } from '../lists/query.ts';

const page = 'payments';
const viewsMost = 30;

const name = z.string().trim().min(1, 'Give the view a name.').max(60, 'Enter at most 60 characters.');
const query = z.string().max(2000).transform(withoutPlace);
const columns = z.array(z.string().regex(/^[a-z_]{1,32}$/)).max(30);
const created = z.object({ name, query, columns: columns.default([]) });
const changed = z.object({ name: name.optional(), query: query.optional(), columns: columns.optional() });

// The page position is not part of a view.
function withoutPlace(text: string): string {
  const params = new URLSearchParams(text);
  params.delete('after');
  params.delete('before');
  return storedQuery(params);
}

/** The user's views, oldest first. */
export const viewsOf = async (viewer: Viewer) => ({ views: await listSavedViews(viewer.id, page) });

/** Saves a view. */
export async function createView({ viewer, body, now }: DashboardRequest) {
  const input = parseBody(created, body);
  const stored = await listSavedViews(viewer.id, page);
  if (stored.length >= viewsMost) throw refusal(`There are ${viewsMost} views already. Delete one first.`);
  return named(input.name, () => insertSavedView({ userId: viewer.id, page, ...input }, now));
}

/** Renames a view, or replaces its filters or columns. */
export async function changeView({ viewer, params, body }: DashboardRequest) {
  const input = parseBody(changed, body);
  return existing(await named(input.name ?? '', () => updateSavedView(params.id ?? '', viewer.id, input)));
}

/** Deletes a view. */
export async function deleteView({ viewer, params }: DashboardRequest) {
  if (!(await deleteSavedView(params.id ?? '', viewer.id))) throw notFound();
  return { deleted: true };
}

async function named<T>(wanted: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    if (!(thrown instanceof NameTakenError)) throw thrown;
    throw new DashboardError(409, 'This name exists already.', { name: `You have a view “${wanted}” already.` });
  }
}
