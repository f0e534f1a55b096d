'use client';
// The browser's own dialogs for passkeys, with the challenges of the server.
import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { request } from './ui/request.ts';

/** What proves a user's identity, as requests send it. */
export type Proof = { password: string } | { code: string } | { passkey: AuthenticationResponseJSON };

/** What a passkey is asked for: `confirmation` also unlocks a session. */
export type PasskeyPurpose = 'sign_in' | 'second_step' | 'confirmation';

/** Asks for a passkey. Throws an error with a sentence for the user. */
export async function askForPasskey(purpose: PasskeyPurpose): Promise<AuthenticationResponseJSON> {
  const given = { body: { purpose }, reads: true, signsIn: true } as const;
  const optionsJSON = await request<PublicKeyCredentialRequestOptionsJSON>('/passkey-options', given);
  return startAuthentication({ optionsJSON }).catch(explain);
}

/** Creates a passkey. Throws an error with a sentence for the user. */
export function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  return startRegistration({ optionsJSON }).catch(explain);
}

const reasons: Record<string, string> = {
  NotAllowedError: 'No passkey was used. It was cancelled, or it took too long.',
  InvalidStateError: 'This passkey is registered already.',
  SecurityError: 'Passkeys work only at the address that the operator has set for this dashboard.',
};

function explain(thrown: unknown): never {
  throw new Error(reasons[thrown instanceof Error ? thrown.name : ''] ?? 'This browser cannot use the passkey.');
}
