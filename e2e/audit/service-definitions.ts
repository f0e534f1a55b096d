// Definitions of the service that the ledger check reuses.
import { sandboxCards } from '../../lib/core/sandbox-cards.ts';

export { entryHash } from '../../lib/auth/index.ts';

/** First six and last four digits of every card allowed in the sandbox. */
export const sandboxFragments = sandboxCards.map(({ number }) => number.slice(0, 6) + number.slice(-4));
