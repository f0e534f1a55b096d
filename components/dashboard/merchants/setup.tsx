// The steps from a new merchant to its first payment: after its creation, and on its page until they are done.
import type { MerchantPage } from '../../../lib/dashboard/merchants/contract.ts';
import { LinkButton } from '../ui/index.ts';
import { type Step, Steps } from '../ui/parts.tsx';

/** The steps after the first key. */
export function setupSteps(id: string, name: string, done?: MerchantPage['setup']): Step[] {
  const q = encodeURIComponent(name);
  const steps = [
    { text: 'A MID for its payments', done: done?.mids, verb: 'New MID', href: `/dashboard/mids/new?merchant=${id}` },
    { text: 'Protocol mappings', done: done?.callbacks, verb: 'Mappings', href: `/dashboard/mappings?q=${q}` },
    { text: 'Users of the merchant', done: done?.users, verb: 'Users', href: '/dashboard/people' },
  ];
  return steps.map(({ text, done: isDone = false, verb, href }) => ({
    text,
    done: isDone,
    aside: isDone ? undefined : (
      <LinkButton size="small" href={href}>
        {verb}
      </LinkButton>
    ),
  }));
}

/** The open steps on the merchant's page. */
export function OpenSteps({ page: { id, values, setup, mayChange } }: { page: MerchantPage }) {
  const steps = setupSteps(id, values.name, setup);
  // A shop can name its callback URL in each request, and a merchant needs no users of its own.
  const isOpen = mayChange && (!setup.mids || !(setup.callbacks || setup.users));
  if (!isOpen) return null;
  return (
    <section aria-label="Setup" className="border-b border-line px-gutter py-3.5">
      <h2 className="text-base font-semibold">Setup</h2>
      <div className="max-w-[528px]">
        <Steps steps={steps} />
      </div>
    </section>
  );
}
