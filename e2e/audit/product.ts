// What the auditor takes from the service itself instead of saying it a second time.
import { sandboxCards } from '../../lib/core/sandbox-cards';

export { entryHash } from '../../lib/auth/audit';

/** First six and last four digits of every card that the sandbox may keep. */
export const sandboxFragments = sandboxCards.map(({ number }) => number.slice(0, 6) + number.slice(-4));
