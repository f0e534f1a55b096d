'use client';
// One protocol mapping and its form: the required request fields, the additional fields of callbacks and status
// responses, and the protocol's other settings.
import { useMemo } from 'react';
import { locales } from '../../../lib/core/locales.ts';
import { hasSetting, type MappingSetting, mappingBounds, protocolNames } from '../../../lib/core/mapping-options.ts';
import { formatAmount } from '../../../lib/core/money.ts';
import { typedMinor } from '../../../lib/core/typed-amount.ts';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract.ts';
import {
  ActionError,
  Button,
  type Field,
  fieldsOf,
  Menu,
  optionsOf,
  request,
  type Section,
  SettingsForm,
  TopNote,
  useAction,
  useSettings,
  useToast,
} from '../ui/index.ts';
import { leave } from '../ui/unsaved.ts';
import { copiedFrom, fromForm, limitCurrency, limitError, type MappingForm, toForm } from './form-values.ts';
import { MappingHead } from './mapping-head.tsx';
import { Matrix, matrixWords } from './matrix.tsx';

export function Mapping({ initial }: { initial: MappingPage }) {
  const { protocol } = initial;
  const settings = useSettings<MappingPage, MappingForm>({
    initial,
    path: `/mappings/${initial.id}`,
    checks: true,
    mode: 'onTouched',
    valuesOf: ({ values }) => toForm(protocol, values),
    toSend: (form, { values }) => ({ values: fromForm(protocol, form, values) }),
  });
  const { page, form } = settings;
  const sections = useMemo(() => mappingSections(page), [page]);
  const words = useMemo(() => matrixWords(protocol), [protocol]);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MappingHead
        page={page}
        way="mappings"
        about="Request and callback settings"
        actions={[{ text: 'Routing', icon: 'routing', href: `/dashboard/routing/${page.id}` }]}
      >
        <CopyMenu
          page={page}
          copy={(other) => form.reset(copiedFrom(other, protocol, form.getValues()), { keepDefaultValues: true })}
        />
      </MappingHead>
      <SettingsForm
        key={page.version}
        settings={settings}
        sections={sections}
        words={words}
        effect={`Takes effect immediately for ${protocolNames[protocol]} requests and callbacks`}
        saved="Mapping saved."
        readOnly={!page.editable && 'mappings'}
      >
        {acceptsOpenPayouts(page.values) ? (
          <TopNote tone="warn">
            Payouts are open: a request with the right <code className="mono">hash</code> pays money out from any
            address. Turn open payouts off, or list the addresses of the merchant's servers.
          </TopNote>
        ) : null}
      </SettingsForm>
    </div>
  );
}

function acceptsOpenPayouts({ openPayouts, signedRequests, ipAllowlist }: MappingPage['values']): boolean {
  return openPayouts && !signedRequests && ipAllowlist.length === 0;
}

function CopyMenu({ page, copy }: { page: MappingPage; copy: (other: MappingPage) => void }) {
  const toast = useToast();
  const { run, busy, error } = useAction();
  const { siblings, editable, id } = page;
  const others = siblings.filter((each) => each.id !== id);
  const take = async (from: string) => {
    const other = await request<MappingPage>(`/mappings/${from}`);
    copy(other);
    toast(`Copied from ${protocolNames[other.protocol]}, not saved yet.`);
  };
  if (!editable || others.length === 0) return null;
  const items = others.map((each) => ({
    text: protocolNames[each.protocol],
    onSelect: () => leave(() => run(() => take(each.id))),
  }));
  return (
    <>
      <ActionError text={error} className="self-center text-xs" />
      <Menu label="Copy from" items={items}>
        <Button icon="download" busy={busy !== null}>
          Copy from another mapping
        </Button>
      </Menu>
    </>
  );
}

type MappingSection = Section<MappingForm> & { fields?: readonly (Field<MappingForm> & { name: string })[] };

const { text, count, amount, area, select, radio, toggle, section } = fieldsOf<MappingForm>();

const signature = section('general', 'Signature', [
  radio('digest', 'Hash algorithm', {
    wide: true,
    help: 'Requests and callbacks change together. Inform the developers before you save: requests with the old hash fail immediately.',
    options: optionsOf(['md5', 'MD5', 'Default (legacy)'], ['sha256', 'SHA-256', 'Same inputs, longer hash']),
  }),
  toggle('enabled', 'Status', {
    text: 'Active',
    help: 'If disabled, every request is refused with 204002. Callbacks of earlier payments continue.',
    show: (value) => (value ? 'active' : 'disabled'),
  }),
  radio('uppercase', 'Upper case', {
    wide: true,
    help: 'For the signatures of callbacks and return URLs. Requests are accepted with either.',
    options: optionsOf(
      ['ascii', 'a to z', 'As PHP’s strtoupper'],
      ['unicode', 'All letters', 'As mb_strtoupper, Python and Node.js'],
    ),
  }),
]);

const fields = ({ protocol, editable }: MappingPage): MappingSection => ({
  id: 'fields',
  title: 'Fields',
  marks: ['matrix'],
  about:
    protocol === 'checkout'
      ? 'The payment page asks for required fields that the request does not contain. Callbacks and status responses contain the selected fields if they are known.'
      : 'Requests without a required field are refused. Callbacks and status responses contain the selected fields if they are known.',
  children: <Matrix protocol={protocol} readOnly={!editable} />,
});

const tags: Record<string, string> = { sp: 'es', zh: 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** `German (de)` for a language code of the contract. */
function languageName(code: string): string {
  return `${new Intl.DisplayNames('en', { type: 'language' }).of(tags[code] ?? code)} (${code})`;
}

const orders = section('orders', 'Orders', [
  radio('orderIdReuse', 'Order ID reuse', {
    help: 'Otherwise refused with “order_id: Duplicate payment.”',
    options: optionsOf(
      ['never', 'Never', 'Each order ID can be paid once'],
      ['after_failed', 'After failed payments', 'Until a payment of the order succeeds'],
      ['always', 'Always', 'No duplicate check'],
    ),
  }),
  count('maximumDeclines', 'Maximum declines', {
    help: `Then the payer is redirected to \`cancel_url\`. Empty means no limit; at most ${mappingBounds.maximumDeclines.most}.`,
  }),
  toggle('offerSavingCards', 'Saved cards', {
    text: 'Offer payers to save their card',
    help: 'Your server gets a `card_token` when a payer ticks the box, as with `req_token`.',
  }),
  select('defaultLanguage', 'Default language', {
    nullable: true,
    help: 'The page language if the request names none.',
    options: optionsOf(['', 'Browser language'], ...locales.map(({ code }) => [code, languageName(code)] as const)),
  }),
]);

const callbacks = ({ protocol }: MappingPage) =>
  section('return', 'Return and callbacks', [
    toggle('redirectParameters', 'Redirect parameters', {
      text: 'Method and brand',
      help: 'Adds `payment_method` and `brand` to `success_url` and `cancel_url`.',
    }),
    text('pendingUrl', 'Pending URL', {
      mono: true,
      inputMode: 'url',
      help: 'Payers whose payment is completed later, by a voucher, a transfer or a method that decides later, return here, with the signed query. Empty means `success_url`.',
    }),
    toggle('frameBySuccessUrl', 'Frame by success_url', {
      text: 'Allowed',
      help: 'The origin of a session’s `success_url` may frame its page, in addition to the merchant’s own origins.',
    }),
    radio('reversalWord', 'Reversed authorisation', {
      help: 'The word in responses and callbacks for a cancelled authorisation.',
      options: optionsOf('reversal', 'void'),
    }),
    text('defaultNotificationUrl', 'Default callback URL', {
      mono: true,
      inputMode: 'url',
      help: `Callbacks of requests without \`${protocol === 'checkout' ? 'notification_url' : 'callback_url'}\` go here. Without either, they are recorded but not sent.`,
    }),
  ]);

const allowlist = section('allowlist', 'IP allowlist and signature', [
  area('ipAllowlist', 'Addresses', {
    listed: 'IP allowlist',
    mono: true,
    rows: 4,
    help: 'One address or network per line, IPv4 or IPv6, such as 203.0.113.24 or 2001:db8::/32. Empty allows all addresses; others get “Request from this ip is not allowed.”',
    show: (value) => lines(String(value ?? '')).join(', ') || 'all addresses',
  }),
  toggle('signedRequests', 'Signed requests (HMAC)', {
    text: 'Require for every request',
    help: 'Requires the header `X-Florin-Signature`, an HMAC-SHA256 over time, path and body, in addition to `hash`. Turn it on when your server sends the header: requests without it are refused.',
    show: (value) => (value ? 'required' : 'not required'),
  }),
  toggle('openPayouts', 'Open payouts', {
    text: 'Accept payouts with `hash` alone',
    help: 'Without this, a payout request requires `X-Florin-Signature` or one of the addresses above.',
    show: (value) => (value ? 'accepted with the hash alone' : 'refused with the hash alone'),
  }),
]);

const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

type LimitName = 'dailyLimitMinor' | 'weeklyLimitMinor';

const limit = (name: LimitName, label: string, period: string, code: string): Field<MappingForm> =>
  amount(name, label, {
    unit: limitCurrency,
    validate: limitError,
    help: ({ [name]: typed }) => {
      const minor = typedMinor(typed, limitCurrency);
      const yen = minor === null ? '' : `, so this is ${formatAmount(minor, 'JPY')} JPY`;
      return `Per ${period}. Each currency is counted separately in minor units${yen}. Requests over the limit are refused with ${code}; empty means no limit.`;
    },
  });

const { cascadeLimit, scheduleRetries, scheduleRetryHours } = mappingBounds;

const limits: MappingSection = {
  id: 'limits',
  title: 'Cascade and limits',
  about: 'After a soft decline an attempt continues with the next MID of its rule, invisible to the payer.',
  fields: [
    count('cascadeLimit', 'Cascade depth', {
      help: `Maximum MIDs of one attempt, from ${cascadeLimit.least} to ${cascadeLimit.most}. 1 disables the cascade.`,
    }),
    limit('dailyLimitMinor', 'Daily limit', 'UTC day', '204008'),
    limit('weeklyLimitMinor', 'Weekly limit', 'UTC week from Monday', '204015'),
  ],
};

const schedules = section('schedules', 'Schedules', [
  count('scheduleRetries', 'Schedule retries', {
    help: `Number of retries of a declined scheduled charge, ${scheduleRetries.least} to ${scheduleRetries.most}.`,
  }),
  count('scheduleRetryHours', 'Hours between retries', {
    help: `From ${scheduleRetryHours.least} to ${scheduleRetryHours.most}.`,
  }),
  radio('missedSlots', 'Missed charges', {
    help: 'Which charges are made of those missed while the service was down.',
    options: optionsOf(
      ['one', 'The latest', 'Earlier ones are skipped'],
      ['all', 'All', 'One hour after they are found; the schedule shows them before'],
      ['none', 'None', 'The next charge is on the next date'],
    ),
  }),
]);

/** The sections of a protocol: settings that it does not have are not shown. */
function mappingSections(page: MappingPage): Section<MappingForm>[] {
  const all = [signature, fields(page), orders, callbacks(page), allowlist, limits, schedules];
  return all
    .map((section) => ({
      ...section,
      fields: section.fields?.filter(({ name }) => hasSetting(page.protocol, name as MappingSetting)),
    }))
    .filter((section) => section.children !== undefined || section.fields?.length !== 0);
}
