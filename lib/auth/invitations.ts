/** Invitations: links by which users create their own account with an assigned role. */
import { v7 } from 'uuid';
import { dashboardBaseUrl } from '../config/index.ts';
import { prisma } from '../db/index.ts';
import type { Invitation as Row } from '../prisma/client.ts';
import { newToken, tokenDigest } from './one-time-links.ts';
import { setPassword } from './passwords.ts';
import { invitationDays } from './time-limits.ts';

export type InvitationState = 'open' | 'expired' | 'accepted' | 'withdrawn';

export type Invitation = Omit<Row, 'tokenDigest' | 'invitedById'>;

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

type NewInvitation = Pick<Row, 'email' | 'name' | 'role' | 'merchantId' | 'invitedById'>;

/** The URL of an invitation's token. */
export function invitationUrl(token: string): string {
  return `${dashboardBaseUrl()}/dashboard/invitation/${token}`;
}

/** Creates an invitation. */
export async function createInvitation(
  { email, invitedById, ...input }: NewInvitation,
  now: Date,
): Promise<SentInvitation> {
  const token = newToken();
  const data = { ...input, email: email.toLowerCase(), invitedById, id: v7(), tokenDigest: tokenDigest(token) };
  const dates = { createdAt: now, expiresAt: daysAfter(now) };
  return { invitation: await prisma().invitation.create({ data: { ...data, ...dates } }), token };
}

/**
 * Gives an invitation a new link and a new term; the previous link becomes invalid. Who renews it has invited the user from
 * then on: a user who may no longer invite leaves no valid link behind.
 */
export async function renewInvitation(id: string, invitedById: string, now: Date): Promise<SentInvitation | null> {
  const token = newToken();
  const { count } = await prisma().invitation.updateMany({
    where: { id, ...open },
    data: { tokenDigest: tokenDigest(token), invitedById, createdAt: now, expiresAt: daysAfter(now) },
  });
  const invitation = count > 0 ? await prisma().invitation.findUnique({ where: { id } }) : null;
  return invitation && { invitation, token };
}

/** Withdraws an open invitation; false for any other. */
export async function withdrawInvitation(id: string, now: Date): Promise<boolean> {
  const where = { id, ...open };
  return (await prisma().invitation.updateMany({ where, data: { withdrawnAt: now } })).count > 0;
}

/** The open invitations of an email to one merchant, or to the roles without a merchant. */
export function findOpenInvitations(email: string, merchantId: string | null): Promise<Invitation[]> {
  return prisma().invitation.findMany({ where: { ...open, email: email.toLowerCase(), merchantId } });
}

/** Open invitations, the latest first. */
export function listInvitations(merchantId: string | null): Promise<Invitation[]> {
  return prisma().invitation.findMany({
    where: { ...open, ...(merchantId !== null && { merchantId }) },
    orderBy: { createdAt: 'desc' },
    take: 200,
  });
}

/** One invitation, in any state; null if there is none or it belongs to another merchant. */
export function findInvitation(id: string, merchantId: string | null): Promise<Invitation | null> {
  return prisma().invitation.findFirst({ where: { id, ...(merchantId !== null && { merchantId }) } });
}

/** The invitation of a link, in any state. */
export function findInvitationByToken(token: string): Promise<Invitation | null> {
  return prisma().invitation.findUnique({ where: { tokenDigest: tokenDigest(token) } });
}

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
  const { email, role, merchantId } = invitation;
  const made = await prisma().$transaction(async (tx) => {
    const claimed = await tx.invitation.updateMany({
      where: { id: invitation.id, tokenDigest: tokenDigest(token), ...open },
      data: { acceptedAt: now },
    });
    if (claimed.count === 0) return false;
    const data = { id, name, email, emailVerified: true, role, merchantId };
    return (await tx.user.createMany({ data, skipDuplicates: true })).count > 0;
  });
  if (!made) return null;
  await setPassword(id, password);
  return id;
}

// Expired ones too, which can be resent.
const open = { acceptedAt: null, withdrawnAt: null };

function daysAfter(now: Date): Date {
  return new Date(now.getTime() + invitationDays * 24 * 3_600_000);
}
