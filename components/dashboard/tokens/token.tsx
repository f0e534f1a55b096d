'use client';
// A token's page: its card, its payments, and its removal.
import type { TokenPage } from '../../../lib/dashboard/lists/contract.ts';
import { ActivityLog, fetchLines, PaymentLines } from '../lists/cells.tsx';
import { Identifier, ObjectHead } from '../lists/object-head.tsx';
import { Button, request, useObject, useQuestion } from '../ui/index.ts';
import { Time } from '../zone.tsx';

export function TokenView({ initial }: { initial: TokenPage }) {
  const path = `/tokens/${initial.id}`;
  const { page: token, take } = useObject(path, initial);
  const { ask, dialog } = useQuestion();
  const card = `${token.brand} •••• ${token.last4}`;
  const askRemove = () =>
    ask({
      ...{ title: `Remove the token of ${card}`, verb: 'Remove token', danger: true },
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
      <ObjectHead
        title={card}
        state={token.state}
        about={aboutOf(token)}
        actions={
          token.mayRemove ? (
            <Button icon="trash" onClick={askRemove}>
              Remove token
            </Button>
          ) : null
        }
        facts={[
          { name: 'card_token', value: <Identifier text={token.masked} whole={token.token} what="card_token" /> },
          { name: 'Number', value: <span className="figures">{`${token.first6} •••• ${token.last4}`}</span> },
          { name: 'Expires', value: token.expires ?? 'not provided' },
          { name: 'Holder', value: token.holder ?? 'not provided' },
          { name: 'Created', value: <Time at={token.createdAt} as="date and time" /> },
          ...(token.removedAt ? [{ name: 'Removed', value: <Time at={token.removedAt} as="date and time" /> }] : []),
          { name: 'Merchant', value: token.merchantName },
        ]}
      />
      <div className="grid flex-1 lg:grid-cols-[minmax(0,1fr)_348px]">
        <section aria-labelledby="paid" className="min-w-0">
          <h2 id="paid" className="px-gutter pt-4 pb-2 text-base font-semibold">
            Payments with this card
          </h2>
          <PaymentLines
            caption="Payments with this card"
            name={['token-payments', token.id]}
            initial={token.payments}
            more={(query) => fetchLines<TokenPage>(path, query, ({ payments }) => payments)}
            empty="No payments with this card."
          />
        </section>
        <aside aria-label="About the token" className="border-line max-lg:border-t lg:border-l">
          <section className="px-gutter py-4">
            <h2 className="text-base font-semibold">What a token is</h2>
            <p className="mt-2 text-ink2">
              Your server sends <code className="mono">card_token</code> instead of a card. Only this merchant can use
              it, and it contains no personal data.
            </p>
          </section>
          <ActivityLog deeds={token.deeds} />
        </aside>
      </div>
      {dialog}
    </>
  );
}

function aboutOf({ state }: TokenPage): string | undefined {
  if (state === 'expired') return 'The card has expired: requests with this token are refused (205006).';
  if (state === 'removed') return 'Requests with this token are refused (205005).';
  return undefined;
}
