/**
 * The people page: who has an account, who was invited, and what becomes of them. Each act is decided by the rules about
 * two people, on rows of the merchant that whoever acts is confined to, and is logged before it is done.
 */
import { z } from 'zod';
import { audit, auditChange } from '../../auth/audit';
import {
  findInvitation,
  type Invitation,
  invitationState,
  invitations,
  invite,
  renewInvitation,
  type Sent,
  withdrawInvitation,
} from '../../auth/invitations';
import { changePerson, findPerson, isTaken, type Person, people } from '../../auth/people';
import { grantable, mayChange, mayGrant } from '../../auth/people-rules';
import { merchantOf, type Role, roleNames, seesEveryMerchant, type Viewer } from '../../auth/roles';
import { removeSecondFactor } from '../../auth/second-factor';
import { endSessions } from '../../auth/sessions';
import { isUuid } from '../../core/ids';
import { Fault } from '../fault';
import type { Asked } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { valid } from '../valid';
import type { Invited, PeopleData, PersonAct, PersonRow, RoleChoice } from './contract';
import { invitationUrl, lettersGo, sendInvitation } from './letters';

export const nameField = z.string('Write a name.').trim().min(1, 'Write a name.').max(80, 'At most 80 characters.');
const roleField = z.enum(Object.keys(roleNames) as [Role, ...Role[]], 'Choose a role.');
const merchantField = z.uuid('Choose a merchant.').nullish();
const grantForm = z.object({ role: roleField, merchantId: merchantField });
const inviteForm = grantForm.extend({
  name: nameField,
  email: z.email('An e-mail address looks like name@example.com.').max(254),
});

const aboutRoles: Record<Role, string> = {
  administrator: 'Everything, and every role.',
  account_manager: 'Every merchant: settings, keys and people of merchants.',
  merchant_owner: 'Everything of one merchant: payments, keys, people, the look of the page.',
  operator: 'Payments of one merchant, with capture, refund and export.',
  viewer: 'Payments of one merchant, to look at.',
};

const everyAct: PersonAct[] = ['role', 'disable', 'enable', 'sessions', 'second_factor'];

/** Everybody whom whoever asks may see. */
export async function peopleData({ viewer, scope, now }: Pick<Asked, 'viewer' | 'scope' | 'now'>): Promise<PeopleData> {
  const [rows, open, merchants] = await Promise.all([
    people(scope),
    invitations(scope),
    merchantChoices(merchantOf(viewer)),
  ]);
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return {
    people: rows.map((row) => personRow(row, viewer, nameOf(row.merchantId))),
    invitations: open.map((each) => ({
      id: each.id,
      name: each.name,
      email: each.email,
      roleName: roleNames[each.role],
      merchant: nameOf(each.merchantId),
      sentAt: each.createdAt.toISOString(),
      expiresAt: each.expiresAt.toISOString(),
      expired: invitationState(each, now) === 'expired',
      mayChange: mayGrant(viewer, each.role, each.merchantId),
    })),
    roles: grantable(viewer).map(
      (role): RoleChoice => ({
        ...{ role, name: roleNames[role], about: aboutRoles[role], ofMerchant: !seesEveryMerchant(role) },
      }),
    ),
    merchants,
    letters: lettersGo(),
  };
}

function personRow(person: Person, viewer: Viewer, merchant: string | null): PersonRow {
  const { id, name, email, role, merchantId, secondFactor, disabledAt, usedAt } = person;
  const fits: Record<PersonAct, boolean> = {
    role: disabledAt === null,
    disable: disabledAt === null,
    enable: disabledAt !== null,
    sessions: usedAt !== null,
    second_factor: secondFactor,
  };
  return {
    ...{ id, name, email, role, roleName: roleNames[role], merchantId, merchant, secondFactor },
    disabled: disabledAt !== null,
    usedAt: usedAt?.toISOString() ?? null,
    own: id === viewer.id,
    acts: everyAct.filter((act) => fits[act] && mayChange(viewer, person, act)),
  };
}

/** Invites somebody by e-mail. */
export async function invitePerson(asked: Asked): Promise<Invited> {
  const { viewer, now } = asked;
  const given = valid(inviteForm, asked.body);
  const merchantId = await grantedMerchant(viewer, given);
  if (await isTaken(given.email)) {
    throw new Fault(409, 'Somebody has an account with this e-mail.', { email: 'Somebody has an account with it.' });
  }
  const data = { name: given.name, email: given.email.toLowerCase(), role: given.role, merchantId };
  const after = { name: data.name, email: data.email, role: data.role };
  await audit({ ...by(viewer, 'invitation.send', `email:${data.email}`), after, merchantId }, now);
  return invited(asked, await invite({ ...data, invitedById: viewer.id }, now));
}

/** Sends an invitation once more, with a new link. */
export async function resendInvitation(asked: Asked): Promise<Invited | null> {
  const invitation = await ownInvitation(asked);
  if (!invitation) return null;
  await audit(invitationEntry(asked, 'invitation.resend', invitation), asked.now);
  const sent = await renewInvitation(invitation.id, asked.now);
  if (!sent) throw new Fault(409, 'This invitation was accepted or withdrawn meanwhile.');
  return invited(asked, sent);
}

/** Withdraws an invitation: its link is worth nothing from then on. */
export async function takeBackInvitation(asked: Asked): Promise<PeopleData | null> {
  const invitation = await ownInvitation(asked);
  if (!invitation) return null;
  await audit(invitationEntry(asked, 'invitation.withdraw', invitation), asked.now);
  if (!(await withdrawInvitation(invitation.id, asked.now))) {
    throw new Fault(409, 'This invitation was accepted or withdrawn meanwhile.');
  }
  return peopleData(asked);
}

/** Gives somebody another role. Their sessions end, so that nothing of the old one is left. */
export async function changeRole(asked: Asked): Promise<PeopleData | null> {
  const person = await subjectOf(asked, 'role');
  if (!person) return null;
  const given = valid(grantForm, asked.body);
  const merchantId = await grantedMerchant(asked.viewer, given, person.merchantId);
  const before = { role: person.role, merchant: person.merchantId };
  const entry = {
    ...by(asked.viewer, 'person.role', `user:${person.id}`),
    merchantId: merchantId ?? person.merchantId,
  };
  const changed = await auditChange(entry, before, { role: given.role, merchant: merchantId }, asked.now);
  if (changed.length > 0) await change(person, { role: given.role, merchantId });
  return peopleData(asked);
}

/** Switches somebody off: their sessions end, and they begin no other. */
export async function disablePerson(asked: Asked): Promise<PeopleData | null> {
  const person = await subjectOf(asked, 'disable');
  if (!person) return null;
  await audit(by(asked.viewer, 'person.disable', `user:${person.id}`), asked.now);
  await change(person, { disabledAt: person.disabledAt ?? asked.now });
  return peopleData(asked);
}

/** Lets somebody in again. */
export async function enablePerson(asked: Asked): Promise<PeopleData | null> {
  const person = await subjectOf(asked, 'enable');
  if (!person) return null;
  await audit(by(asked.viewer, 'person.enable', `user:${person.id}`), asked.now);
  await change(person, { disabledAt: null });
  return peopleData(asked);
}

/** Ends all sessions of somebody. */
export async function endPersonSessions(asked: Asked): Promise<PeopleData | null> {
  const person = await subjectOf(asked, 'sessions');
  if (!person) return null;
  await audit(by(asked.viewer, 'person.end_sessions', `user:${person.id}`), asked.now);
  await endSessions(person.id);
  return peopleData(asked);
}

/** Takes somebody's second factor away, for whoever has lost it together with the recovery codes. */
export async function resetSecondFactor(asked: Asked): Promise<PeopleData | null> {
  const person = await subjectOf(asked, 'second_factor');
  if (!person) return null;
  await audit(by(asked.viewer, 'person.reset_second_factor', `user:${person.id}`), asked.now);
  await removeSecondFactor(person.id);
  await endSessions(person.id);
  return peopleData(asked);
}

async function subjectOf({ viewer, params }: Asked, act: PersonAct): Promise<Person | null> {
  const person = isUuid(params.id ?? '') ? await findPerson(params.id ?? '', merchantOf(viewer)) : null;
  if (!person) return null;
  if (person.id === viewer.id) throw new Fault(403, 'Nobody does this to their own account.');
  if (!mayChange(viewer, person, act)) throw new Fault(403, 'Your role does not allow this with this person.');
  return person;
}

async function change(person: Person, { role, merchantId, disabledAt }: Partial<Person>): Promise<void> {
  const next = {
    role: role ?? person.role,
    merchantId: merchantId === undefined ? person.merchantId : merchantId,
    disabledAt: disabledAt === undefined ? person.disabledAt : disabledAt,
  };
  if (!(await changePerson(person.id, next))) {
    throw new Fault(409, 'This is the last administrator. Name another one first.');
  }
}

// The merchant of a role that is given: named, or the own one, or the one that the person has; none for those who look
// after all of them.
async function grantedMerchant(
  viewer: Viewer,
  { role, merchantId }: { role: Role; merchantId?: string | null },
  present: string | null = null,
): Promise<string | null> {
  const wanted = seesEveryMerchant(role) ? null : (merchantId ?? present ?? viewer.merchantId);
  if (!seesEveryMerchant(role) && wanted === null) {
    throw new Fault(400, 'The request is not valid.', { merchantId: 'Choose a merchant.' });
  }
  if (!mayGrant(viewer, role, wanted)) throw new Fault(403, 'Your role does not allow giving this one.');
  const known = wanted === null || (await merchantChoices(wanted)).length > 0;
  if (!known) throw new Fault(400, 'The request is not valid.', { merchantId: 'There is no such merchant.' });
  return wanted;
}

async function ownInvitation({ viewer, params }: Asked): Promise<Invitation | null> {
  const id = params.id ?? '';
  const invitation = isUuid(id) ? await findInvitation(id, merchantOf(viewer)) : null;
  if (!invitation) return null;
  if (!mayGrant(viewer, invitation.role, invitation.merchantId)) {
    throw new Fault(403, 'Your role does not allow this with this invitation.');
  }
  return invitation;
}

async function invited(asked: Asked, sent: Sent): Promise<Invited> {
  const { viewer, now } = asked;
  const [merchant] = sent.invitation.merchantId === null ? [] : await merchantChoices(sent.invitation.merchantId);
  const nowhere = lettersGo() === 'nowhere';
  if (!nowhere) await sendInvitation(sent, { by: viewer.name, merchant: merchant?.name ?? null }, now);
  return { ...(await peopleData(asked)), link: nowhere ? invitationUrl(sent.token) : null };
}

function by(viewer: Viewer, action: string, subject: string) {
  return { actor: `user:${viewer.id}`, action, subject };
}

function invitationEntry({ viewer }: Asked, action: string, { email, merchantId }: Invitation) {
  return { ...by(viewer, action, `email:${email}`), merchantId };
}
