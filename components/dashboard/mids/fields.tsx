'use client';
// The fields of a MID, the same for creating and changing.
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import {
  limitCurrencyOf,
  type MidChoices,
  type MidPage,
  type MidValues,
  type StoredSecrets,
} from '../../../lib/dashboard/mids/contract';
import { CopyButton } from '../../ui/copy-button';
import {
  ChipsInput,
  FormRow,
  FormSection,
  MultiSelect,
  Note,
  NumberInput,
  RadioList,
  SecretInput,
  Select,
  Switch,
  TextInput,
} from '../ui';
import { Credentials } from './credentials';
import { lateOptions, modeOptions, providerOptions, refundOptions, targetOptions, walletOptions } from './labels';
import { otherLimits } from './limits';

export const midSections = [
  { id: 'general', title: 'General' },
  { id: 'mode', title: 'Payment mode' },
  { id: 'methods', title: 'Currencies, methods' },
  { id: 'connector', title: 'Connector' },
  { id: 'credentials', title: 'Method credentials' },
  { id: 'cards', title: 'Cards and tokens' },
  { id: 'links', title: 'Payer links' },
  { id: 'limits', title: 'Limits' },
  { id: 'fees', title: 'Fees' },
  { id: 'wallets', title: 'Wallet card flow' },
  { id: 'refunds', title: 'Refunds' },
];

type Props = {
  choices: MidChoices;
  stored: StoredSecrets;
  /** For an existing MID: its recent volume, and the URL for the provider's notifications. */
  page?: Pick<MidPage, 'use' | 'notifyUrl'>;
  /** The first row: the merchant, which cannot be changed. */
  merchant: React.ReactNode;
};

export function MidFields({ choices, stored, page, merchant }: Props) {
  return (
    <>
      <General merchant={merchant} />
      <Mode use={page?.use} />
      <Methods choices={choices} />
      <Connector choices={choices} stored={stored} notifyUrl={page?.notifyUrl} />
      <Credentials choices={choices} stored={stored} />
      <Cards choices={choices} />
      <Links />
      <Limits />
      <Fees />
      <Wallets />
      <Refunds />
    </>
  );
}

function General({ merchant }: { merchant: React.ReactNode }) {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="general" title="General">
      <FormRow label="Name" name="name" help="Internal name: shown in routing rules, routing logs and the overview.">
        <TextInput {...register('name')} maxLength={100} />
      </FormRow>
      {merchant}
      <FormRow
        label="Priority"
        name="priority"
        help="Without a routing rule the lowest number is tried first, then the next after a soft decline."
      >
        <NumberInput {...register('priority')} />
      </FormRow>
    </FormSection>
  );
}

function Mode({ use }: { use?: MidPage['use'] }) {
  const { register, control } = useFormContext<MidValues>();
  const mode = useWatch({ control, name: 'paymentMode' });
  const lost = mode === 'dms' ? use?.sales : mode === 'sms' ? use?.holds : 0;
  return (
    <FormSection id="mode" title="Payment mode">
      <FormRow
        label="Mode"
        name="paymentMode"
        group
        help="How the MID handles purchases with and without an authorisation request."
      >
        <RadioList wide options={modeOptions} {...register('paymentMode')} />
      </FormRow>
      {lost ? (
        <Note tone="warn">
          {lost.toLocaleString('en')} {mode === 'dms' ? 'payments without' : 'authorisations with'}{' '}
          <code className="mono">auth</code> in the last 7 days. With {mode === 'dms' ? 'DMS' : 'SMS'} they need another
          MID.
        </Note>
      ) : null}
    </FormSection>
  );
}

const currencyOf = (text: string) => {
  const code = text.trim().toUpperCase();
  return /^[A-Z0-9]{3,6}$/.test(code) ? code : null;
};

function Methods({ choices }: { choices: MidChoices }) {
  const { control } = useFormContext<MidValues>();
  const methods = choices.methods.map(({ value, label, group }) => ({ value, label: value, help: label, group }));
  return (
    <FormSection id="methods" title="Currencies and methods">
      <FormRow
        label="Currencies"
        name="currencies"
        help="ISO 4217 or crypto codes. Empty accepts every currency; limits use the first one."
      >
        <Controller
          control={control}
          name="currencies"
          render={({ field }) => <ChipsInput {...field} clean={currencyOf} placeholder="Add currency" />}
        />
      </FormRow>
      <FormRow label="Methods" name="methods" help="The methods of the MID, by the contract's identifiers.">
        <div className="max-h-[220px] overflow-y-auto">
          <Controller
            control={control}
            name="methods"
            render={({ field }) => <MultiSelect {...field} options={methods} mono placeholder="Add method" />}
          />
        </div>
      </FormRow>
      <FormRow label="Operations" name="operations" help="Restrict the operations this MID may process.">
        <Controller
          control={control}
          name="operations"
          render={({ field }) => (
            <MultiSelect {...field} options={choices.operations} none="All operations" placeholder="Add operation" />
          )}
        />
      </FormRow>
    </FormSection>
  );
}

type ConnectorProps = { choices: MidChoices; stored: StoredSecrets; notifyUrl?: string };

function Connector({ choices, stored, notifyUrl }: ConnectorProps) {
  const { register, control } = useFormContext<MidValues>();
  const own = useWatch({ control, name: 'provider' }) === 'own';
  return (
    <FormSection
      id="connector"
      title="Connector"
      about="The connection to the provider and its credentials. They are encrypted and never shown again."
    >
      <FormRow label="Connector" name="connector">
        <Select options={choices.connectors} {...register('connector')} />
      </FormRow>
      {choices.sandbox ? (
        <FormRow label="Provider" name="provider" group>
          <RadioList wide options={providerOptions} {...register('provider')} />
        </FormRow>
      ) : null}
      {own ? (
        <>
          <FormRow
            label="URL"
            name="url"
            help="Base URL of the provider's API. Re-enter the credentials when you change the host: they are never sent to another one."
          >
            <TextInput {...register('url')} type="url" mono placeholder="https://provider.example/v1" />
          </FormRow>
          <FormRow label="API key" name="apiKey">
            <SecretInput stored={stored.apiKey ? 'Stored' : undefined} size="middle" {...register('apiKey')} />
          </FormRow>
          <FormRow
            label="Signing secret"
            name="signingSecret"
            help="Verifies that a notification comes from the provider."
          >
            <SecretInput
              stored={stored.signingSecret ? 'Stored' : undefined}
              size="middle"
              {...register('signingSecret')}
            />
          </FormRow>
        </>
      ) : null}
      <FormRow
        label="Provider timeout"
        name="timeoutSeconds"
        help="After this the status is polled. Empty means 30 seconds."
      >
        <NumberInput unit="seconds" {...register('timeoutSeconds')} />
      </FormRow>
      {notifyUrl ? (
        <FormRow
          label="Notifications"
          name="notifyUrl"
          group
          help="The URL to register with the provider, if required."
        >
          <span className="flex min-h-8 items-center gap-2">
            <code className="min-w-0 font-mono text-xs break-all">{notifyUrl}</code>
            <CopyButton text={notifyUrl} what="notification URL" />
          </span>
        </FormRow>
      ) : null}
    </FormSection>
  );
}

function Cards({ choices }: { choices: MidChoices }) {
  const { register, control } = useFormContext<MidValues>();
  return (
    <FormSection id="cards" title="Cards and tokens">
      <FormRow label={<code className="mono">card_on_file_support</code>} name="cardOnFileSupport">
        <Switch {...register('cardOnFileSupport')}>Sends initiator and sequence with stored cards</Switch>
      </FormRow>
      <FormRow label="Zero-amount verification" name="zeroAmounts">
        <Switch {...register('zeroAmounts')}>Verifies cards with a zero amount (account verification)</Switch>
      </FormRow>
      <FormRow
        label="Additional data sets"
        name="cardSets"
        help="Sets of card data that the provider requires. Payments without one use other MIDs."
      >
        <Controller
          control={control}
          name="cardSets"
          render={({ field }) => (
            <MultiSelect {...field} options={choices.cardSets} mono none="None required" placeholder="Add data set" />
          )}
        />
      </FormRow>
      <FormRow
        label="Payer text length"
        name="payerTextMax"
        help="The maximum length of names and address lines, 10 to 255. Longer texts are shortened. Empty means 255."
      >
        <NumberInput unit="characters" {...register('payerTextMax')} />
      </FormRow>
    </FormSection>
  );
}

function Links() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="links" title="Payer links">
      <FormRow
        label="Override Link Target"
        name="overrideLinkTarget"
        help={
          <>
            Overrides <code className="mono">url_target</code> and <code className="mono">term_url_target</code> of
            every request.
          </>
        }
      >
        <Select mono size="short" options={targetOptions} {...register('overrideLinkTarget')} />
      </FormRow>
    </FormSection>
  );
}

function Limits() {
  const { register, control } = useFormContext<MidValues>();
  const [currencies, daily, monthly] = useWatch({ control, name: ['currencies', 'dailyLimit', 'monthlyLimit'] });
  const unit = limitCurrencyOf(currencies);
  return (
    <FormSection
      id="limits"
      title="Limits"
      about={`Each currency is counted separately, from midnight UTC and from the first of the month. Entered in ${unit}; empty means no limit.`}
    >
      <FormRow label="Daily limit" name="dailyLimit" help={otherLimits(daily, currencies)}>
        <TextInput size="short" unit={unit} inputMode="decimal" className="figures" {...register('dailyLimit')} />
      </FormRow>
      <FormRow label="Monthly limit" name="monthlyLimit" help={otherLimits(monthly, currencies)}>
        <TextInput size="short" unit={unit} inputMode="decimal" className="figures" {...register('monthlyLimit')} />
      </FormRow>
      <FormRow
        label="Authorisations expire after"
        name="holdDays"
        help="Authorisations that are not captured by then are voided."
      >
        <NumberInput unit="days" {...register('holdDays')} />
      </FormRow>
    </FormSection>
  );
}

function Fees() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="fees" title="Fees" about="The fee of debits over S2S APM. Both parts are added; empty means none.">
      <FormRow label="Percentage" name="feePercent">
        <TextInput size="short" unit="%" inputMode="decimal" className="figures" {...register('feePercent')} />
      </FormRow>
      <FormRow label="Fixed fee" name="feeFixed" help="In the currency of each payment.">
        <TextInput size="short" inputMode="decimal" className="figures" {...register('feeFixed')} />
      </FormRow>
      <FormRow label="Surcharge" name="feePayerBears">
        <Switch {...register('feePayerBears')}>Surcharge the payer: the fee is added to the order amount</Switch>
      </FormRow>
    </FormSection>
  );
}

function Wallets() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="wallets" title="Wallet card flow" about="What the MID accepts from Apple Pay and Google Pay.">
      <FormRow label="Wallets" name="wallet" group>
        <RadioList options={walletOptions} {...register('wallet')} />
      </FormRow>
    </FormSection>
  );
}

function Refunds() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="refunds" title="Refunds">
      <FormRow label="Refunds" name="refundSupport" group>
        <RadioList wide options={refundOptions} {...register('refundSupport')} />
      </FormRow>
      <FormRow
        label="Late approvals"
        name="lateSuccess"
        group
        help="What happens if the provider approves an attempt after it was declined."
      >
        <RadioList wide options={lateOptions} {...register('lateSuccess')} />
      </FormRow>
    </FormSection>
  );
}
