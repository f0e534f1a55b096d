/** What a person sees of their own account, and what they change of it. Everything is logged before it is done. */
import { z } from 'zod';
import { audit } from '../../auth/audit';
import { deviceOf } from '../../auth/device';
import { isConfirmed } from '../../auth/limits';
import { passwordFault, setPassword } from '../../auth/passwords';
import { roleNames } from '../../auth/roles';
import {
  enrolmentOf,
  finishEnrolment,
  recoveryCodesLeft,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../auth/second-factor';
import { endSession, endSessions, markConfirmed, sessionsOf } from '../../auth/sessions';
import { base32 } from '../../auth/totp';
import { secondFactorDemanded } from '../../auth/viewer';
import { env } from '../../config/config';
import { qrImage } from '../../methods/qr';
import { Fault, Unconfirmed } from '../fault';
import type { Asked } from '../guard';
import { merchantName } from '../list/list';
import { valid } from '../valid';
import type { AccountData, Enrolment, RecoveryCodes } from './contract';
import { codeField, passwordField, proofForm, proveOrRefuse } from './proof';

const passwordForm = z.object({ password: passwordField, fresh: z.string('Write a new password.').max(1000) });
const codeForm = z.object({ code: codeField });
const bothForm = z.object({ password: passwordField, code: codeField });

/** The account of whoever asks. */
export async function account({ viewer, session }: Pick<Asked, 'viewer' | 'session'>): Promise<AccountData> {
  const { id, name, email, role, merchantId } = viewer;
  const [sessions, codesLeft, merchant] = await Promise.all([
    sessionsOf(id),
    recoveryCodesLeft(id),
    merchantId === null ? null : merchantName(merchantId),
  ]);
  return {
    ...{ name, email, merchant, role: roleNames[role] },
    secondFactor: { on: session.secondFactor, demanded: secondFactorDemanded(role), codesLeft },
    sessions: sessions.map((each) => ({
      id: each.id,
      device: deviceOf(each.userAgent),
      address: each.address,
      signedInAt: each.createdAt.toISOString(),
      usedAt: each.usedAt.toISOString(),
      here: each.id === session.id,
    })),
  };
}

/** Proves who somebody is: for the next minutes they may do what asks for it. */
export async function confirm(asked: Asked): Promise<object> {
  await proveOrRefuse(asked, valid(proofForm, asked.body));
  await markConfirmed(asked.session.id);
  return {};
}

/** Changes the password and ends every other session. */
export async function changePassword(asked: Asked): Promise<AccountData> {
  const { password, fresh } = valid(passwordForm, asked.body);
  const fault = fresh === password ? 'This is the password that you have.' : passwordFault(fresh, asked.viewer.email);
  if (fault) throw new Fault(400, fault, { fresh: fault });
  await proveOrRefuse(asked, { password });
  await log(asked, 'password.change');
  await setPassword(asked.viewer.id, fresh);
  await endSessions(asked.viewer.id, asked.session.id);
  await markConfirmed(asked.session.id);
  return account(asked);
}

/** Ends one of the own sessions. */
export async function endOwnSession(asked: Asked): Promise<AccountData | null> {
  const own = (await sessionsOf(asked.viewer.id)).find(({ id }) => id === asked.params.id);
  if (!own) return null;
  const before = { device: deviceOf(own.userAgent), address: own.address };
  await audit({ ...entry(asked, 'session.end'), before }, asked.now);
  await endSession(asked.viewer.id, own.id);
  return account(asked);
}

/** Ends all of the own sessions but this one. */
export async function endOtherSessions(asked: Asked): Promise<AccountData> {
  await log(asked, 'session.end_others');
  await endSessions(asked.viewer.id, asked.session.id);
  return account(asked);
}

/** Begins an authenticator, the first one or one in place of the present one, for which that one has to speak. */
export async function beginSecondFactor(asked: Asked): Promise<Enrolment> {
  const { viewer, session } = asked;
  if (session.secondFactor) await proveOrRefuse(asked, valid(codeForm, asked.body));
  else if (!isConfirmed(session.confirmedAt, new Date()) && !secondFactorDemanded(viewer.role)) throw new Unconfirmed();
  return drawn(await enrolmentOf(viewer, issuer(), { fresh: true }));
}

/** The authenticator that somebody has to set up before anything else, as the page shows it. */
export async function demandedEnrolment(viewer: Asked['viewer']): Promise<Enrolment> {
  return drawn(await enrolmentOf(viewer, issuer()));
}

/** Ends the setting up by a first code. Other sessions end, because they began without it. */
export async function finishSecondFactor(asked: Asked): Promise<RecoveryCodes> {
  const { code } = valid(codeForm, asked.body);
  const { viewer, session } = asked;
  const codes = await finishEnrolment(viewer.id, code);
  if (codes === 'late') throw new Fault(409, 'This took too long. Begin again with a new QR code.');
  if (codes === 'wrong') {
    const message = 'This code does not fit. Check that the time of your phone is right.';
    throw new Fault(400, message, { code: message });
  }
  await log(asked, session.secondFactor ? 'second_factor.replace' : 'second_factor.set_up');
  await endSessions(viewer.id, session.id);
  await markConfirmed(session.id);
  return { codes };
}

/** Ten new recovery codes for somebody who gives a code. */
export async function renewCodes(asked: Asked): Promise<RecoveryCodes> {
  const { code } = valid(codeForm, asked.body);
  if (!asked.session.secondFactor) throw new Fault(409, 'You have no second factor.');
  await proveOrRefuse(asked, { code });
  await log(asked, 'recovery_codes.renew');
  return { codes: await renewRecoveryCodes(asked.viewer.id) };
}

/** Switches the second factor off, where the role allows it. */
export async function switchOffSecondFactor(asked: Asked): Promise<AccountData> {
  const { password, code } = valid(bothForm, asked.body);
  if (!asked.session.secondFactor) throw new Fault(409, 'You have no second factor.');
  if (secondFactorDemanded(asked.viewer.role)) throw new Fault(409, 'Your role asks for a second factor.');
  // The password first: a code is used up by looking at it.
  await proveOrRefuse(asked, { password });
  await proveOrRefuse(asked, { code });
  await log(asked, 'second_factor.switch_off');
  await removeSecondFactor(asked.viewer.id);
  return account({ viewer: asked.viewer, session: { ...asked.session, secondFactor: false } });
}

function issuer(): string {
  return `Florin ${new URL(env.baseUrl).host}`;
}

function drawn({ uri, secret }: { uri: string; secret: Uint8Array }): Enrolment {
  const groups = base32(secret).match(/.{1,4}/g) ?? [];
  return { ...qrImage(uri), uri, secret: groups.join(' ') };
}

function entry({ viewer }: Asked, action: string) {
  return { actor: `user:${viewer.id}`, action, subject: `user:${viewer.id}` };
}

function log(asked: Asked, action: string): Promise<void> {
  return audit(entry(asked, action), asked.now);
}
