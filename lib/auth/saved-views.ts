/** A user's saved views of a list. Every statement contains the user's id, so that users see only their own. */
import { v7, validate } from 'uuid';
import { prisma } from '../db/index.ts';

type SavedView = { id: string; name: string; query: string; columns: string[] };

/** The user has a view of this name on the list already. */
export class NameTakenError extends Error {
  constructor() {
    super('the name of the view is taken');
    this.name = 'NameTaken';
  }
}

const viewFields = { id: true, name: true, query: true, columns: true } as const;

/** A user's views of a list, oldest first. */
export function listSavedViews(userId: string, page: string): Promise<SavedView[]> {
  return prisma().savedView.findMany({
    where: { userId, page },
    select: viewFields,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Saves a view; throws {@link NameTakenError}. */
export function insertSavedView(
  view: Omit<SavedView, 'id'> & { userId: string; page: string },
  now: Date,
): Promise<SavedView> {
  return unique(prisma().savedView.create({ data: { id: v7(), createdAt: now, ...view }, select: viewFields }));
}

/** Changes the given members of a user's view; null for another user's view. Throws {@link NameTakenError}. */
export async function updateSavedView(
  id: string,
  userId: string,
  changes: Partial<Omit<SavedView, 'id'>>,
): Promise<SavedView | null> {
  if (!validate(id)) return null;
  const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { count } = await unique(prisma().savedView.updateMany({ where: { id, userId }, data }));
  return count === 0 ? null : prisma().savedView.findFirst({ where: { id, userId }, select: viewFields });
}

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
