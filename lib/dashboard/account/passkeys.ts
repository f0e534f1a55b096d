/** A user's passkeys: added after a proof of the present second factor, renamed and removed. */
import { z } from 'zod';
import {
  type AuditActionName,
  deviceOf,
  endOtherSessions,
  listPasskeys,
  listUserSessions,
  passkeysMax,
  registerPasskey,
  registrationOptions,
  removePasskey,
  renamePasskey,
  renewSession,
  secondFactorWays,
} from '../../auth/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, existing, parseBody, refusal, textLine } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { account } from './account.ts';
import { inOwnTurn, newPasskeyField, requireForNewFactor, requireSecondFactor } from './identity.ts';

const nameField = textLine(60).min(1, 'Enter a name.');
const nameForm = z.object({ name: nameField });
const finishForm = z.object({ name: nameField, passkey: newPasskeyField });

const full = () => refusal(`You have ${passkeysMax} passkeys, which is the most. Remove one first.`);

/** Starts to add a passkey: the options for the browser, and a name for it, that of the browser. */
export async function beginPasskey(request: DashboardRequest) {
  const { viewer, session } = request;
  await requireForNewFactor(request);
  const options = await registrationOptions(viewer, session.id);
  if (!options) throw full();
  const own = (await listUserSessions(viewer.id)).find(({ id }) => id === session.id);
  return { options, name: deviceOf(own?.userAgent ?? null) };
}

/**
 * Stores the passkey that the browser created. With a first second factor there are recovery codes, and other sessions
 * end because they began without it.
 */
export async function finishPasskey(request: DashboardRequest) {
  const { name, passkey } = parseBody(finishForm, request.body);
  const { viewer, session, setCookie } = request;
  const made = await inOwnTurn(request, () => registerPasskey(viewer.id, session.id, name, passkey));
  if (made === 'late') throw refusal('The setup has expired. Start again.');
  if (made === 'full') throw full();
  if (made === 'known') throw refusal('This passkey is registered already.');
  if (made === 'wrong') throw new DashboardError(400, 'The passkey was not accepted.');
  await log(request, 'passkey.add', { after: { name } });
  if (!session.secondFactor) setCookie.push(...(await endOtherSessions(viewer, session)));
  setCookie.push(...(await renewSession(session)));
  return { codes: made.codes };
}

/** Renames a passkey. */
export async function changePasskey(request: DashboardRequest) {
  const own = await ownPasskey(request);
  const { name } = parseBody(nameForm, request.body);
  await log(request, 'passkey.rename', { before: { name: own.name }, after: { name } });
  await renamePasskey(request.viewer.id, own.id, name);
  return account(request);
}

/** Removes a passkey, unless it is the user's only second factor. */
export async function deletePasskey(request: DashboardRequest) {
  const own = await ownPasskey(request);
  const [passkeys, ways] = await Promise.all([listPasskeys(request.viewer.id), secondFactorWays(request.viewer.id)]);
  if (passkeys.length === 1 && !ways.includes('code')) throw onlyFactor();
  await requireSecondFactor(request);
  await log(request, 'passkey.remove', { before: { name: own.name } });
  if (await removePasskey(request.viewer.id, own.id)) return account(request);
  throw onlyFactor();
}

const onlyFactor = () =>
  refusal('This is your only second factor. Add another one first, or turn off two-factor authentication.');

const ownPasskey = async ({ viewer, params }: DashboardRequest) =>
  existing((await listPasskeys(viewer.id)).find(({ id }) => id === params.id));

const log = (
  request: DashboardRequest,
  action: AuditActionName,
  entry: { before?: { name: string }; after?: { name: string } },
) => logAction(request, action, `user:${request.viewer.id}`, entry);
