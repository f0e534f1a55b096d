// Capabilities of a MID: its own if set, otherwise those of its connector.
import { findConnector } from '../connectors';
import type { Mid } from './merchants';

/**
 * Whether a MID's provider accepts the card of a wallet token: its own setting (`wallet`), otherwise its connector's.
 */
export function acceptsDecryptedCards(mid: Mid): boolean {
  return walletCapability(mid) === 'decrypted';
}

/** What a MID accepts of a wallet: the decrypted card, the token itself, or nothing. */
export function walletCapability({ connector, capabilities }: Pick<Mid, 'connector' | 'capabilities'>): unknown {
  const own = (capabilities as { wallet?: unknown } | null)?.wallet;
  return own ?? findConnector(connector)?.capabilities.wallet;
}

/** The maximum length of a payer's text for a MID; undefined if the connector's applies. */
export function maxPayerTextLength({ capabilities }: Pick<Mid, 'capabilities'>): number | undefined {
  const own = (capabilities as { payerTextMax?: unknown } | null)?.payerTextMax;
  return typeof own === 'number' ? own : undefined;
}
