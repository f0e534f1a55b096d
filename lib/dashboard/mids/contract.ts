// Data of the MID pages. Amounts are text; secrets are only sent to the server.
import type { z } from 'zod';
import type { Answer } from '../guard.ts';
import type { checkAction } from './connection.ts';
import type { midChoices, midPage } from './page.ts';
import type { midInput } from './schema.ts';

export * from './new-values.ts';

/** The fields of the form. Empty texts are not set; empty secrets stay unchanged. */
export type MidValues = z.input<typeof midInput>;

export type MidPage = Answer<typeof midPage>;

/** Which secrets are stored; for credentials by method. */
export type StoredSecrets = MidPage['stored'];

/** The choices of a MID's fields in this deployment. */
export type MidChoices = Answer<typeof midChoices>;

/** A credential of a method as the form asks for it. */
export type CredentialField = NonNullable<MidChoices['credentials'][string]>[number];

/** A provider's answer. `note` names differences from the MID's settings. */
export type ConnectionCheck = Answer<typeof checkAction>;
