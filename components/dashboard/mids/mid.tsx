'use client';
// One MID: settings, connection test, and the action that stops new payments on it.
import { useMemo } from 'react';
import type { MidChoices, MidPage, MidValues } from '../../../lib/dashboard/mids/contract.ts';
import { SettingsHead } from '../merchants/settings-head.tsx';
import { SettingsForm, useSettings } from '../ui/index.ts';
import { useConnectionTest } from './connection.tsx';
import { credentialWords, toSend } from './credentials.tsx';
import { midSections } from './fields.tsx';

export function Mid({ initial, choices }: { initial: MidPage; choices: MidChoices }) {
  const path = `/mids/${initial.id}`;
  const settings = useSettings<MidPage, MidValues>({
    initial,
    path,
    toSend,
    checks: true,
    valuesOf: ({ values }) => values,
  });
  const { page, take, form } = settings;
  const { id, version, enabled, mayChange, values, merchantId, use } = page;
  const connector = choices.connectors.find(({ value }) => value === values.connector)?.label ?? values.connector;
  const { test, answer } = useConnectionTest(form, path);
  const sections = useMemo(() => {
    const control = <span className="flex min-h-8 items-center">{page.merchantName}</span>;
    const merchant = { name: 'merchantId', label: 'Merchant', kind: 'own', control } as const;
    return midSections({ choices, stored: page.stored, page, merchant });
  }, [choices, page]);
  const words = useMemo(() => credentialWords(choices.credentials), [choices]);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <SettingsHead
        title={values.name}
        enabled={enabled}
        about={`${connector}, ${attemptsText(use.tries)} in 14 days`}
        actions={[mayChange && test, { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=mid:${id}` }]}
        menu={{
          label: 'MID',
          items: [
            { text: 'Payments of this MID', icon: 'payments', href: `/dashboard/payments?mid=${id}` },
            { text: page.merchantName, icon: 'merchants', href: `/dashboard/merchants/${merchantId}` },
          ],
        }}
        turn={
          mayChange && {
            path,
            version,
            noun: 'MID',
            take,
            about: enabled
              ? 'New payments no longer use it: routing selects the next MID, or refuses if there is none. Captures, refunds and provider responses of earlier payments continue. Nothing is deleted.'
              : 'Routing can select it again immediately.',
          }
        }
      />
      {answer}
      <SettingsForm
        key={version}
        settings={settings}
        sections={sections}
        words={words}
        effect={enabled ? 'Takes effect immediately for payments' : 'Used when the MID is enabled'}
        saved="MID saved."
        readOnly={!mayChange && 'MIDs'}
      />
    </div>
  );
}

function attemptsText(attempts: number): string {
  if (attempts === 0) return 'no payments';
  if (attempts >= 10_000) return '10,000 or more payments';
  return attempts === 1 ? '1 payment' : `${attempts.toLocaleString('en')} payments`;
}
