'use client';
// A merchant's wallets side by side: setup state, token flow and problems.
import { useRouter } from 'next/navigation';
import {
  type AppleValues,
  type AppleView,
  appleCapabilities,
  appleNetworks,
  type CountryChoice,
  type GoogleValues,
  type GoogleView,
  type MerchantChoice,
  shopNameMax,
  type WalletName,
  type WalletsPage,
  type WalletView,
} from '../../../lib/dashboard/wallets/contract.ts';
import {
  Button,
  type Field,
  type FormQuestion,
  LinkButton,
  Note,
  type Pair,
  Pairs,
  request,
  Tag,
  useQuestion,
} from '../ui/index.ts';
import { useZone } from '../zone.tsx';
import { appleRequired, googleRequired } from './fields.tsx';
import {
  certificateStep,
  dateText,
  daysAhead,
  Fingerprint,
  flowNames,
  forRecipient,
  SetUpSteps,
  type Step,
  walletNames,
} from './labels.tsx';
import { MerchantBar } from './merchant-bar.tsx';

type Props = { page: WalletsPage; countries: readonly CountryChoice[] };

export function Wallets({ page, countries }: Props) {
  const { merchants, merchant, apple, google } = page;
  if (!merchant) {
    return <p className="px-gutter py-8 text-ink2">There is no merchant yet. Create one to set up wallets.</p>;
  }
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MerchantBar merchants={merchants} merchant={merchant} at="/dashboard/wallets">
        With a decryption key the service stores card data, and capture, recurring payments, routing and cascading work.
      </MerchantBar>
      <div key={merchant.id} className="grid flex-1 lg:grid-cols-2">
        <Column kind="applepay" wallet={apple} page={page} countries={countries} />
        <Column kind="googlepay" wallet={google} page={page} countries={countries} />
      </div>
    </div>
  );
}

function Column({ kind, wallet, page, countries }: Props & { kind: WalletName; wallet: WalletView | null }) {
  const { ask, dialog } = useQuestion();
  const { push } = useRouter();
  const { merchant, payments, mayChange } = page;
  const name = walletNames[kind];
  return (
    <section
      aria-label={name}
      className="grid min-w-0 content-start gap-3.5 border-b border-line px-gutter py-[18px] lg:border-b-0 lg:first:border-r"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="text-title font-semibold">{name}</h2>
        {wallet ? <Tag tone={flowNames[wallet.flow].tone}>{flowNames[wallet.flow].text}</Tag> : null}
        {wallet && !wallet.enabled ? <Tag tone="warn">Off</Tag> : null}
        <span className="figures ml-auto text-xs text-ink3">{countText(payments[kind], payments)}</span>
      </div>
      {wallet ? (
        <>
          <Overview wallet={wallet} />
          <div>
            <LinkButton href={`/dashboard/wallets/${wallet.id}`} icon={mayChange ? 'pencil' : 'eye'}>
              {mayChange ? `Set up ${name}` : `View ${name}`}
            </LinkButton>
          </div>
        </>
      ) : (
        <NotYet
          kind={kind}
          create={mayChange && merchant ? () => ask(createForm(kind, merchant, countries, push)) : undefined}
        />
      )}
      {dialog}
    </section>
  );
}

function countText(count: number, { days, most }: WalletsPage['payments']): string {
  const shown =
    count >= most
      ? `${most.toLocaleString('en')} or more payments`
      : `${count.toLocaleString('en')} ${count === 1 ? 'payment' : 'payments'}`;
  return `${shown} in ${days} days`;
}

const firstSteps: Record<WalletName, string[]> = {
  applepay: [
    'Enter the merchant identifier from Apple’s account',
    'Generate a CSR here, and upload the certificate from Apple',
    'Upload the domain file, and check it',
  ],
  googlepay: [
    'Enter the gateway, or the merchant ID at Google',
    'Generate a key here and register its public key',
    'Enable it',
  ],
};

function NotYet({ kind, create }: { kind: WalletName; create?: () => void }) {
  const name = walletNames[kind];
  return (
    <>
      <SetUpSteps label={`Steps of ${name}`} of={firstSteps[kind].map((title) => ({ state: 'open', title }))} />
      <p className="text-xs text-ink3">
        Not set up. Until then {name} is a method like any other: it redirects to the provider’s page.
      </p>
      {create ? (
        <div>
          <Button kind={kind === 'applepay' ? 'primary' : 'plain'} icon="plus" onClick={create}>
            Set up {name}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const noKey: Step = {
  state: 'open',
  title: 'No decryption key',
  text: 'Payments stay virtual: no capture, no recurring payments, no cascade.',
};

function appleSteps({ processing, identity, requests, domains, pageHost }: AppleView, zone: string): Step[] {
  const [latest] = processing;
  const domain = domains.find(({ host }) => host === pageHost);
  const key = processing.find(({ hasKey }) => hasKey);
  return [
    latest
      ? {
          ...certificateStep('processing', latest, zone),
          text:
            latest.state === 'ending'
              ? `It expires ${daysAhead(latest.validTo, new Date())}. Generate a CSR now; both certificates work side by side.`
              : `${latest.merchantIdentifier ?? latest.name}, ${latest.key}`,
        }
      : {
          state: requests.processing ? 'attention' : 'open',
          title: 'No processing certificate',
          text: requests.processing
            ? `CSR generated on ${dateText(requests.processing.madeAt, zone)}. Upload the certificate from Apple.`
            : 'Generate a CSR, and upload the certificate from Apple.',
        },
    key
      ? {
          state: 'done',
          title: 'Private key stored here, encrypted',
          text: (
            <>
              Fingerprint of its certificate <Fingerprint hex={key.fingerprint} />
            </>
          ),
        }
      : noKey,
    identity
      ? { ...certificateStep('identity', identity, zone), text: 'It identifies the hosted page to Apple.' }
      : {
          state: requests.identity ? 'attention' : 'open',
          title: 'No identity certificate',
          text: 'Without it the hosted page does not offer Apple Pay.',
        },
    domain
      ? {
          state: domain.fault ? 'wrong' : domain.checkedAt ? 'done' : 'attention',
          title: `Domain file on ${domain.host}`,
          text:
            domain.fault ?? (domain.checkedAt ? `Found on ${dateText(domain.checkedAt, zone)}` : 'Not checked yet.'),
        }
      : { state: 'open', title: `No domain file for ${pageHost}`, text: 'Upload the file from Apple’s account.' },
  ];
}

function googleSteps({ values, keys, hasRoots, environment }: GoogleView): Step[] {
  const { merchantId, recipient, gateway, gatewayMerchantId } = values;
  const [first] = keys;
  const toGateway = recipient === 'gateway';
  return [
    merchantId
      ? { state: 'done', title: 'Google merchant', text: <Mono>{merchantId}</Mono> }
      : {
          state: environment === 'TEST' ? 'done' : 'attention',
          title: 'No Google merchant ID',
          text: 'Not required for TEST with a gateway.',
        },
    first
      ? {
          state: hasRoots ? 'done' : 'attention',
          title: `${keys.length === 1 ? 'Decryption key' : `${keys.length} decryption keys`} stored here, encrypted`,
          text: (
            <>
              Fingerprint <Fingerprint hex={first.fingerprint} />
              {hasRoots ? '' : '. The deployment has no root keys of Google, so tokens cannot be decrypted.'}
            </>
          ),
        }
      : noKey,
    {
      state: 'done',
      title: toGateway ? 'Gateway parameters' : 'Encrypted for the merchant itself',
      text: <Mono>{toGateway ? `${gateway}, ${gatewayMerchantId}` : merchantId}</Mono>,
    },
  ];
}

const Mono = ({ children }: { children: string }) => <span className="mono">{children}</span>;

const namesOf = (words: readonly string[], names: readonly (readonly [string, string])[]) =>
  words.map((word) => names.find(([id]) => id === word)?.[1] ?? word).join(', ');

const code = 'mono break-all';

const appleFacts = ({ values }: AppleView): Pair[] => [
  ['Merchant identifier', values.merchantIdentifier, code],
  ['Shop name', values.shopName, 'break-words'],
  ['Country', values.country, 'break-words'],
  ['Capabilities', namesOf(values.merchantCapabilities, appleCapabilities), 'break-words'],
  ['Networks', namesOf(values.supportedNetworks, appleNetworks) || 'all', 'break-words'],
];

const googleFacts = ({ values, environment }: GoogleView): Pair[] => [
  ['Environment', environment, 'break-words'],
  ['Auth methods', values.allowedAuthMethods.join(', '), code],
  ['Networks', values.networks.join(', ') || 'all', values.networks.length > 0 ? code : 'break-words'],
];

function Overview({ wallet }: { wallet: WalletView }) {
  const zone = useZone();
  const isApple = wallet.kind === 'applepay';
  const facts = isApple ? appleFacts(wallet) : googleFacts(wallet);
  return (
    <>
      <SetUpSteps
        label={`Steps of ${walletNames[wallet.kind]}`}
        of={isApple ? appleSteps(wallet, zone) : googleSteps(wallet)}
      />
      <Pairs
        of={[...facts, ['MIDs', accountsText(wallet), 'break-words']]}
        className="grid grid-cols-[minmax(110px,154px)_minmax(0,1fr)] gap-x-3 gap-y-1.5"
      />
      {!isApple && wallet.values.allowedAuthMethods.includes('PAN_ONLY') ? (
        <Note tone="warn">
          With <code className="mono">PAN_ONLY</code> the acquirer is responsible for 3-D Secure.
        </Note>
      ) : null}
    </>
  );
}

function accountsText({ accounts, kind }: WalletView): string {
  const offering = accounts.filter(({ offers }) => offers).map(({ name }) => name);
  return offering.join(', ') || `no MID offers ${walletNames[kind]}`;
}

const appleBeginning: AppleValues = {
  merchantIdentifier: 'merchant.',
  country: 'DE',
  shopName: '',
  merchantCapabilities: ['supports3DS'],
  supportedNetworks: [],
};

const googleBeginning: GoogleValues = {
  recipient: 'gateway',
  gateway: '',
  gatewayMerchantId: '',
  merchantId: '',
  allowedAuthMethods: ['CRYPTOGRAM_3DS', 'PAN_ONLY'],
  networks: [],
};

type Go = (path: string) => void;

/** Creates a wallet with what Apple or Google require at least. Certificates and keys follow afterwards. */
function createForm(kind: WalletName, merchant: MerchantChoice, countries: readonly CountryChoice[], go: Go) {
  const name = walletNames[kind];
  const [defaultValues, fields] =
    kind === 'applepay'
      ? [{ ...appleBeginning, shopName: merchant.name.slice(0, shopNameMax).trim() }, appleRequired(countries)]
      : [googleBeginning, googleRequired];
  const question: FormQuestion<AppleValues | GoogleValues> = {
    title: `Set up ${name} for ${merchant.name}`,
    verb: `Set up ${name}`,
    defaultValues,
    about: `${name} stays disabled until you enable it. Certificates and keys are the next step.`,
    fields: fields as Field<AppleValues | GoogleValues>[],
    onConfirm: async (values) => {
      const body = { kind, merchant: merchant.id, ...forRecipient(values) };
      const made = await request<WalletView>('/wallets', { body });
      go(`/dashboard/wallets/${made.id}`);
      // The button stays busy until the new wallet's page is shown.
      await new Promise(() => undefined);
    },
  };
  return question;
}
