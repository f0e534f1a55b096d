'use client';
// A merchant's general settings, its open setup steps, and the action that disables it for every protocol.
import type { MerchantPage, MerchantValues } from '../../../lib/dashboard/merchants/contract';
import { IconButton, LinkButton, Menu, request, SettingsForm, useSettings } from '../ui';
import { useSwitch } from '../ui/use-switch';
import { merchantSections } from './fields';
import { SettingsHead } from './settings-head';
import { OpenSteps } from './setup';
import { merchantTabs } from './tabs';

export function Merchant({ initial }: { initial: MerchantPage }) {
  const settings = useSettings<MerchantPage, MerchantValues>({
    ...{ initial, path: `/merchants/${initial.id}`, checks: true },
    valuesOf: ({ values }) => values,
  });
  const { page, take } = settings;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <Head page={page} take={take} />
      <OpenSteps page={page} />
      <SettingsForm
        key={page.version}
        settings={settings}
        sections={merchantSections}
        effect="Takes effect immediately on payment pages"
        saved="Merchant saved."
        readOnly={!page.mayChange && 'merchants'}
      />
    </div>
  );
}

function Head({ page, take }: { page: MerchantPage; take: (page: MerchantPage) => void }) {
  const { id, version, enabled, mayChange, values } = page;
  const turn = useSwitch({
    ...{ name: values.name, noun: 'merchant', enabled },
    about: enabled
      ? 'Every request of this merchant is refused immediately, and open payment pages accept no more payments. Operations in progress continue: provider responses, callbacks and refunds.'
      : 'Requests with its valid keys are accepted again immediately.',
    act: async () => {
      take(await request<MerchantPage>(`/merchants/${id}/switch`, { body: { version, enabled: !enabled } }));
    },
  });
  const actions = (
    <>
      <LinkButton href={`/dashboard/mids?merchant=${id}`} icon="provider">
        MIDs
      </LinkButton>
      <LinkButton href={`/dashboard/audit-log?on=merchant:${id}`} icon="history">
        History
      </LinkButton>
      {mayChange ? (
        <Menu label="Merchant" items={[turn.item]}>
          <IconButton label="More" icon="dots" framed size="normal" />
        </Menu>
      ) : null}
    </>
  );
  return (
    <>
      <SettingsHead title={values.name} enabled={enabled} actions={actions} tabs={merchantTabs(id, 'general')} />
      {turn.dialog}
    </>
  );
}
