/** Shows a user's own account and changes it. Every change is written to the audit log before it is made. */
import { z } from 'zod';
import {
  type AuditAction,
  base32,
  completeEnrolment,
  deviceOf,
  endOtherSessions,
  endSession,
  isUsedPassword,
  listPasskeys,
  listUserSessions,
  passwordError,
  passwordHashOf,
  recoveryCodesLeft,
  regenerateRecoveryCodes,
  removeSecondFactor,
  renewSession,
  roleNames,
  secondFactorRequired,
  secondFactorWays,
  setPassword,
  startEnrolment,
  usedPasswordError,
} from '../../auth/index.ts';
import { dashboardBaseUrl } from '../../config/index.ts';
import { qrImage } from '../../methods/qr.ts';
import { logAction } from '../changes.ts';
import { existing, invalid, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { merchantName } from '../payments/queries.ts';
import {
  codeField,
  inOwnTurn,
  passwordField,
  proofForm,
  requireForNewFactor,
  requireIdentity,
  requireSecondFactor,
} from './identity.ts';

const passwordForm = z.object({ password: passwordField, fresh: z.string('Enter a new password.').max(1000) });
const codeForm = z.object({ code: codeField });
const ownPasswordForm = z.object({ password: passwordField });

/** The account of the signed-in user. */
export async function account({ viewer, session }: PageContext) {
  const { id, name, email, role, merchantId } = viewer;
  const [sessions, ways, codesLeft, passkeys, merchant] = await Promise.all([
    listUserSessions(id),
    secondFactorWays(id),
    recoveryCodesLeft(id),
    listPasskeys(id),
    merchantId === null ? null : merchantName(merchantId),
  ]);
  return {
    name,
    email,
    merchant,
    role: roleNames[role],
    /** `demanded`: the role requires it. `codesLeft`: unused recovery codes, null without a second factor. */
    secondFactor: { ways, demanded: secondFactorRequired(role), codesLeft },
    passkeys,
    sessions: sessions.map(({ id: sessionId, userAgent, address, createdAt, usedAt }) => ({
      /** `usedAt` is exact to half a minute. */
      id: sessionId,
      device: deviceOf(userAgent),
      address,
      signedInAt: createdAt,
      usedAt,
      here: sessionId === session.id,
    })),
  };
}

/** Verifies the user's identity; actions that require a recent proof are allowed for the next minutes. */
export async function confirmAction(request: DashboardRequest): Promise<object> {
  await requireIdentity(request, parseBody(proofForm, request.body));
  return {};
}

/** Changes the password and ends every other session. */
export async function changePassword(request: DashboardRequest) {
  const { password, fresh } = parseBody(passwordForm, request.body);
  const proved = await passwordHashOf(request.viewer.id);
  // First, because the checks of the new password occupy the process: proofs are limited.
  await requireIdentity(request, { password });
  return inOwnTurn(request, () => replacePassword(request, fresh, proved));
}

const changedMeanwhile = 'Your password was changed meanwhile, and is unchanged by this.';

async function replacePassword(request: DashboardRequest, fresh: string, proved: string | null) {
  const refuse = (error: string) => invalid({ fresh: error }, error);
  const error = await passwordError(fresh, request.viewer);
  if (error) throw refuse(error);
  if (await isUsedPassword(request.viewer.id, fresh)) throw refuse(usedPasswordError);
  await log(request, 'password.change');
  if (!(await setPassword(request.viewer.id, fresh, proved))) throw refusal(changedMeanwhile);
  request.setCookie.push(...(await endOtherSessions(request.viewer, request.session)));
  return account(request);
}

/** Ends one session of the user. */
export async function endOwnSession(request: DashboardRequest) {
  const own = existing((await listUserSessions(request.viewer.id)).find(({ id }) => id === request.params.id));
  await log(request, 'session.end', { before: { device: deviceOf(own.userAgent), address: own.address } });
  await endSession(request.viewer.id, own.id);
  return account(request);
}

/** Ends every session of the user but the current one. */
export async function endSessionsElsewhere(request: DashboardRequest) {
  await log(request, 'session.end_others');
  request.setCookie.push(...(await endOtherSessions(request.viewer, request.session)));
  return account(request);
}

/** Starts the setup of an authenticator. If the user has a second factor already, it must confirm the change. */
export async function beginSecondFactor(request: DashboardRequest) {
  await requireForNewFactor(request);
  return enrolmentView(await startEnrolment(request.viewer, request.session.id, issuer(), { fresh: true }));
}

/** The authenticator that a user must set up before any other page is allowed, as the page shows it. */
export async function requiredEnrolment(viewer: PageContext['viewer'], sessionId: string) {
  return enrolmentView(await startEnrolment(viewer, sessionId, issuer()));
}

/** Completes the setup with a first code. Other sessions end because they began without a second factor. */
export async function finishSecondFactor(request: DashboardRequest) {
  const { code } = parseBody(codeForm, request.body);
  const { viewer, session, setCookie } = request;
  const codes = await inOwnTurn(request, () => completeEnrolment(viewer.id, session.id, code));
  if (codes === 'late') throw refusal('The setup has expired. Start again with a new QR code.');
  if (codes === 'wrong') {
    const message = 'The code is incorrect. Check that the time on your phone is right.';
    throw invalid({ code: message }, message);
  }
  await log(request, session.secondFactor ? 'second_factor.replace' : 'second_factor.set_up');
  setCookie.push(...(await endOtherSessions(viewer, session)), ...(await renewSession(session)));
  return { codes };
}

/** Generates ten new recovery codes after a valid code or passkey. */
export async function regenerateCodes(request: DashboardRequest) {
  if (!request.session.secondFactor) throw refusal('Two-factor authentication is off.');
  await requireSecondFactor(request);
  await log(request, 'recovery_codes.renew');
  return { codes: await inOwnTurn(request, () => regenerateRecoveryCodes(request.viewer.id)) };
}

/** Turns off two-factor authentication where the role allows it. */
export async function disableSecondFactor(request: DashboardRequest) {
  const { password } = parseBody(ownPasswordForm, request.body);
  if (!request.session.secondFactor) throw refusal('Two-factor authentication is off.');
  if (secondFactorRequired(request.viewer.role)) throw refusal('Your role requires two-factor authentication.');
  // The password is checked first because the check of a code or a passkey uses it up.
  await requireIdentity(request, { password });
  await requireSecondFactor(request);
  await log(request, 'second_factor.switch_off');
  await removeSecondFactor(request.viewer.id);
  return account(request);
}

const issuer = () => `Florin ${new URL(dashboardBaseUrl()).host}`;

/** A QR code as one SVG path, and the secret as text in groups of four. */
function enrolmentView({ uri, secret }: { uri: string; secret: string }) {
  const groups = base32(secret).match(/.{1,4}/g) ?? [];
  return { ...qrImage(uri), uri, secret: groups.join(' ') };
}

const log = (request: DashboardRequest, action: AuditAction, entry = {}) =>
  logAction(request, action, `user:${request.viewer.id}`, entry);
