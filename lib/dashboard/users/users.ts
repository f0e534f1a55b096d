/**
 * The users page: accounts, invitations and their changes. Each action is decided by the rules about two users, limited
 * to the acting user's merchant, and logged before it is done.
 */
import { z } from 'zod';
import {
  assignableRoles,
  audit,
  auditChange,
  createInvitation,
  endSessions,
  findInvitation,
  findUser,
  type Invitation,
  invitationState,
  isEmailTaken,
  listInvitations,
  listUsers,
  mayAssignRole,
  mayManageUser,
  merchantOf,
  type Role,
  removeSecondFactor,
  renewInvitation,
  roleNames,
  type SentInvitation,
  seesEveryMerchant,
  type User,
  updateUser,
  type Viewer,
  withdrawInvitation,
} from '../../auth';
import { isUuid } from '../../core/ids';
import { DashboardError } from '../errors';
import type { DashboardRequest } from '../guard';
import { merchantChoices } from '../merchants/choices';
import { parseBody } from '../parse-body';
import type { InviteResult, RoleChoice, UserAction, UserRow, UsersData } from './contract';
import { emailDelivery, invitationUrl, sendInvitation } from './emails';

export const nameField = z.string('Enter a name.').trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.');
const roleField = z.enum(Object.keys(roleNames) as [Role, ...Role[]], 'Choose a role.');
const merchantField = z.uuid('Choose a merchant.').nullish();
const roleForm = z.object({ role: roleField, merchantId: merchantField });
/** An invitation. */
export const inviteForm = roleForm.extend({
  name: nameField,
  email: z.email('Enter an email address such as name@example.com.').max(254),
});

const aboutRoles: Record<Role, string> = {
  administrator: 'Full access, including every role.',
  account_manager: 'All merchants: settings, keys and users.',
  merchant_owner: 'One merchant: payments, keys, users and branding.',
  operator: 'Payments of one merchant, with capture, refund and export.',
  viewer: 'Payments of one merchant, read-only.',
};

const userActions: UserAction[] = ['role', 'disable', 'enable', 'sessions', 'second_factor'];

/** The users and invitations in the scope of the signed-in user. */
export async function usersData({
  viewer,
  scope,
  now,
}: Pick<DashboardRequest, 'viewer' | 'scope' | 'now'>): Promise<UsersData> {
  const [rows, open, merchants] = await Promise.all([
    listUsers(scope),
    listInvitations(scope),
    merchantChoices(merchantOf(viewer)),
  ]);
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return {
    people: rows.map((row) => userRow(row, viewer, nameOf(row.merchantId))),
    invitations: open.map((each) => ({
      id: each.id,
      name: each.name,
      email: each.email,
      roleName: roleNames[each.role],
      merchant: nameOf(each.merchantId),
      sentAt: each.createdAt.toISOString(),
      expiresAt: each.expiresAt.toISOString(),
      expired: invitationState(each, now) === 'expired',
      mayChange: mayAssignRole(viewer, each.role, each.merchantId),
    })),
    roles: assignableRoles(viewer).map(
      (role): RoleChoice => ({
        ...{ role, name: roleNames[role], about: aboutRoles[role], ofMerchant: !seesEveryMerchant(role) },
      }),
    ),
    merchants,
    letters: emailDelivery(),
  };
}

function userRow(person: User, viewer: Viewer, merchant: string | null): UserRow {
  const { id, name, email, role, merchantId, secondFactor, disabledAt, usedAt } = person;
  const fits: Record<UserAction, boolean> = {
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
    acts: userActions.filter((act) => fits[act] && mayManageUser(viewer, person, act)),
  };
}

/** Invites a user by email. */
export async function inviteUser(request: DashboardRequest): Promise<InviteResult> {
  const { viewer, now } = request;
  const input = parseBody(inviteForm, request.body);
  const merchantId = await merchantOfRole(viewer, input);
  if (await isEmailTaken(input.email)) {
    throw new DashboardError(409, 'A user with this email exists already.', {
      email: 'A user with this email exists already.',
    });
  }
  const data = { name: input.name, email: input.email.toLowerCase(), role: input.role, merchantId };
  const after = { name: data.name, email: data.email, role: data.role };
  await audit({ ...auditEntry(viewer, 'invitation.send', `email:${data.email}`), after, merchantId }, now);
  return invited(request, await createInvitation({ ...data, invitedById: viewer.id }, now));
}

/** Resends an invitation with a new link. */
export async function resendInvitation(request: DashboardRequest): Promise<InviteResult | null> {
  const invitation = await ownInvitation(request);
  if (!invitation) return null;
  await audit(invitationEntry(request, 'invitation.resend', invitation), request.now);
  const sent = await renewInvitation(invitation.id, request.now);
  if (!sent) throw new DashboardError(409, 'This invitation was accepted or withdrawn already.');
  return invited(request, sent);
}

/** Withdraws an invitation: its link becomes invalid. */
export async function withdrawInvitationAction(request: DashboardRequest): Promise<UsersData | null> {
  const invitation = await ownInvitation(request);
  if (!invitation) return null;
  await audit(invitationEntry(request, 'invitation.withdraw', invitation), request.now);
  if (!(await withdrawInvitation(invitation.id, request.now))) {
    throw new DashboardError(409, 'This invitation was accepted or withdrawn already.');
  }
  return usersData(request);
}

/** Changes a user's role. Their sessions end, so that the old role has no effect any more. */
export async function changeRole(request: DashboardRequest): Promise<UsersData | null> {
  const person = await subjectOf(request, 'role');
  if (!person) return null;
  const input = parseBody(roleForm, request.body);
  const merchantId = await merchantOfRole(request.viewer, input, person.merchantId);
  const before = { role: person.role, merchant: person.merchantId };
  const entry = {
    ...auditEntry(request.viewer, 'person.role', `user:${person.id}`),
    merchantId: merchantId ?? person.merchantId,
  };
  const changed = await auditChange(entry, before, { role: input.role, merchant: merchantId }, request.now);
  if (changed.length > 0) await applyChange(person, { role: input.role, merchantId });
  return usersData(request);
}

/** Deactivates a user: their sessions end and they cannot sign in. */
export async function disableUser(request: DashboardRequest): Promise<UsersData | null> {
  const person = await subjectOf(request, 'disable');
  if (!person) return null;
  await audit(auditEntry(request.viewer, 'person.disable', `user:${person.id}`), request.now);
  await applyChange(person, { disabledAt: person.disabledAt ?? request.now });
  return usersData(request);
}

/** Reactivates a user. */
export async function enableUser(request: DashboardRequest): Promise<UsersData | null> {
  const person = await subjectOf(request, 'enable');
  if (!person) return null;
  await audit(auditEntry(request.viewer, 'person.enable', `user:${person.id}`), request.now);
  await applyChange(person, { disabledAt: null });
  return usersData(request);
}

/** Ends all sessions of a user. */
export async function endUserSessions(request: DashboardRequest): Promise<UsersData | null> {
  const person = await subjectOf(request, 'sessions');
  if (!person) return null;
  await audit(auditEntry(request.viewer, 'person.end_sessions', `user:${person.id}`), request.now);
  await endSessions(person.id);
  return usersData(request);
}

/** Removes a user's second factor if they lost it together with the recovery codes. */
export async function resetSecondFactor(request: DashboardRequest): Promise<UsersData | null> {
  const person = await subjectOf(request, 'second_factor');
  if (!person) return null;
  await audit(auditEntry(request.viewer, 'person.reset_second_factor', `user:${person.id}`), request.now);
  await removeSecondFactor(person.id);
  await endSessions(person.id);
  return usersData(request);
}

async function subjectOf({ viewer, params }: DashboardRequest, act: UserAction): Promise<User | null> {
  const person = isUuid(params.id ?? '') ? await findUser(params.id ?? '', merchantOf(viewer)) : null;
  if (!person) return null;
  if (person.id === viewer.id) throw new DashboardError(403, 'You cannot do this to your own account.');
  if (!mayManageUser(viewer, person, act))
    throw new DashboardError(403, 'Your role does not allow this for this user.');
  return person;
}

async function applyChange(person: User, { role, merchantId, disabledAt }: Partial<User>): Promise<void> {
  const next = {
    role: role ?? person.role,
    merchantId: merchantId === undefined ? person.merchantId : merchantId,
    disabledAt: disabledAt === undefined ? person.disabledAt : disabledAt,
  };
  if (!(await updateUser(person.id, next))) {
    throw new DashboardError(409, 'This is the last administrator. Add another one first.');
  }
}

// The merchant of an assigned role: named, the acting user's own, or the user's current one; none for users who manage
// all merchants.
async function merchantOfRole(
  viewer: Viewer,
  { role, merchantId }: { role: Role; merchantId?: string | null },
  present: string | null = null,
): Promise<string | null> {
  const wanted = seesEveryMerchant(role) ? null : (merchantId ?? present ?? viewer.merchantId);
  if (!seesEveryMerchant(role) && wanted === null) {
    throw new DashboardError(400, 'The request is not valid.', { merchantId: 'Choose a merchant.' });
  }
  if (!mayAssignRole(viewer, role, wanted))
    throw new DashboardError(403, 'Your role does not allow you to assign this role.');
  const known = wanted === null || (await merchantChoices(wanted)).length > 0;
  if (!known)
    throw new DashboardError(400, 'The request is not valid.', { merchantId: 'This merchant does not exist.' });
  return wanted;
}

async function ownInvitation({ viewer, params }: DashboardRequest): Promise<Invitation | null> {
  const id = params.id ?? '';
  const invitation = isUuid(id) ? await findInvitation(id, merchantOf(viewer)) : null;
  if (!invitation) return null;
  if (!mayAssignRole(viewer, invitation.role, invitation.merchantId)) {
    throw new DashboardError(403, 'Your role does not allow this for this invitation.');
  }
  return invitation;
}

async function invited(request: DashboardRequest, sent: SentInvitation): Promise<InviteResult> {
  const { viewer, now } = request;
  const [merchant] = sent.invitation.merchantId === null ? [] : await merchantChoices(sent.invitation.merchantId);
  const nowhere = emailDelivery() === 'nowhere';
  if (!nowhere) await sendInvitation(sent, { by: viewer.name, merchant: merchant?.name ?? null }, now);
  return { ...(await usersData(request)), link: nowhere ? invitationUrl(sent.token) : null };
}

function auditEntry(viewer: Viewer, action: string, subject: string) {
  return { actor: `user:${viewer.id}`, action, subject };
}

function invitationEntry({ viewer }: DashboardRequest, action: string, { email, merchantId }: Invitation) {
  return { ...auditEntry(viewer, action, `email:${email}`), merchantId };
}
