'use client';
// A merchant's general settings and their form, its open setup steps, and the action that disables it for every
// protocol.
import type { MerchantPage, MerchantValues } from '../../../lib/dashboard/merchants/contract.ts';
import { fieldsOf, LinkButton, type Section, SettingsForm, useSettings } from '../ui/index.ts';
import { type Step, Steps } from '../ui/parts.tsx';
import { SettingsHead } from './settings-head.tsx';

export function Merchant({ initial }: { initial: MerchantPage }) {
  const settings = useSettings<MerchantPage, MerchantValues>({
    initial,
    path: `/merchants/${initial.id}`,
    checks: true,
    valuesOf: ({ values }) => values,
  });
  const { page, take } = settings;
  const { id, version, enabled, mayChange } = page;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <SettingsHead
        title={page.values.name}
        enabled={enabled}
        actions={[
          { text: 'MIDs', icon: 'provider', href: `/dashboard/mids?merchant=${id}` },
          { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=merchant:${id}` },
        ]}
        menu={{ label: 'Merchant' }}
        turn={
          mayChange && {
            path: `/merchants/${id}`,
            version,
            noun: 'merchant',
            take,
            about: enabled
              ? 'Every request of this merchant is refused immediately, and open payment pages accept no more payments. Operations in progress continue: provider responses, callbacks and refunds.'
              : 'Requests with its valid keys are accepted again immediately.',
          }
        }
        merchant={{ id, tab: 'General' }}
      />
      <OpenSteps page={page} />
      <SettingsForm
        key={version}
        settings={settings}
        sections={merchantSections}
        effect="Takes effect immediately on payment pages"
        saved="Merchant saved."
        readOnly={!mayChange && 'merchants'}
      />
    </div>
  );
}

const { text, chips } = fieldsOf<MerchantValues>();

export const merchantSections: readonly Section<MerchantValues>[] = [
  {
    id: 'general',
    title: 'General',
    fields: [
      text('name', 'Name', {
        help: 'Shown on the payment page, in messages to payers and, if the provider supports it, on their statement.',
        maxLength: 100,
      }),
      text('site', 'Website', {
        help: "The shop's host, shown below the name on the payment page: shop.example",
        size: 'middle',
      }),
    ],
  },
  {
    id: 'payers',
    title: 'For payers',
    about: 'Links of the payment page. Empty ones are hidden.',
    fields: [
      text('supportEmail', 'Support email', { type: 'email', size: 'middle' }),
      text('privacyUrl', 'Privacy notice', { type: 'url', mono: true }),
      text('termsUrl', 'Terms', { type: 'url', mono: true }),
    ],
  },
  {
    id: 'frames',
    title: 'Iframes',
    about: "Allowed iframe origins. The payer's browser refuses every other site.",
    fields: [
      chips('frameAncestors', 'Origins', {
        help: 'Such as https://shop.example, one entry each.',
        mono: true,
        placeholder: 'Add origin',
      }),
    ],
  },
  {
    id: 'apps',
    title: 'Return to apps',
    about: 'Return URLs may use these schemes of your own apps, in addition to https and http.',
    fields: [
      chips('appSchemes', 'Schemes', {
        help: 'Such as myshop for myshop://paid, one entry each.',
        mono: true,
        placeholder: 'Add scheme',
      }),
    ],
  },
];

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

function OpenSteps({ page: { id, values, setup, mayChange } }: { page: MerchantPage }) {
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
