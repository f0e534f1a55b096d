// The dashboard's users as the server returns them. Times are ISO 8601.
import type { Answer } from '../guard.ts';
import type { inviteUser, usersData } from './users.ts';

export type { UserAction } from './users.ts';

export type UsersData = Answer<typeof usersData>;
export type UserRow = UsersData['people'][number];
export type InvitationRow = UsersData['invitations'][number];
export type RoleName = UserRow['role'];

/** The result of an invitation. */
export type InviteResult = Answer<typeof inviteUser>;
