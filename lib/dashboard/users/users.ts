/** Users and invitations. Each action is decided by the rules about two users and logged before it is done. */
import { z } from 'zod';
import {
  type AuditAction,
  assignableRoles,
  auditChange,
  createInvitation,
  endSessions,
  findInvitation,
  findOpenInvitations,
  findUser,
  type Invitation,
  invitationState,
  invitationUrl,
  isEmailTaken,
  listInvitations,
  listUsers,
  mayAssignRole,
  mayManageUser,
  merchantOf,
  type PasswordReset,
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
} from '../../auth/index.ts';
import { dashboardBaseUrl, env } from '../../config/index.ts';
import { isUuid } from '../../core/ids.ts';
import { pick } from '../../core/pick.ts';
import { queueEmail } from '../../outbox/index.ts';
import { retryAfterForInvitation } from '../../risk/index.ts';
import { logAction, loggedRefusal } from '../changes.ts';
import { DashboardError, existing, invalid, parseBody, refusal, textLine } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { merchantChoices } from '../merchants/choices.ts';

/**
 * A user's name, which emails and the audit log contain. Links in it would have the sender's trust, and mail programs make
 * links of `evil.example` too.
 */
export const nameField = textLine(80)
  .min(1, 'Enter a name.')
  .regex(/^[\p{L}\p{M}\p{N} '’.,()&-]*$/u, "Use letters, digits, spaces and ' . , ( ) & - only.")
  .regex(/^(?!.*\.[\p{L}\p{N}]{2})/u, 'Enter a name without a link: write a space after a dot.');
const roleField = z.enum(Object.keys(roleNames) as [Role, ...Role[]], 'Choose a role.');
const merchantField = idField('Choose a merchant.').nullish();
/** A change of a user's role. */
export const roleForm = z.object({ role: roleField, merchantId: merchantField });
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

const userActions = ['role', 'disable', 'enable', 'sessions', 'second_factor'] as const;

/** What the signed-in user may do with another. */
export type UserAction = (typeof userActions)[number];

/** The users and invitations in the scope of the signed-in user. */
export async function usersData({ viewer, scope, now }: PageContext) {
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
      ...pick(each, 'id', 'name', 'email', 'expiresAt'),
      sentAt: each.createdAt,
      roleName: roleNames[each.role],
      merchant: nameOf(each.merchantId),
      expired: invitationState(each, now) === 'expired',
      mayChange: mayAssignRole(viewer, each.role, each.merchantId),
    })),
    /** Roles that may be assigned, and whether they belong to a merchant. */
    roles: assignableRoles(viewer).map((role) => ({
      role,
      name: roleNames[role],
      about: aboutRoles[role],
      ofMerchant: !seesEveryMerchant(role),
    })),
    merchants,
    letters: emailDelivery(),
  };
}

function userRow(person: User, viewer: Viewer, merchant: string | null) {
  const { disabledAt, ...shown } = person;
  const fits: Record<UserAction, boolean> = {
    role: disabledAt === null,
    disable: disabledAt === null,
    enable: disabledAt !== null,
    sessions: person.usedAt !== null,
    second_factor: person.secondFactor,
  };
  return {
    ...shown,
    roleName: roleNames[person.role],
    merchant,
    disabled: disabledAt !== null,
    own: person.id === viewer.id,
    acts: userActions.filter((act) => fits[act] && mayManageUser(viewer, person, act)),
  };
}

/** Invites a user by email. */
export async function inviteUser(request: DashboardRequest) {
  const { viewer, now } = request;
  const { name, role, ...input } = parseBody(inviteForm, request.body);
  const merchantId = await merchantOfRole(viewer, { role, ...input });
  const email = input.email.toLowerCase();
  // The answer does not reveal a user whom the viewer does not see; the invitation leads to the sign-in.
  if (await isEmailTaken(email, merchantOf(viewer))) {
    const message = 'A user with this email exists already.';
    throw new DashboardError(409, message, { email: message });
  }
  limitInvitations(viewer, merchantId, email);
  for (const each of await findOpenInvitations(email, merchantId)) {
    if (mayAssignRole(viewer, each.role, merchantId)) await withdraw(request, each);
  }
  await logAction(request, 'invitation.send', `email:${email}`, { after: { name, email, role }, merchantId });
  return invited(request, await createInvitation({ name, email, role, merchantId, invitedById: viewer.id }, now));
}

/** Resends an invitation with a new link. */
export async function resendInvitation(request: DashboardRequest) {
  const invitation = await invitationOf(request);
  const { email, merchantId } = invitation;
  limitInvitations(request.viewer, merchantId, email);
  await logAction(request, 'invitation.resend', `email:${email}`, { merchantId });
  const sent = await renewInvitation(invitation.id, request.viewer.id, request.now);
  if (!sent) throw await closedInvitation(request, 'invitation.resend', invitation);
  return invited(request, sent);
}

/** Withdraws an invitation: its link becomes invalid. */
export async function withdrawInvitationAction(request: DashboardRequest) {
  const closed = await withdraw(request, await invitationOf(request));
  if (closed) throw closed;
  return usersData(request);
}

/** Withdraws an invitation; returns the error if it was accepted or withdrawn meanwhile. */
async function withdraw(request: DashboardRequest, invitation: Invitation): Promise<DashboardError | null> {
  const { id, email, merchantId } = invitation;
  await logAction(request, 'invitation.withdraw', `email:${email}`, { merchantId });
  if (await withdrawInvitation(id, request.now)) return null;
  return closedInvitation(request, 'invitation.withdraw', invitation);
}

/** Limits the emails that a user sends, and those that a recipient gets about one merchant. */
function limitInvitations(viewer: Viewer, merchantId: string | null, email: string): void {
  const seconds =
    retryAfterForInvitation('user', viewer.id) || retryAfterForInvitation('recipient', `${merchantId} ${email}`);
  if (seconds === 0) return;
  const minutes = Math.ceil(seconds / 60);
  const wait = `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  throw new DashboardError(429, `Too many invitations were sent. ${wait}`, undefined, { retryAfterSeconds: seconds });
}

const closedText = 'This invitation was accepted or withdrawn already.';

const closedInvitation = (request: DashboardRequest, action: AuditAction, { email, merchantId }: Invitation) =>
  loggedRefusal(request, action, `email:${email}`, closedText, { merchantId });

/** Changes a user's role. Their sessions end, so that the old role has no effect any more. */
export async function changeRole(request: DashboardRequest) {
  const person = await managedUser(request, 'role');
  const input = parseBody(roleForm, request.body);
  const merchantId = await merchantOfRole(request.viewer, input, person.merchantId);
  const before = { role: person.role, merchant: person.merchantId };
  const subject = { subject: `user:${person.id}`, merchantId: merchantId ?? person.merchantId };
  const entry = { actor: `user:${request.viewer.id}`, action: 'person.role' as const, ...subject };
  const changed = await auditChange(entry, before, { role: input.role, merchant: merchantId }, request.now);
  const change = { role: input.role, merchantId };
  if (changed.length > 0) await applyChange(request, 'person.role', person, change, subject);
  return usersData(request);
}

/** An action on a user without input, which is logged before it is done. */
const userAction =
  (act: UserAction, action: AuditAction, run: (person: User, request: DashboardRequest) => Promise<unknown>) =>
  async (request: DashboardRequest) => {
    const person = await managedUser(request, act);
    await logAction(request, action, `user:${person.id}`);
    await run(person, request);
    return usersData(request);
  };

/** Deactivates a user: their sessions end and they cannot sign in. */
export const disableUser = userAction('disable', 'person.disable', (person, request) =>
  applyChange(request, 'person.disable', person, { disabledAt: person.disabledAt ?? request.now }),
);

/** Reactivates a user. */
export const enableUser = userAction('enable', 'person.enable', (person, request) =>
  applyChange(request, 'person.enable', person, { disabledAt: null }),
);

/** Ends all sessions of a user. */
export const endUserSessions = userAction('sessions', 'person.end_sessions', ({ id }) => endSessions(id));

/** Removes a user's second factor if they lost it together with the recovery codes. */
export const resetSecondFactor = userAction('second_factor', 'person.reset_second_factor', async ({ id }) => {
  await removeSecondFactor(id);
  await endSessions(id);
});

async function managedUser({ viewer, params }: DashboardRequest, act: UserAction): Promise<User> {
  const person = existing(isUuid(params.id ?? '') ? await findUser(params.id ?? '', merchantOf(viewer)) : null);
  if (person.id === viewer.id) throw new DashboardError(403, 'You cannot do this to your own account.');
  if (mayManageUser(viewer, person, act)) return person;
  throw new DashboardError(403, 'Your role does not allow this for this user.');
}

const refusedChanges = {
  last: 'This is the last administrator. Add another one first.',
  changed: 'This user was changed by someone else. Reload the page and try again.',
};

/** Changes a user; `readers` is the merchant whose owners read the entry of a refused change. */
async function applyChange(
  request: DashboardRequest,
  action: AuditAction,
  person: User,
  change: Partial<User>,
  readers = pick(person, 'merchantId'),
): Promise<void> {
  const { role, merchantId, disabledAt } = { ...person, ...change };
  const done = await updateUser(person, { role, merchantId, disabledAt });
  if (done !== 'done') throw await loggedRefusal(request, action, `user:${person.id}`, refusedChanges[done], readers);
}

// The merchant of an assigned role: named, the acting user's own, or the user's current one; none for users who manage
// all merchants.
async function merchantOfRole(
  viewer: Viewer,
  { role, merchantId }: { role: Role; merchantId?: string | null | undefined },
  present: string | null = null,
): Promise<string | null> {
  const wanted = seesEveryMerchant(role) ? null : (merchantId ?? present ?? viewer.merchantId);
  if (!seesEveryMerchant(role) && wanted === null) throw invalid({ merchantId: 'Choose a merchant.' });
  if (!mayAssignRole(viewer, role, wanted)) {
    throw new DashboardError(403, 'Your role does not allow you to assign this role.');
  }
  const known = wanted === null || (await merchantChoices(wanted)).length > 0;
  if (!known) throw invalid({ merchantId: 'This merchant does not exist.' });
  return wanted;
}

/** The invitation in the address, which the user may change. Throws if it was accepted or withdrawn. */
async function invitationOf({ viewer, params }: DashboardRequest): Promise<Invitation> {
  const id = params.id ?? '';
  const invitation = existing(isUuid(id) ? await findInvitation(id, merchantOf(viewer)) : null);
  if (!mayAssignRole(viewer, invitation.role, invitation.merchantId)) {
    throw new DashboardError(403, 'Your role does not allow this for this invitation.');
  }
  if (invitation.acceptedAt || invitation.withdrawnAt) throw refusal(closedText);
  return invitation;
}

/** The page; `link` only without a mail server, to be handed over by other means. */
async function invited(request: DashboardRequest, sent: SentInvitation) {
  const { viewer, now } = request;
  const [merchant] = sent.invitation.merchantId === null ? [] : await merchantChoices(sent.invitation.merchantId);
  const nowhere = emailDelivery() === 'nowhere';
  if (!nowhere) await sendInvitation(sent, { by: viewer.name, merchant: merchant?.name ?? null }, now);
  return { ...(await usersData(request)), link: nowhere ? invitationUrl(sent.token) : null };
}

/** How this deployment sends emails. */
export function emailDelivery(): 'server' | 'outbox' | 'nowhere' {
  if (env.smtpUrl !== null) return 'server';
  return env.appEnv === 'sandbox' ? 'outbox' : 'nowhere';
}

/** Sends an invitation's link. */
export async function sendInvitation(
  { invitation, token }: SentInvitation,
  { by, merchant }: { by: string; merchant: string | null },
  now: Date,
): Promise<void> {
  const { name, email, role, expiresAt } = invitation;
  const url = invitationUrl(token);
  const where = merchant ?? 'all merchants';
  const date = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  const day = expiresAt.toLocaleDateString('en-GB', date);
  const text = `Hello ${name},

${by} has invited you to the Florin dashboard as ${roleNames[role].toLowerCase()} for ${where}. Create your account with this link:

${url}

The link works once, until ${day}, ${expiresAt.toISOString().slice(11, 16)} UTC. If you did not expect this invitation, ignore this email: no account is created without the link.
`;
  await queueEmail({ to: email, subject: 'Your invitation to the Florin dashboard', text, url, expiresAt }, now);
}

/** Sends a password reset link. */
export async function sendReset({ token, name, email, expiresAt }: PasswordReset, now: Date): Promise<void> {
  const url = `${dashboardBaseUrl()}/dashboard/sign-in/new-password/${token}`;
  const text = `Hello ${name},

set a new password for your Florin dashboard account with this link:

${url}

The link works once, within one hour. If you did not request it, ignore this email: your password does not change.
`;
  await queueEmail({ to: email, subject: 'Reset your password for the Florin dashboard', text, url, expiresAt }, now);
}
