'use client';
// The sections of a protocol mapping's form but its matrix of fields.
import { useFormContext, useWatch } from 'react-hook-form';
import { locales } from '../../../lib/core/locales';
import { hasSetting, mappingBounds } from '../../../lib/core/mapping-options';
import { formatAmount, parseAmount } from '../../../lib/core/money';
import type { MappingPage } from '../../../lib/dashboard/mappings/contract';
import { FormRow, FormSection, NumberInput, RadioList, Select, Switch, TextArea, TextInput } from '../ui';
import { limitCurrency, limitError, type MappingForm } from './form-values';
import { languageName } from './labels';

export function General() {
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

export function Orders({ page: { protocol } }: { page: MappingPage }) {
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

export function Return({ page: { protocol } }: { page: MappingPage }) {
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

export function Allowlist() {
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

export function Limits() {
  const { register } = useFormContext<MappingForm>();
  const { cascadeLimit } = mappingBounds;
  const limit = { validate: limitError };
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

export function Schedules() {
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
