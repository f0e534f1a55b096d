/** Invitations: links by which users create their own account with an assigned role. */
import { v7 } from 'uuid';
import { prisma, statement, transaction } from '../db';
import { newToken, tokenDigest } from './one-time-links';
import { setPassword } from './passwords';
import type { Role } from './roles';
import { invitationDays } from './time-limits';

/** The state of an invitation. */
export type InvitationState = 'open' | 'expired' | 'accepted' | 'withdrawn';

export type Invitation = {
  id: string;
  email: string;
  name: string;
  role: Role;
  merchantId: string | null;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  withdrawnAt: Date | null;
};

/** The state of an invitation at `now`. */
export function invitationState(
  { acceptedAt, withdrawnAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'withdrawnAt' | 'expiresAt'>,
  now: Date,
): InvitationState {
  if (acceptedAt) return 'accepted';
  if (withdrawnAt) return 'withdrawn';
  return expiresAt <= now ? 'expired' : 'open';
}

/** An invitation with its token, which is not stored. */
export type SentInvitation = { invitation: Invitation; token: string };

export type NewInvitation = Pick<Invitation, 'email' | 'name' | 'role' | 'merchantId'> & { invitedById: string | null };

/** Creates an invitation and withdraws an open one for the same email. */
export async function createInvitation(
  { email, invitedById, ...input }: NewInvitation,
  now: Date,
): Promise<SentInvitation> {
  const token = newToken();
  const data = { ...input, email: email.toLowerCase(), invitedById, id: v7(), tokenDigest: tokenDigest(token) };
  const [, invitation] = await prisma().$transaction([
    prisma().invitation.updateMany({ where: { ...openFilter(now), email: data.email }, data: { withdrawnAt: now } }),
    prisma().invitation.create({ data: { ...data, createdAt: now, expiresAt: daysAfter(now) } }),
  ]);
  return { invitation, token };
}

/** Gives an invitation a new link and a new term; the previous link becomes invalid. */
export async function renewInvitation(id: string, now: Date): Promise<SentInvitation | null> {
  const token = newToken();
  const { count } = await prisma().invitation.updateMany({
    where: { id, acceptedAt: null, withdrawnAt: null },
    data: { tokenDigest: tokenDigest(token), createdAt: now, expiresAt: daysAfter(now) },
  });
  const invitation = count > 0 ? await prisma().invitation.findUnique({ where: { id } }) : null;
  return invitation && { invitation, token };
}

/** Withdraws an open invitation; false for any other. */
export async function withdrawInvitation(id: string, now: Date): Promise<boolean> {
  const where = { id, acceptedAt: null, withdrawnAt: null };
  return (await prisma().invitation.updateMany({ where, data: { withdrawnAt: now } })).count > 0;
}

/** Open invitations, the latest first. */
export function listInvitations(merchantId: string | null): Promise<Invitation[]> {
  return prisma().invitation.findMany({
    where: { acceptedAt: null, withdrawnAt: null, ...(merchantId !== null && { merchantId }) },
    orderBy: { createdAt: 'desc' },
    take: 200,
  });
}

/** One open invitation; null if there is none or it belongs to another merchant. */
export function findInvitation(id: string, merchantId: string | null): Promise<Invitation | null> {
  return prisma().invitation.findFirst({ where: { id, ...(merchantId !== null && { merchantId }) } });
}

/** The invitation of a link, in any state. */
export function findInvitationByToken(token: string): Promise<Invitation | null> {
  return prisma().invitation.findUnique({ where: { tokenDigest: tokenDigest(token) } });
}

const claim = statement<{ id: string; now: Date; digest: Uint8Array }, { id: string }>(
  'invitation-claim',
  `update invitations set accepted_at = :now::timestamptz
    where id = :id::uuid and token_digest = :digest and accepted_at is null and withdrawn_at is null returning id`,
);

const insertUser = statement<
  { id: string; name: string; email: string; role: string; merchantId: string | null },
  { id: string }
>(
  'invitation-user',
  `insert into users (id, name, email, email_verified, role, merchant_id, updated_at)
   values (:id::uuid, :name, :email, true, :role::"UserRole", :merchantId::uuid, now())
   on conflict (email) do nothing returning id`,
);

/**
 * Creates the account of an invitation, once: the row is claimed first, so that of two concurrent uses the second finds
 * it used. Returns the new user's id, or null if the invitation is not open or the email has an account.
 */
export async function acceptInvitation(
  token: string,
  { name, password }: { name: string; password: string },
  now: Date,
): Promise<string | null> {
  const invitation = await findInvitationByToken(token);
  if (!invitation || invitationState(invitation, now) !== 'open') return null;
  const id = v7();
  const made = await transaction(async (run) => {
    const claimed = await claim({ id: invitation.id, now, digest: tokenDigest(token) }, run);
    if (claimed.length === 0) return false;
    const users = await insertUser(
      { id, name, email: invitation.email, role: invitation.role, merchantId: invitation.merchantId },
      run,
    );
    return users.length > 0;
  });
  if (!made) return null;
  await setPassword(id, password);
  return id;
}

const openFilter = (now: Date) => ({ acceptedAt: null, withdrawnAt: null, expiresAt: { gt: now } });

function daysAfter(now: Date): Date {
  return new Date(now.getTime() + invitationDays * 24 * 3_600_000);
}
