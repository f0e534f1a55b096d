'use client';
// A merchant's general settings, its open setup steps, and the action that disables it for every protocol.
import type { MerchantPage, MerchantValues } from '../../../lib/dashboard/merchants/contract.ts';
import { SettingsForm, useSettings } from '../ui/index.ts';
import { merchantSections } from './fields.ts';
import { SettingsHead } from './settings-head.tsx';
import { OpenSteps } from './setup.tsx';

export function Merchant({ initial }: { initial: MerchantPage }) {
  const settings = useSettings<MerchantPage, MerchantValues>({
    ...{ initial, path: `/merchants/${initial.id}`, checks: true },
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
            ...{ path: `/merchants/${id}`, version, noun: 'merchant', take },
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
