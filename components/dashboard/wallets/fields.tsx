// The forms of both wallets as data, and what each MID of the merchant accepts from a wallet.
import type { ReactNode } from 'react';
import {
  type AccountView,
  type AppleValues,
  appleCapabilities,
  appleNetworks,
  type CountryChoice,
  type GoogleValues,
  googleAuthMethods,
  googleNetworks,
  shopNameMax,
  type WalletView,
} from '../../../lib/dashboard/wallets/contract.ts';
import { Quiet } from '../lists/list-cells.tsx';
import { type Field, fieldsOf, Note, optionsOf, SmallTable } from '../ui/index.ts';
import { walletNames } from './labels.tsx';

export type GoogleSettings = GoogleValues & Pick<WalletView, 'environment'>;

const apple = fieldsOf<AppleValues>();
const google = fieldsOf<GoogleSettings>();

/** What Apple requires of a new wallet. */
export const appleRequired = (countries: readonly CountryChoice[]): Field<AppleValues>[] => [
  apple.text('merchantIdentifier', 'Merchant identifier', {
    help: 'From Apple’s account: merchant. followed by a reversed domain name.',
    mono: true,
  }),
  apple.text('shopName', 'Shop name', { help: 'Shown to the payer in the payment sheet.', maxLength: shopNameMax }),
  apple.select('country', 'Country', {
    help: 'The country of the merchant, required by Apple.',
    options: countries.map(({ code, name }) => ({ value: code, label: `${name} (${code})` })),
  }),
];

/** The settings of Apple's payment sheet. */
export const appleFields = (countries: readonly CountryChoice[]): Field<AppleValues>[] => [
  ...appleRequired(countries),
  apple.boxes('merchantCapabilities', 'Capabilities', {
    options: optionsOf(...appleCapabilities),
    fixed: ['supports3DS'],
    help: 'Credit and debit restrict the cards to one kind; with neither or both, any card can pay. Tokens with EMV data cannot be decrypted here: select EMV for the virtual flow only.',
  }),
  apple.boxes('supportedNetworks', 'Networks', {
    options: optionsOf(...appleNetworks),
    help: 'If none is selected, all networks are accepted.',
  }),
];

const toGateway = ({ recipient }: GoogleValues) => recipient === 'gateway';

/** What Google requires of a new wallet. */
export const googleRequired = [
  google.radio('recipient', 'Tokens are encrypted for', {
    options: optionsOf(
      ['gateway', 'A gateway', 'A gateway on Google’s list, with your ID there'],
      ['merchant', 'The merchant itself', 'Google’s DIRECT: the key below is registered with Google'],
    ),
    show: (value) => (value === 'merchant' ? 'the merchant itself' : 'a gateway'),
  }),
  google.text('gateway', 'Gateway', { help: 'As Google writes it.', mono: true, size: 'middle', when: toGateway }),
  google.text('gatewayMerchantId', 'Gateway merchant ID', { mono: true, when: toGateway }),
  google.text('merchantId', 'Google merchant ID', {
    help: 'From Google’s Pay and Wallet Console. Not required for TEST with a gateway.',
    mono: true,
    size: 'middle',
  }),
];

/** The settings of Google Pay requests. */
export const googleFields: Field<GoogleSettings>[] = [
  google.radio('environment', 'Environment', {
    wide: true,
    help: 'The environment of the tokens, for S2S callers too. It must be the deployment’s.',
    options: optionsOf('TEST', 'PRODUCTION'),
  }),
  ...googleRequired,
  google.boxes('allowedAuthMethods', 'Auth methods', {
    options: optionsOf(...googleAuthMethods),
    mono: true,
    note: ({ allowedAuthMethods }) =>
      allowedAuthMethods.includes('PAN_ONLY') ? (
        <div className="md:ml-[188px] md:max-w-[528px]">
          <Note tone="warn">
            With <code className="mono">PAN_ONLY</code> the acquirer is responsible for 3-D Secure: the token contains
            the card itself and no cryptogram.
          </Note>
        </div>
      ) : null,
  }),
  google.boxes('networks', 'Networks', {
    options: optionsOf(...googleNetworks),
    mono: true,
    help: 'If none is selected, all networks are accepted.',
  }),
];

const takes: Record<AccountView['takes'], ReactNode> = {
  decrypted: 'The decrypted card',
  token: 'The token unchanged',
  none: <Quiet>Nothing</Quiet>,
};

/** What each MID accepts from the wallet. */
export function Accounts({ wallet }: { wallet: WalletView }) {
  const name = walletNames[wallet.kind];
  if (wallet.accounts.length === 0) return <p className="text-ink2">The merchant has no active MID.</p>;
  return (
    <SmallTable
      label="Card flow by MID"
      className="w-full max-w-[716px] border-collapse text-left"
      headCell="border-b border-line py-1.5 pr-3 text-xs font-normal text-ink3"
      cell="border-b border-line py-2 pr-3"
      columns={[
        { head: 'MID', names: true, cellClass: 'font-strong', cell: (account) => account.name },
        { head: `Offers ${name}`, cell: ({ offers }) => (offers ? 'yes' : <Quiet>no</Quiet>) },
        { head: 'Its provider gets', cell: (account) => takes[account.takes] },
      ]}
      rows={wallet.accounts.map((account) => ({ ...account, key: account.id }))}
    />
  );
}
