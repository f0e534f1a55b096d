/** Creates and deletes themes: branding for the sessions with one of their form IDs. */
import { z } from 'zod';
import { createTheme, deleteTheme, findThemes } from '../../merchants/index.ts';
import { atVersion, logAction } from '../changes.ts';
import { existing, parseBody, refusal, versionField } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest } from '../guard.ts';
import { findStoredBranding } from './branding.ts';
import { themeBounds } from './options.ts';
import { parseNames, unlessTaken } from './theme-names.ts';

const base = z.object({ base: idField().nullable().default(null) });

/** Creates a theme as a copy of the merchant's own branding, or of the theme `base`; returns its id. */
export async function createAction(request: DashboardRequest) {
  const { base: theme } = parseBody(base, request.body);
  const params = { ...request.params, ...(theme && { theme }) };
  const stored = await findStoredBranding({ ...request, params });
  const { merchant } = stored;
  const names = await parseNames(request.body, { merchant, theme: null });
  if ((await findThemes(merchant.id)).length >= themeBounds.themes) {
    throw refusal(`A merchant has at most ${themeBounds.themes} themes.`);
  }
  await logAction(request, 'theme.create', `merchant:${merchant.id}`, { after: names });
  return { id: await unlessTaken(createTheme(stored, names, request.now)) };
}

/** Deletes a theme: sessions with its form IDs get the merchant's own branding from then on. */
export async function deleteAction(request: DashboardRequest) {
  const { version } = parseBody(z.object({ version: versionField }), request.body);
  const { merchant, theme, ...found } = await findStoredBranding(request);
  const { id, name, formIds } = existing(theme);
  await atVersion(request, 'theme', { ...found, id }, version);
  const subject = `merchant:${merchant.id}`;
  const difference = { before: { name, formIds }, after: { name, formIds: null } };
  await logAction(request, 'theme.delete', subject, difference);
  if (await deleteTheme(id, version)) return {};
  await logAction(request, 'theme.delete.refused', subject, { after: { name } });
  throw refusal('The theme was changed by someone else. Reload the page, review it and try again.');
}
