// What an account takes: its own capabilities where it has some, else those of its connector.
import { findConnector } from '../connectors';
import type { Mid } from './merchants';

/** Whether an account's provider takes the card out of a wallet's token: its own word (`wallet`), else its connector's. */
export function acceptsDecryptedCards(mid: Mid): boolean {
  return walletCapability(mid) === 'decrypted';
}

/** What an account takes of a wallet: the card in its token, the token as it is, or nothing. */
export function walletCapability({ connector, capabilities }: Pick<Mid, 'connector' | 'capabilities'>): unknown {
  const own = (capabilities as { wallet?: unknown } | null)?.wallet;
  return own ?? findConnector(connector)?.capabilities.wallet;
}

/** The most characters of a payer's text that an account takes; undefined where it takes what its connector does. */
export function maxPayerTextLength({ capabilities }: Pick<Mid, 'capabilities'>): number | undefined {
  const own = (capabilities as { payerTextMax?: unknown } | null)?.payerTextMax;
  return typeof own === 'number' ? own : undefined;
}
