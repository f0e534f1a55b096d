'use client';
// A token's page: its card, its payments, and its removal.
import type { TokenPage } from '../../../lib/dashboard/lists/contract.ts';
import { ActivityLog, Identifier, ObjectPage, ObjectPart, PaymentLines } from '../lists/object-head.tsx';
import { request, useObject, useQuestion } from '../ui/index.ts';
import { Time } from '../zone.tsx';

export function TokenView({ initial }: { initial: TokenPage }) {
  const path = `/tokens/${initial.id}`;
  const { page: token, take } = useObject(path, initial);
  const { ask, dialog } = useQuestion();
  const card = `${token.brand} •••• ${token.last4}`;
  const askRemove = () =>
    ask({
      title: `Remove the token of ${card}`,
      verb: 'Remove token',
      danger: true,
      text: (
        <>
          <p>
            Requests with this token are refused from now on (<code className="mono">205005</code>). This cannot be
            undone: the payer has to enter the card again.
          </p>
          <p className="text-ink2">A recurring payment with this card continues. It has its own token.</p>
        </>
      ),
      onConfirm: async () => take(await request<TokenPage>(`${path}/remove`, { method: 'POST' }), 'Token removed.'),
    });
  return (
    <>
      <ObjectPage
        title={card}
        state={token.state}
        about={aboutOf(token)}
        actions={[token.mayRemove && { text: 'Remove token', icon: 'trash', onClick: askRemove }]}
        facts={{
          card_token: <Identifier text={token.masked} whole={token.token} what="card_token" />,
          Number: <span className="figures">{`${token.first6} •••• ${token.last4}`}</span>,
          Expires: token.expires ?? 'not provided',
          Holder: token.holder ?? 'not provided',
          Created: <Time at={token.createdAt} as="date and time" />,
          Removed: token.removedAt ? <Time at={token.removedAt} as="date and time" /> : undefined,
          Merchant: token.merchantName,
        }}
        asideName="About the token"
        aside={
          <>
            <section className="px-gutter py-4">
              <h2 className="text-base font-semibold">What a token is</h2>
              <p className="mt-2 text-ink2">
                Your server sends <code className="mono">card_token</code> instead of a card. Only this merchant can use
                it, and it contains no personal data.
              </p>
            </section>
            <ActivityLog deeds={token.deeds} />
          </>
        }
      >
        <ObjectPart title="Payments with this card" table>
          <PaymentLines
            caption="Payments with this card"
            initial={token.payments}
            path={path}
            pick={({ payments }: TokenPage) => payments}
            empty="No payments with this card."
          />
        </ObjectPart>
      </ObjectPage>
      {dialog}
    </>
  );
}

function aboutOf({ state }: TokenPage): string | undefined {
  if (state === 'expired') return 'The card has expired: requests with this token are refused (205006).';
  if (state === 'removed') return 'Requests with this token are refused (205005).';
  return undefined;
}
