/** Invitations: a link by which somebody makes their own account, with the role that was decided for them. */
import { v7 } from 'uuid';
import { prisma, transaction } from '../db';
import { invitationDays } from './limits';
import { newToken, tokenDigest } from './links';
import { setPassword } from './passwords';
import type { Role } from './roles';

/** How an invitation stands. */
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

/** How an invitation stands at `now`. */
export function invitationState(
  { acceptedAt, withdrawnAt, expiresAt }: Pick<Invitation, 'acceptedAt' | 'withdrawnAt' | 'expiresAt'>,
  now: Date,
): InvitationState {
  if (acceptedAt) return 'accepted';
  if (withdrawnAt) return 'withdrawn';
  return expiresAt <= now ? 'expired' : 'open';
}

/** An invitation with what opens it; the token is nowhere else. */
export type SentInvitation = { invitation: Invitation; token: string };

export type NewInvitation = Pick<Invitation, 'email' | 'name' | 'role' | 'merchantId'> & { invitedById: string | null };

/** Makes an invitation; one that the same e-mail still has open is withdrawn by it. */
export async function createInvitation(
  { email, invitedById, ...given }: NewInvitation,
  now: Date,
): Promise<SentInvitation> {
  const token = newToken();
  const data = { ...given, email: email.toLowerCase(), invitedById, id: v7(), tokenDigest: tokenDigest(token) };
  const [, invitation] = await prisma().$transaction([
    prisma().invitation.updateMany({ where: { ...openFilter(now), email: data.email }, data: { withdrawnAt: now } }),
    prisma().invitation.create({ data: { ...data, createdAt: now, expiresAt: daysAfter(now) } }),
  ]);
  return { invitation, token };
}

/** Gives an invitation a new link and its days again; the link before it is worth nothing from then on. */
export async function renewInvitation(id: string, now: Date): Promise<SentInvitation | null> {
  const token = newToken();
  const { count } = await prisma().invitation.updateMany({
    where: { id, acceptedAt: null, withdrawnAt: null },
    data: { tokenDigest: tokenDigest(token), createdAt: now, expiresAt: daysAfter(now) },
  });
  const invitation = count > 0 ? await prisma().invitation.findUnique({ where: { id } }) : null;
  return invitation && { invitation, token };
}

/** Withdraws an invitation that nobody has accepted; false for any other. */
export async function withdrawInvitation(id: string, now: Date): Promise<boolean> {
  const where = { id, acceptedAt: null, withdrawnAt: null };
  return (await prisma().invitation.updateMany({ where, data: { withdrawnAt: now } })).count > 0;
}

/** Those that nobody has accepted or withdrawn, the latest first. */
export function listInvitations(merchantId: string | null): Promise<Invitation[]> {
  return prisma().invitation.findMany({
    where: { acceptedAt: null, withdrawnAt: null, ...(merchantId !== null && { merchantId }) },
    orderBy: { createdAt: 'desc' },
    take: 200,
  });
}

/** One of them; null for none, and for one to another merchant. */
export function findInvitation(id: string, merchantId: string | null): Promise<Invitation | null> {
  return prisma().invitation.findFirst({ where: { id, ...(merchantId !== null && { merchantId }) } });
}

/** The invitation that a link opens, however it stands. */
export function findInvitationByToken(token: string): Promise<Invitation | null> {
  return prisma().invitation.findUnique({ where: { tokenDigest: tokenDigest(token) } });
}

/**
 * Makes the account of an invitation, once: its row is claimed first, so that of two who use the link at once the second
 * finds it used. Gives the new person's id, or null for an invitation that is not open, or an e-mail that has an account.
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
    const claimed = await run<{ id: string }>(
      'invitation-claim',
      `update invitations set accepted_at = $2::timestamptz
        where id = $1::uuid and token_digest = $3 and accepted_at is null and withdrawn_at is null returning id`,
      [invitation.id, now, tokenDigest(token)],
    );
    if (claimed.length === 0) return false;
    const users = await run<{ id: string }>(
      'invitation-user',
      `insert into users (id, name, email, email_verified, role, merchant_id, updated_at)
       values ($1::uuid, $2, $3, true, $4::"UserRole", $5::uuid, now()) on conflict (email) do nothing returning id`,
      [id, name, invitation.email, invitation.role, invitation.merchantId],
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
