'use client';
// One protocol mapping: what its requests have to hold, what callbacks and status answers add, and everything else that
// the protocol lets a merchant set.
import { useMemo, useState } from 'react';
import { useForm, useFormContext, useWatch } from 'react-hook-form';
import { locales } from '../../../lib/core/locales';
import { hasSetting, mappingBounds, protocolNames } from '../../../lib/core/mapping-options';
import { formatAmount, parseAmount } from '../../../lib/core/money';
import {
  Button,
  FormRow,
  FormSection,
  LinkButton,
  Menu,
  Note,
  NumberInput,
  RadioList,
  request,
  Select,
  SettingsForm,
  Switch,
  TextArea,
  TextInput,
  useToast,
} from '../kit';
import { copiedFrom, fromForm, limitCurrency, limitFault, type MappingForm, toForm } from './form-values';
import { Matrix } from './matrix';
import type { MappingPage } from './model';
import { ProtocolTabs } from './protocol-tabs';
import { labelsOf, languageName, showOf } from './words';

type Props = { initial: MappingPage };

export function Mapping({ initial }: Props) {
  const [page, setPage] = useState(initial);
  const { protocol, editable } = page;
  const form = useForm<MappingForm>({ defaultValues: toForm(protocol, page.values), mode: 'onTouched' });
  const labels = useMemo(() => labelsOf(protocol), [protocol]);
  const show = useMemo(() => showOf(protocol), [protocol]);
  const save = async (values: MappingForm) => {
    const body = { version: page.version, values: fromForm(protocol, values, page.values) };
    const saved = await request<MappingPage>(`/mappings/${page.id}`, { body });
    setPage(saved);
    // The list and the addresses come back as the server has read them.
    setTimeout(() => form.reset(toForm(protocol, saved.values)));
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <Header
        page={page}
        copy={(other) => form.reset(copiedFrom(other, protocol, form.getValues()), { keepDefaultValues: true })}
      />
      <SettingsForm
        sections={sectionsOf(page)}
        form={form}
        labels={labels}
        show={show}
        effect={`${protocolNames[protocol]} requests and callbacks use them at once`}
        onSave={save}
        saved="Mapping saved."
        readOnly={!editable}
      >
        {editable ? null : (
          <div className="pt-[18px]">
            <Note>Your role looks on: account managers change mappings.</Note>
          </div>
        )}
        {standsOpen(page.values) ? (
          <div className="pt-[18px]">
            <Note tone="warn">
              Payouts are open: a request with the right <code className="mono">hash</code> pays money out, from any
              address. Switch open payouts off, or name the addresses of the merchant's servers.
            </Note>
          </div>
        ) : null}
        <General />
        <FormSection
          id="fields"
          title="Fields"
          about={
            protocol === 'checkout'
              ? 'The payment page asks for what is required and missing in the request. Callbacks and status answers tell what is ticked, as far as it is known.'
              : 'A request without a required field is refused. Callbacks and status answers tell what is ticked, as far as it is known.'
          }
        >
          <Matrix protocol={protocol} section="fields" readOnly={!editable} />
        </FormSection>
        <Orders page={page} />
        <Return page={page} />
        <Allowlist />
        <Limits />
        {hasSetting(protocol, 'scheduleRetries') ? <Schedules /> : null}
      </SettingsForm>
    </div>
  );
}

/** Whether payouts are taken over nothing but the contract's hash. */
function standsOpen({ openPayouts, signedRequests, ipAllowlist }: MappingPage['values']): boolean {
  return openPayouts && !signedRequests && ipAllowlist.length === 0;
}

function sectionsOf({ protocol }: MappingPage) {
  return [
    { id: 'general', title: 'Signature' },
    { id: 'fields', title: 'Fields' },
    { id: 'orders', title: 'Orders' },
    { id: 'return', title: 'Return and notification' },
    { id: 'allowlist', title: 'IP allowlist and signature' },
    { id: 'limits', title: 'Cascade and limits' },
    ...(hasSetting(protocol, 'scheduleRetries') ? [{ id: 'schedules', title: 'Schedules' }] : []),
  ];
}

/** Merchant, the way to the merchant's other protocols, and what can be done with the mapping as a whole. */
function Header({ page, copy }: { page: MappingPage; copy: (other: MappingPage) => void }) {
  const toast = useToast();
  const { merchant, siblings, editable, id } = page;
  const others = siblings.filter((each) => each.id !== id);
  const take = async (from: string) => {
    const other = await request<MappingPage>(`/mappings/${from}`);
    copy(other);
    toast(`Taken from ${protocolNames[other.protocol]}, not saved yet.`);
  };
  return (
    <div className="border-b border-line px-gutter pt-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <h1 className="text-title font-semibold">{merchant.name}</h1>
          <p className="text-ink2">How requests are read and callbacks written</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {editable && others.length > 0 ? (
            <Menu
              label="Copy from"
              items={others.map((each) => ({
                text: protocolNames[each.protocol],
                onSelect: () => void take(each.id),
              }))}
            >
              <Button icon="download">Copy from another mapping</Button>
            </Menu>
          ) : null}
          <LinkButton href={`/dashboard/routing/${id}`} icon="routing">
            Routing
          </LinkButton>
          <LinkButton href={`/dashboard/audit-log?on=mapping:${id}`} icon="history">
            History
          </LinkButton>
        </div>
      </div>
      <ProtocolTabs page={page} way="mappings" />
    </div>
  );
}

function General() {
  const { register } = useFormContext<MappingForm>();
  return (
    <FormSection id="general" title="Signature">
      <FormRow
        label="Digest"
        name="digest"
        group
        help="Requests and callbacks change together. Tell the developers before you save: their old hashes fail at once."
      >
        <RadioList
          wide
          {...register('digest')}
          options={[
            { value: 'md5', label: 'MD5', help: 'As the protocol began' },
            { value: 'sha256', label: 'SHA-256', help: 'Same inputs, longer hash' },
          ]}
        />
      </FormRow>
      <FormRow
        label="Requests"
        name="enabled"
        help="Off, every request is refused with 204002. Callbacks of earlier payments go on."
      >
        <Switch {...register('enabled')}>Taken</Switch>
      </FormRow>
      <FormRow
        label="Upper case"
        name="uppercase"
        group
        help="Of the texts that callbacks and return addresses are signed over. Requests are accepted with either."
      >
        <RadioList
          wide
          {...register('uppercase')}
          options={[
            { value: 'ascii', label: 'a to z', help: 'As PHP’s strtoupper' },
            { value: 'unicode', label: 'Every letter', help: 'As mb_strtoupper, Python and Node.js' },
          ]}
        />
      </FormRow>
    </FormSection>
  );
}

function Orders({ page: { protocol } }: { page: MappingPage }) {
  const { register } = useFormContext<MappingForm>();
  const { maximumDeclines } = mappingBounds;
  return (
    <FormSection id="orders" title="Orders">
      <FormRow
        label="Order id reuse"
        name="orderIdReuse"
        group
        help="Refused with “order_id: Duplicate payment.” otherwise."
      >
        <RadioList
          {...register('orderIdReuse')}
          options={[
            { value: 'never', label: 'Never', help: 'An order id that has a payment is used up' },
            { value: 'after_failed', label: 'After failed payments', help: 'Until a payment of the order succeeds' },
            { value: 'always', label: 'Always', help: 'An order id says nothing about payments' },
          ]}
        />
      </FormRow>
      {hasSetting(protocol, 'maximumDeclines') ? (
        <FormRow
          label="Maximum declines"
          name="maximumDeclines"
          help={
            <>
              Then the payer goes to <code className="mono">cancel_url</code>. Empty is no limit; at most{' '}
              {maximumDeclines.most}.
            </>
          }
        >
          <NumberInput {...register('maximumDeclines')} />
        </FormRow>
      ) : null}
      <FormRow
        label="Default language"
        name="defaultLanguage"
        help="Of pages for payers whose request names no language."
      >
        <Select
          {...register('defaultLanguage')}
          options={[
            { value: '', label: "The payer's browser decides" },
            ...locales.map(({ code }) => ({ value: code, label: languageName(code) })),
          ]}
        />
      </FormRow>
    </FormSection>
  );
}

function Return({ page: { protocol } }: { page: MappingPage }) {
  const { register } = useFormContext<MappingForm>();
  const field = protocol === 'checkout' ? 'notification_url' : 'callback_url';
  return (
    <FormSection id="return" title="Return and notification">
      {hasSetting(protocol, 'redirectParameters') ? (
        <FormRow
          label="Redirect parameters"
          name="redirectParameters"
          help={
            <>
              Adds <code className="mono">payment_method</code> and <code className="mono">brand</code> to{' '}
              <code className="mono">success_url</code> and <code className="mono">cancel_url</code>.
            </>
          }
        >
          <Switch {...register('redirectParameters')}>Method and brand</Switch>
        </FormRow>
      ) : null}
      {hasSetting(protocol, 'frameBySuccessUrl') ? <Shown /> : null}
      <FormRow
        label="Default address"
        name="defaultNotificationUrl"
        help={
          <>
            Callbacks of requests without <code className="mono">{field}</code> go here. Without either they are kept
            and not sent.
          </>
        }
      >
        <TextInput mono inputMode="url" {...register('defaultNotificationUrl')} />
      </FormRow>
    </FormSection>
  );
}

/** Where the payment page may be framed, and what a reversed authorisation is called. */
function Shown() {
  const { register } = useFormContext<MappingForm>();
  return (
    <>
      <FormRow
        label="Frame by success_url"
        name="frameBySuccessUrl"
        help={
          <>
            The origin of a session’s <code className="mono">success_url</code> may frame its page, beside the
            merchant’s own origins.
          </>
        }
      >
        <Switch {...register('frameBySuccessUrl')}>Allowed</Switch>
      </FormRow>
      <FormRow
        label="Reversed authorisation"
        name="reversalWord"
        group
        help="The word in answers and callbacks for an authorisation that was released."
      >
        <RadioList
          {...register('reversalWord')}
          options={[
            { value: 'reversal', label: 'reversal' },
            { value: 'void', label: 'void' },
          ]}
        />
      </FormRow>
    </>
  );
}

function Allowlist() {
  const { register } = useFormContext<MappingForm>();
  return (
    <FormSection id="allowlist" title="IP allowlist and signature">
      <FormRow
        label="Addresses"
        name="ipAllowlist"
        help="One address or network per line, IPv4 or IPv6, as 203.0.113.24 or 2001:db8::/32. Empty lets everybody in; others are told “Request from this ip is not allowed.”"
      >
        <TextArea mono rows={4} {...register('ipAllowlist')} />
      </FormRow>
      <FormRow
        label="Strong signature"
        name="signedRequests"
        help={
          <>
            Demands the header <code className="mono">X-Florin-Signature</code>, HMAC-SHA256 over time, address and
            body, beside <code className="mono">hash</code>. Switch it on when your server sends it: requests without it
            are refused.
          </>
        }
      >
        <Switch {...register('signedRequests')}>Demand it of every request</Switch>
      </FormRow>
      <FormRow
        label="Open payouts"
        name="openPayouts"
        help={
          <>
            Without it a request that pays money out is taken only with <code className="mono">X-Florin-Signature</code>{' '}
            or from the addresses above.
          </>
        }
      >
        <Switch {...register('openPayouts')}>
          Take payouts over <code className="mono">hash</code> alone
        </Switch>
      </FormRow>
    </FormSection>
  );
}

function Limits() {
  const { register } = useFormContext<MappingForm>();
  const { cascadeLimit } = mappingBounds;
  const limit = { validate: limitFault };
  return (
    <FormSection
      id="limits"
      title="Cascade and limits"
      about="After a soft decline an attempt goes on to the next MID of its rule, without the payer noticing."
    >
      <FormRow
        label="MIDs of one attempt"
        name="cascadeLimit"
        help={`From ${cascadeLimit.least} to ${cascadeLimit.most}. 1 is no cascade.`}
      >
        <NumberInput {...register('cascadeLimit')} />
      </FormRow>
      <FormRow
        label="Daily limit"
        name="dailyLimitMinor"
        help={<LimitHelp name="dailyLimitMinor" period="UTC day" code="204008" />}
      >
        <TextInput inputMode="decimal" size="short" unit={limitCurrency} {...register('dailyLimitMinor', limit)} />
      </FormRow>
      <FormRow
        label="Weekly limit"
        name="weeklyLimitMinor"
        help={<LimitHelp name="weeklyLimitMinor" period="UTC week from Monday" code="204015" />}
      >
        <TextInput inputMode="decimal" size="short" unit={limitCurrency} {...register('weeklyLimitMinor', limit)} />
      </FormRow>
    </FormSection>
  );
}

type LimitProps = { name: 'dailyLimitMinor' | 'weeklyLimitMinor'; period: string; code: string };

function LimitHelp({ name, period, code }: LimitProps) {
  const typed = useWatch<MappingForm, typeof name>({ name }).trim();
  const parsed = parseAmount(typed, limitCurrency);
  const yen = parsed.ok ? `, so that this is ${formatAmount(parsed.minor, 'JPY')} JPY` : '';
  return `Per ${period}. Each currency is counted by itself in its smallest unit${yen}. Beyond it requests are refused with ${code}; empty is no limit.`;
}

function Schedules() {
  const { register } = useFormContext<MappingForm>();
  const { scheduleRetries, scheduleRetryHours } = mappingBounds;
  return (
    <FormSection id="schedules" title="Schedules">
      <FormRow
        label="Retries of a schedule"
        name="scheduleRetries"
        help={`How often a declined scheduled charge is tried again, ${scheduleRetries.least} to ${scheduleRetries.most}.`}
      >
        <NumberInput {...register('scheduleRetries')} />
      </FormRow>
      <FormRow
        label="Hours between retries"
        name="scheduleRetryHours"
        help={`From ${scheduleRetryHours.least} to ${scheduleRetryHours.most}.`}
      >
        <NumberInput {...register('scheduleRetryHours')} />
      </FormRow>
      <FormRow
        label="Missed charges"
        name="missedSlots"
        group
        help="Which charges are made of those that fell due while the service was down."
      >
        <RadioList
          {...register('missedSlots')}
          options={[
            { value: 'one', label: 'The latest', help: 'Earlier ones are skipped' },
            { value: 'all', label: 'All', help: 'An hour after they are found; the schedule shows them before' },
            { value: 'none', label: 'None', help: 'The next charge is the next date' },
          ]}
        />
      </FormRow>
    </FormSection>
  );
}
