'use client';
// Fields that both wallets have: words to tick side by side, and what each of the merchant's accounts does with a token.
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
  /** Words that cannot be taken away. */
  fixed?: readonly string[];
};

/** Some of a few words. */
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

/** What Apple's sheet is opened with. `stacked` is for a dialog, which asks for the least. */
export function AppleFields({ countries, stacked }: FieldsProps & { countries: readonly CountryChoice[] }) {
  const { register } = useFormContext<AppleValues>();
  return (
    <>
      <FormRow
        label="Merchant identifier"
        name="merchantIdentifier"
        help="As it stands in Apple’s account: merchant. and the reversed name of a domain."
        stacked={stacked}
      >
        <TextInput mono {...register('merchantIdentifier')} />
      </FormRow>
      <FormRow label="Shop name" name="shopName" help="The payer reads it in Apple’s sheet." stacked={stacked}>
        <TextInput {...register('shopName')} />
      </FormRow>
      <FormRow label="Country" name="country" help="Where the payment is made, as Apple asks for it." stacked={stacked}>
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
            help="Credit and debit limit the cards to one kind; with neither or both, any pays. Tokens with EMV data are not opened here: tick EMV in the virtual flow only."
          />
          <WordBoxes
            label="Networks"
            name="supportedNetworks"
            words={appleNetworks}
            help="With none ticked, every network pays."
          />
        </>
      )}
    </>
  );
}

/** What Google Pay is asked for with. */
export function GoogleFields({ stacked }: FieldsProps) {
  const { register } = useFormContext<GoogleValues>();
  const [recipient, methods] = useWatch<GoogleValues, ['recipient', 'allowedAuthMethods']>({
    name: ['recipient', 'allowedAuthMethods'],
  });
  return (
    <>
      <FormRow label="Tokens are sealed for" name="recipient" group stacked={stacked}>
        <RadioList
          {...register('recipient')}
          options={[
            { value: 'gateway', label: 'A gateway', help: 'One that Google lists, with your id there' },
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
          <FormRow label="Gateway" name="gateway" help="As Google spells it." stacked={stacked}>
            <TextInput mono size="middle" {...register('gateway')} />
          </FormRow>
          <FormRow label="Id at the gateway" name="gatewayMerchantId" stacked={stacked}>
            <TextInput mono {...register('gatewayMerchantId')} />
          </FormRow>
        </>
      ) : null}
      <FormRow
        label="Google merchant id"
        name="merchantId"
        help="From Google’s Pay and Wallet Console. TEST needs none with a gateway."
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
                With <code className="mono">PAN_ONLY</code> the acquirer is responsible for 3-D Secure: the token holds
                the card itself and no cryptogram.
              </Note>
            </div>
          ) : null}
          <WordBoxes
            label="Networks"
            name="networks"
            words={googleNetworks.map((network) => [network, network])}
            mono
            help="With none ticked, every network pays."
          />
        </>
      )}
    </>
  );
}

const takes: Record<AccountView['takes'], string> = {
  decrypted: 'The card in the token',
  token: 'The token as it is',
  none: 'Nothing',
};

/** Which account takes what of the wallet. */
export function Accounts({ wallet }: { wallet: WalletView }) {
  const name = walletNames[wallet.kind];
  if (wallet.accounts.length === 0) return <p className="text-ink2">The merchant has no MID that is switched on.</p>;
  return (
    <table className="w-full max-w-[716px] border-collapse text-left">
      <thead className="text-xs text-ink3 [&_th]:border-b [&_th]:border-line [&_th]:py-1.5 [&_th]:pr-3 [&_th]:font-normal">
        <tr>
          <th scope="col">MID</th>
          <th scope="col">Offers {name}</th>
          <th scope="col">Its provider takes</th>
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
