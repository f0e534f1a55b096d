'use client';
// The fields of an account, the same for a new one and for one that is there.
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
  /** Of an account that is there: what it has carried, and where its provider notifies. */
  page?: Pick<MidPage, 'use' | 'notifyUrl'>;
  /** The first row: the merchant, which an account keeps for ever. */
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
      <FormRow label="Name" name="name" help="For people: it stands in routing rules, in traces and in the overview.">
        <TextInput {...register('name')} maxLength={100} />
      </FormRow>
      {merchant}
      <FormRow
        label="Priority"
        name="priority"
        help="Without a routing rule the lowest number is tried first, the next ones after a soft decline."
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
        help="What an account does with purchases that ask for a hold, and with those that do not."
      >
        <RadioList wide options={modeOptions} {...register('paymentMode')} />
      </FormRow>
      {lost ? (
        <Note tone="warn">
          {lost.toLocaleString('en')} {mode === 'dms' ? 'payments without' : 'holds with'}{' '}
          <code className="mono">auth</code> came in the last 7 days. With {mode === 'dms' ? 'DMS' : 'SMS'} they need
          another MID.
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
        help="Codes of three letters, and of coins. Empty takes every currency; the first one is that of the limits."
      >
        <Controller
          control={control}
          name="currencies"
          render={({ field }) => <ChipsInput {...field} clean={currencyOf} placeholder="Add a currency" />}
        />
      </FormRow>
      <FormRow label="Methods" name="methods" help="What the account may be used for, by the contract's identifiers.">
        <div className="max-h-[220px] overflow-y-auto">
          <Controller
            control={control}
            name="methods"
            render={({ field }) => <MultiSelect {...field} options={methods} mono placeholder="Add a method" />}
          />
        </div>
      </FormRow>
      <FormRow label="Operations" name="operations" help="Where the provider allows less than it can.">
        <Controller
          control={control}
          name="operations"
          render={({ field }) => (
            <MultiSelect {...field} options={choices.operations} none="All operations" placeholder="Add an operation" />
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
      about="How the provider is spoken to, and with which credentials. They are encrypted and never shown again."
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
            label="Address"
            name="url"
            help="Where the provider contract begins. Another host needs its credentials anew: they are never sent elsewhere."
          >
            <TextInput {...register('url')} type="url" mono placeholder="https://provider.example/v1" />
          </FormRow>
          <FormRow label="API key" name="apiKey">
            <SecretInput stored={stored.apiKey ? 'Stored' : undefined} size="middle" {...register('apiKey')} />
          </FormRow>
          <FormRow label="Signing secret" name="signingSecret" help="Proves that a notification is the provider's own.">
            <SecretInput
              stored={stored.signingSecret ? 'Stored' : undefined}
              size="middle"
              {...register('signingSecret')}
            />
          </FormRow>
        </>
      ) : null}
      <FormRow
        label="Longest call"
        name="timeoutSeconds"
        help="After that an answer is asked for instead of waited for. Empty is 30 seconds."
      >
        <NumberInput unit="seconds" {...register('timeoutSeconds')} />
      </FormRow>
      {notifyUrl ? (
        <FormRow
          label="Notifications"
          name="notifyUrl"
          group
          help="The address to enter at the provider, where it asks for one."
        >
          <span className="flex min-h-8 items-center gap-2">
            <code className="min-w-0 font-mono text-xs break-all">{notifyUrl}</code>
            <CopyButton text={notifyUrl} what="notification address" />
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
      <FormRow label="Zero amounts" name="zeroAmounts">
        <Switch {...register('zeroAmounts')}>Checks a card with an amount of zero</Switch>
      </FormRow>
      <FormRow
        label="Parameter sets"
        name="cardSets"
        help="Sets of card parameters that the provider cannot do without. Payments that lack one go to other accounts."
      >
        <Controller
          control={control}
          name="cardSets"
          render={({ field }) => (
            <MultiSelect {...field} options={choices.cardSets} mono none="None demanded" placeholder="Add a set" />
          )}
        />
      </FormRow>
      <FormRow
        label="Payer texts"
        name="payerTextMax"
        help="The longest name or address line that the provider takes, 10 to 255. Longer ones are shortened for it. Empty is 255."
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
            Wins over <code className="mono">url_target</code> and <code className="mono">term_url_target</code> of
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
      about={`Counted in each currency by itself, from midnight UTC and the first of the month. Written in ${unit}; empty is no limit.`}
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
        help="An authorisation that is not captured by then is voided."
      >
        <NumberInput unit="days" {...register('holdDays')} />
      </FormRow>
    </FormSection>
  );
}

function Fees() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection
      id="fees"
      title="Fees"
      about="The commission of debits over S2S APM. Both parts add up; empty is none."
    >
      <FormRow label="Percentage" name="feePercent">
        <TextInput size="short" unit="%" inputMode="decimal" className="figures" {...register('feePercent')} />
      </FormRow>
      <FormRow label="Fixed part" name="feeFixed" help="In the currency of each payment.">
        <TextInput size="short" inputMode="decimal" className="figures" {...register('feeFixed')} />
      </FormRow>
      <FormRow label="Borne by the payer" name="feePayerBears">
        <Switch {...register('feePayerBears')}>Comes on top of the order</Switch>
      </FormRow>
    </FormSection>
  );
}

function Wallets() {
  const { register } = useFormContext<MidValues>();
  return (
    <FormSection id="wallets" title="Wallet card flow" about="What the account takes of Apple Pay and Google Pay.">
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
        help="What happens when the provider approves an attempt after it was declined."
      >
        <RadioList wide options={lateOptions} {...register('lateSuccess')} />
      </FormRow>
    </FormSection>
  );
}
