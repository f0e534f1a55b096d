'use client';
// The sections of a protocol mapping's form, except the field matrix.
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
        label="Hash algorithm"
        name="digest"
        group
        help="Requests and callbacks change together. Inform the developers before you save: requests with the old hash fail immediately."
      >
        <RadioList
          wide
          {...register('digest')}
          options={[
            { value: 'md5', label: 'MD5', help: 'Default (legacy)' },
            { value: 'sha256', label: 'SHA-256', help: 'Same inputs, longer hash' },
          ]}
        />
      </FormRow>
      <FormRow
        label="Status"
        name="enabled"
        help="If disabled, every request is refused with 204002. Callbacks of earlier payments continue."
      >
        <Switch {...register('enabled')}>Active</Switch>
      </FormRow>
      <FormRow
        label="Upper case"
        name="uppercase"
        group
        help="For the signatures of callbacks and return URLs. Requests are accepted with either."
      >
        <RadioList
          wide
          {...register('uppercase')}
          options={[
            { value: 'ascii', label: 'a to z', help: 'As PHP’s strtoupper' },
            { value: 'unicode', label: 'All letters', help: 'As mb_strtoupper, Python and Node.js' },
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
        label="Order ID reuse"
        name="orderIdReuse"
        group
        help="Otherwise refused with “order_id: Duplicate payment.”"
      >
        <RadioList
          {...register('orderIdReuse')}
          options={[
            { value: 'never', label: 'Never', help: 'Each order ID can be paid once' },
            { value: 'after_failed', label: 'After failed payments', help: 'Until a payment of the order succeeds' },
            { value: 'always', label: 'Always', help: 'No duplicate check' },
          ]}
        />
      </FormRow>
      {hasSetting(protocol, 'maximumDeclines') ? (
        <FormRow
          label="Maximum declines"
          name="maximumDeclines"
          help={
            <>
              Then the payer is redirected to <code className="mono">cancel_url</code>. Empty means no limit; at most{' '}
              {maximumDeclines.most}.
            </>
          }
        >
          <NumberInput {...register('maximumDeclines')} />
        </FormRow>
      ) : null}
      <FormRow label="Default language" name="defaultLanguage" help="The page language if the request names none.">
        <Select
          {...register('defaultLanguage')}
          options={[
            { value: '', label: 'Browser language' },
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
    <FormSection id="return" title="Return and callbacks">
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
        label="Default callback URL"
        name="defaultNotificationUrl"
        help={
          <>
            Callbacks of requests without <code className="mono">{field}</code> go here. Without either, they are
            recorded but not sent.
          </>
        }
      >
        <TextInput mono inputMode="url" {...register('defaultNotificationUrl')} />
      </FormRow>
    </FormSection>
  );
}

/** Which sites may frame the payment page, and the name of a reversed authorisation. */
function Shown() {
  const { register } = useFormContext<MappingForm>();
  return (
    <>
      <FormRow
        label="Frame by success_url"
        name="frameBySuccessUrl"
        help={
          <>
            The origin of a session’s <code className="mono">success_url</code> may frame its page, in addition to the
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
        help="The word in responses and callbacks for a cancelled authorisation."
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
        help="One address or network per line, IPv4 or IPv6, such as 203.0.113.24 or 2001:db8::/32. Empty allows all addresses; others get “Request from this ip is not allowed.”"
      >
        <TextArea mono rows={4} {...register('ipAllowlist')} />
      </FormRow>
      <FormRow
        label="Signed requests (HMAC)"
        name="signedRequests"
        help={
          <>
            Requires the header <code className="mono">X-Florin-Signature</code>, an HMAC-SHA256 over time, path and
            body, in addition to <code className="mono">hash</code>. Turn it on when your server sends the header:
            requests without it are refused.
          </>
        }
      >
        <Switch {...register('signedRequests')}>Require for every request</Switch>
      </FormRow>
      <FormRow
        label="Open payouts"
        name="openPayouts"
        help={
          <>
            Without this, a payout request requires <code className="mono">X-Florin-Signature</code> or one of the
            addresses above.
          </>
        }
      >
        <Switch {...register('openPayouts')}>
          Accept payouts with <code className="mono">hash</code> alone
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
      about="After a soft decline an attempt continues with the next MID of its rule, invisible to the payer."
    >
      <FormRow
        label="Cascade depth"
        name="cascadeLimit"
        help={`Maximum MIDs of one attempt, from ${cascadeLimit.least} to ${cascadeLimit.most}. 1 disables the cascade.`}
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
  const yen = parsed.ok ? `, so this is ${formatAmount(parsed.minor, 'JPY')} JPY` : '';
  return `Per ${period}. Each currency is counted separately in minor units${yen}. Requests over the limit are refused with ${code}; empty means no limit.`;
}

export function Schedules() {
  const { register } = useFormContext<MappingForm>();
  const { scheduleRetries, scheduleRetryHours } = mappingBounds;
  return (
    <FormSection id="schedules" title="Schedules">
      <FormRow
        label="Schedule retries"
        name="scheduleRetries"
        help={`Number of retries of a declined scheduled charge, ${scheduleRetries.least} to ${scheduleRetries.most}.`}
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
        help="Which charges are made of those missed while the service was down."
      >
        <RadioList
          {...register('missedSlots')}
          options={[
            { value: 'one', label: 'The latest', help: 'Earlier ones are skipped' },
            { value: 'all', label: 'All', help: 'One hour after they are found; the schedule shows them before' },
            { value: 'none', label: 'None', help: 'The next charge is on the next date' },
          ]}
        />
      </FormRow>
    </FormSection>
  );
}
