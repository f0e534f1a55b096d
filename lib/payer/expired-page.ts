/** Builds the page of an expired session. */
import type { PageShell, SessionPage } from './contract.ts';
import { exitUrl, linkTargetOf } from './exit.ts';
import type { PageContext } from './page-context.ts';
import { isPaidElsewhere } from './screen.ts';
import type { View } from './view.ts';

/** A payer who may have sent money finds no way to start again. */
export function expiredPage(view: View, { now }: PageContext, frame: PageShell): SessionPage {
  const { attempt, session } = view;
  const target = linkTargetOf(view);
  if (!attempt || !isPaidElsewhere(attempt)) {
    const returnUrl = exitUrl(view, 'expired');
    return { ...frame, state: 'expired', expiredAt: session.expiresAt, money: 'none', returnUrl, target };
  }
  // The payment data was valid beyond the session's end.
  const until = Math.min(new Date(attempt.providerData.present?.expiresAt ?? 0).getTime(), now.getTime());
  const expiredAt = new Date(Math.max(session.expiresAt.getTime(), until));
  return { ...frame, state: 'expired', expiredAt, money: 'unknown', returnUrl: exitUrl(view, 'undetermined'), target };
}
