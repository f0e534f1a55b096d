'use client';
// Fields that both wallets share: checkboxes side by side, and how each MID of the merchant handles a token.
import { useId } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import {
  type AccountView,
  type AppleValues,
  appleCapabilities,
  appleNetworks,
  type CountryChoice,
  type GoogleValues,
  googleAuthMethods,
  googleNetworks,
  type WalletView,
} from '../../../lib/dashboard/wallets/contract';
import { Checkbox, FormRow, Note, RadioList, Select, TextInput } from '../ui';
import { walletNames } from './labels';

type WordsProps = {
  label: string;
  name: string;
  words: readonly (readonly [id: string, name: string])[];
  help?: string;
  mono?: boolean;
  /** Values that cannot be removed. */
  fixed?: readonly string[];
};

/** A selection of a few values. */
export function WordBoxes({ label, name, words, help, mono = false, fixed = [] }: WordsProps) {
  const { register } = useFormContext();
  const id = useId();
  return (
    <FormRow label={label} name={name} group help={help}>
      <div className="flex flex-wrap gap-2">
        {words.map(([word, shown]) => (
          <Checkbox
            key={word}
            id={`${id}-${word}`}
            value={word}
            {...register(name)}
            {...(fixed.includes(word) && { onClick: (event) => event.preventDefault(), 'aria-disabled': true })}
            className={`rounded-control border border-solid border-line2 px-2.5 py-0.5 ${fixed.includes(word) ? 'text-ink3' : ''}`}
          >
            <span className={mono ? 'mono' : undefined}>{shown}</span>
          </Checkbox>
        ))}
      </div>
    </FormRow>
  );
}

type FieldsProps = { stacked?: boolean };

/** The settings of Apple's payment sheet. `stacked` is for a dialog with the minimum. */
export function AppleFields({ countries, stacked }: FieldsProps & { countries: readonly CountryChoice[] }) {
  const { register } = useFormContext<AppleValues>();
  return (
    <>
      <FormRow
        label="Merchant identifier"
        name="merchantIdentifier"
        help="From Apple’s account: merchant. followed by a reversed domain name."
        stacked={stacked}
      >
        <TextInput mono {...register('merchantIdentifier')} />
      </FormRow>
      <FormRow label="Shop name" name="shopName" help="Shown to the payer in the payment sheet." stacked={stacked}>
        <TextInput {...register('shopName')} />
      </FormRow>
      <FormRow label="Country" name="country" help="The country of the merchant, required by Apple." stacked={stacked}>
        <Select
          options={countries.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
          {...register('country')}
        />
      </FormRow>
      {stacked ? null : (
        <>
          <WordBoxes
            label="Capabilities"
            name="merchantCapabilities"
            words={appleCapabilities}
            fixed={['supports3DS']}
            help="Credit and debit restrict the cards to one kind; with neither or both, any card can pay. Tokens with EMV data cannot be decrypted here: select EMV for the virtual flow only."
          />
          <WordBoxes
            label="Networks"
            name="supportedNetworks"
            words={appleNetworks}
            help="If none is selected, all networks are accepted."
          />
        </>
      )}
    </>
  );
}

/** The settings of Google Pay requests. */
export function GoogleFields({ stacked }: FieldsProps) {
  const { register } = useFormContext<GoogleValues>();
  const [recipient, methods] = useWatch<GoogleValues, ['recipient', 'allowedAuthMethods']>({
    name: ['recipient', 'allowedAuthMethods'],
  });
  return (
    <>
      <FormRow label="Tokens are encrypted for" name="recipient" group stacked={stacked}>
        <RadioList
          {...register('recipient')}
          options={[
            { value: 'gateway', label: 'A gateway', help: 'A gateway on Google’s list, with your ID there' },
            {
              value: 'merchant',
              label: 'The merchant itself',
              help: 'Google’s DIRECT: the key below is registered with Google',
            },
          ]}
        />
      </FormRow>
      {recipient === 'gateway' ? (
        <>
          <FormRow label="Gateway" name="gateway" help="As Google writes it." stacked={stacked}>
            <TextInput mono size="middle" {...register('gateway')} />
          </FormRow>
          <FormRow label="Gateway merchant ID" name="gatewayMerchantId" stacked={stacked}>
            <TextInput mono {...register('gatewayMerchantId')} />
          </FormRow>
        </>
      ) : null}
      <FormRow
        label="Google merchant ID"
        name="merchantId"
        help="From Google’s Pay and Wallet Console. Not required for TEST with a gateway."
        stacked={stacked}
      >
        <TextInput mono size="middle" {...register('merchantId')} />
      </FormRow>
      {stacked ? null : (
        <>
          <WordBoxes
            label="Auth methods"
            name="allowedAuthMethods"
            words={googleAuthMethods.map((method) => [method, method])}
            mono
          />
          {methods?.includes('PAN_ONLY') ? (
            <div className="md:ml-[188px] md:max-w-[528px]">
              <Note tone="warn">
                With <code className="mono">PAN_ONLY</code> the acquirer is responsible for 3-D Secure: the token
                contains the card itself and no cryptogram.
              </Note>
            </div>
          ) : null}
          <WordBoxes
            label="Networks"
            name="networks"
            words={googleNetworks.map((network) => [network, network])}
            mono
            help="If none is selected, all networks are accepted."
          />
        </>
      )}
    </>
  );
}

const takes: Record<AccountView['takes'], string> = {
  decrypted: 'The decrypted card',
  token: 'The token unchanged',
  none: 'Nothing',
};

/** What each MID accepts from the wallet. */
export function Accounts({ wallet }: { wallet: WalletView }) {
  const name = walletNames[wallet.kind];
  if (wallet.accounts.length === 0) return <p className="text-ink2">The merchant has no active MID.</p>;
  return (
    <table className="w-full max-w-[716px] border-collapse text-left">
      <thead className="text-xs text-ink3 [&_th]:border-b [&_th]:border-line [&_th]:py-1.5 [&_th]:pr-3 [&_th]:font-normal">
        <tr>
          <th scope="col">MID</th>
          <th scope="col">Offers {name}</th>
          <th scope="col">Its provider gets</th>
        </tr>
      </thead>
      <tbody className="[&_td]:border-b [&_td]:border-line [&_td]:py-2 [&_td]:pr-3 [&_th]:border-b [&_th]:border-line [&_th]:py-2 [&_th]:pr-3">
        {wallet.accounts.map((account) => (
          <tr key={account.id}>
            <th scope="row" className="font-strong">
              {account.name}
            </th>
            <td className={account.offers ? '' : 'text-ink3'}>{account.offers ? 'yes' : 'no'}</td>
            <td className={account.takes === 'none' ? 'text-ink3' : ''}>{takes[account.takes]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
