'use client';
// A merchant's wallets side by side: setup state, token flow and problems.
import { useState } from 'react';
import {
  type AppleView,
  appleCapabilities,
  appleNetworks,
  type CountryChoice,
  type GoogleView,
  type WalletName,
  type WalletsPage,
  type WalletView,
} from '../../../lib/dashboard/wallets/contract';
import { Button, LinkButton, Note, Tag, useGo } from '../ui';
import { useZone } from '../zone';
import { CreateDialog } from './create';
import { dateText, daysAhead, flowNames, shortFingerprint, walletNames } from './labels';
import { MerchantBar } from './merchant-bar';
import { SetUpStep, SetUpSteps, type StepState } from './steps';

type Props = { page: WalletsPage; countries: readonly CountryChoice[] };

export function Wallets({ page, countries }: Props) {
  const go = useGo();
  const { merchants, merchant, apple, google } = page;
  if (!merchant) {
    return <p className="px-gutter py-8 text-ink2">There is no merchant yet. Create one to set up wallets.</p>;
  }
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MerchantBar merchants={merchants} merchant={merchant} choose={(id) => go(`/dashboard/wallets?merchant=${id}`)}>
        With a decryption key the service stores card data, and capture, recurring payments, routing and cascading work.
      </MerchantBar>
      <div key={merchant.id} className="grid flex-1 lg:grid-cols-2">
        <Column kind="applepay" wallet={apple} page={page} countries={countries} />
        <Column kind="googlepay" wallet={google} page={page} countries={countries} />
      </div>
    </div>
  );
}

type ColumnProps = Props & { kind: WalletName; wallet: WalletView | null };

function Column({ kind, wallet, page, countries }: ColumnProps) {
  const [creating, setCreating] = useState(false);
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
          {wallet.kind === 'applepay' ? <AppleSteps wallet={wallet} /> : <GoogleSteps wallet={wallet} />}
          {wallet.kind === 'applepay' ? <AppleFacts wallet={wallet} /> : <GoogleFacts wallet={wallet} />}
          <div>
            <LinkButton href={`/dashboard/wallets/${wallet.id}`} icon={mayChange ? 'pencil' : 'eye'}>
              {mayChange ? `Set up ${name}` : `View ${name}`}
            </LinkButton>
          </div>
        </>
      ) : (
        <NotYet kind={kind} create={mayChange ? () => setCreating(true) : undefined} />
      )}
      {creating && merchant ? (
        <CreateDialog kind={kind} merchant={merchant} countries={countries} close={() => setCreating(false)} />
      ) : null}
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
      <SetUpSteps label={`Steps of ${name}`}>
        {firstSteps[kind].map((step) => (
          <SetUpStep key={step} state="open" title={step} />
        ))}
      </SetUpSteps>
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

function AppleSteps({ wallet }: { wallet: AppleView }) {
  const zone = useZone();
  const { processing, identity, requests, domains, pageHost } = wallet;
  const [latest] = processing;
  const states: Record<string, StepState> = { valid: 'done', ending: 'attention', ended: 'wrong' };
  const domain = domains.find(({ host }) => host === pageHost);
  const key = processing.find(({ hasKey }) => hasKey);
  return (
    <SetUpSteps label="Steps of Apple Pay">
      {latest ? (
        <SetUpStep
          state={states[latest.state] ?? 'done'}
          title={`Processing certificate ${latest.state === 'ended' ? 'expired' : 'expires'} on ${dateText(latest.validTo, zone)}`}
        >
          {latest.state === 'ending'
            ? `It expires ${daysAhead(latest.validTo, new Date())}. Generate a CSR now; both certificates work side by side.`
            : `${latest.merchantIdentifier ?? latest.name}, ${latest.key}`}
        </SetUpStep>
      ) : (
        <SetUpStep state={requests.processing ? 'attention' : 'open'} title="No processing certificate">
          {requests.processing
            ? `CSR generated on ${dateText(requests.processing.madeAt, zone)}. Upload the certificate from Apple.`
            : 'Generate a CSR, and upload the certificate from Apple.'}
        </SetUpStep>
      )}
      <SetUpStep state={key ? 'done' : 'open'} title={key ? 'Private key stored here, encrypted' : 'No decryption key'}>
        {key ? (
          <>
            Fingerprint of its certificate <span className="mono">{shortFingerprint(key.fingerprint)}</span>
          </>
        ) : (
          'Payments stay virtual: no capture, no recurring payments, no cascade.'
        )}
      </SetUpStep>
      <SetUpStep
        state={identity ? (states[identity.state] ?? 'done') : requests.identity ? 'attention' : 'open'}
        title={
          identity
            ? `Identity certificate ${identity.state === 'ended' ? 'expired' : 'expires'} on ${dateText(identity.validTo, zone)}`
            : 'No identity certificate'
        }
      >
        {identity ? 'It identifies the hosted page to Apple.' : 'Without it the hosted page does not offer Apple Pay.'}
      </SetUpStep>
      <SetUpStep
        state={domain ? (domain.fault ? 'wrong' : domain.checkedAt ? 'done' : 'attention') : 'open'}
        title={domain ? `Domain file on ${domain.host}` : `No domain file for ${pageHost}`}
      >
        {domain
          ? (domain.fault ?? (domain.checkedAt ? `Found on ${dateText(domain.checkedAt, zone)}` : 'Not checked yet.'))
          : 'Upload the file from Apple’s account.'}
      </SetUpStep>
    </SetUpSteps>
  );
}

function GoogleSteps({ wallet }: { wallet: GoogleView }) {
  const { values, keys, hasRoots } = wallet;
  const [first] = keys;
  return (
    <SetUpSteps label="Steps of Google Pay">
      <SetUpStep
        state={values.merchantId ? 'done' : wallet.environment === 'TEST' ? 'done' : 'attention'}
        title={values.merchantId ? 'Google merchant' : 'No Google merchant ID'}
      >
        {values.merchantId ? (
          <span className="mono">{values.merchantId}</span>
        ) : (
          'Not required for TEST with a gateway.'
        )}
      </SetUpStep>
      <SetUpStep
        state={first ? (hasRoots ? 'done' : 'attention') : 'open'}
        title={
          first
            ? `${keys.length === 1 ? 'Decryption key' : `${keys.length} decryption keys`} stored here, encrypted`
            : 'No decryption key'
        }
      >
        {first ? (
          <>
            Fingerprint <span className="mono">{shortFingerprint(first.fingerprint)}</span>
            {hasRoots ? '' : '. The deployment has no root keys of Google, so tokens cannot be decrypted.'}
          </>
        ) : (
          'Payments stay virtual: no capture, no recurring payments, no cascade.'
        )}
      </SetUpStep>
      <SetUpStep
        state="done"
        title={values.recipient === 'gateway' ? 'Gateway parameters' : 'Encrypted for the merchant itself'}
      >
        <span className="mono">
          {values.recipient === 'gateway' ? `${values.gateway}, ${values.gatewayMerchantId}` : values.merchantId}
        </span>
      </SetUpStep>
    </SetUpSteps>
  );
}

const namesOf = (words: readonly string[], names: readonly (readonly [string, string])[]) =>
  words.map((word) => names.find(([id]) => id === word)?.[1] ?? word).join(', ');

function FactRows({ rows }: { rows: [name: string, value: string, mono?: boolean][] }) {
  return (
    <dl className="grid grid-cols-[minmax(110px,154px)_minmax(0,1fr)] gap-x-3 gap-y-1.5">
      {rows.map(([name, value, mono]) => (
        <div key={name} className="contents">
          <dt className="text-ink3">{name}</dt>
          <dd className={mono ? 'mono break-all' : 'break-words'}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AppleFacts({ wallet }: { wallet: AppleView }) {
  const { values } = wallet;
  return (
    <FactRows
      rows={[
        ['Merchant identifier', values.merchantIdentifier, true],
        ['Shop name', values.shopName],
        ['Country', values.country],
        ['Capabilities', namesOf(values.merchantCapabilities, appleCapabilities)],
        ['Networks', namesOf(values.supportedNetworks, appleNetworks) || 'all'],
        ['MIDs', accountsText(wallet)],
      ]}
    />
  );
}

function GoogleFacts({ wallet }: { wallet: GoogleView }) {
  const { values } = wallet;
  return (
    <>
      <FactRows
        rows={[
          ['Environment', wallet.environment],
          ['Auth methods', values.allowedAuthMethods.join(', '), true],
          ['Networks', values.networks.join(', ') || 'all', values.networks.length > 0],
          ['MIDs', accountsText(wallet)],
        ]}
      />
      {values.allowedAuthMethods.includes('PAN_ONLY') ? (
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
