'use client';
// The page of one wallet: head, setup steps, settings, MIDs and removal.
import { useRouter } from 'next/navigation';
import type { FieldValues } from 'react-hook-form';
import type {
  AppleValues,
  AppleView,
  CountryChoice,
  GoogleView,
  WalletView,
} from '../../../lib/dashboard/wallets/contract.ts';
import {
  Actions,
  Button,
  Code,
  request,
  type Section,
  SettingsForm,
  Tag,
  useQuestion,
  useSettings,
} from '../ui/index.ts';
import { Certificates } from './certificates.tsx';
import { AppleTest, Domains } from './domains.tsx';
import { Accounts, appleFields, type GoogleSettings, googleFields } from './fields.tsx';
import { Keys } from './keys.tsx';
import { flowNames, forRecipient, tokenization, type WalletAction, walletNames } from './labels.tsx';

export function Wallet({ initial, countries }: { initial: WalletView; countries: readonly CountryChoice[] }) {
  if (initial.kind === 'googlepay') {
    const toForm = ({ values, environment }: GoogleView) => ({ ...values, environment });
    return <WalletPage initial={initial} valuesOf={toForm} toSend={forRecipient} sectionsOf={googleSections} />;
  }
  const sheet = { id: 'sheet', title: 'Payment sheet', fields: appleFields(countries) };
  return (
    <WalletPage<AppleView, AppleValues>
      initial={initial}
      valuesOf={({ values }) => values}
      sectionsOf={(wallet, act) => [...appleSections(wallet, act), sheet]}
    />
  );
}

const appleSections = (wallet: AppleView, act: WalletAction): Section<AppleValues>[] => [
  {
    id: 'processing',
    title: 'Processing certificate',
    about:
      'Apple encrypts every token for this certificate. If its private key is here, tokens are decrypted to cards; otherwise the token is passed to the provider. During a rotation several certificates decrypt tokens.',
    children: <Certificates wallet={wallet} act={act} slot="processing" />,
  },
  {
    id: 'identity',
    title: 'Merchant identity',
    about:
      'This certificate identifies your server to Apple on the hosted page. Apps and pages of your own that send tokens over S2S CARD do not need it here.',
    children: (
      <>
        <Certificates wallet={wallet} act={act} slot="identity" />
        {wallet.mayChange && wallet.identity ? <AppleTest wallet={wallet} /> : null}
      </>
    ),
  },
  {
    id: 'domains',
    title: 'Domains',
    about:
      'Apple opens the payment sheet on registered hosts only, and registers a host after it has verified the file there.',
    children: <Domains wallet={wallet} act={act} />,
  },
];

const googleSections = (wallet: GoogleView, act: WalletAction): Section<GoogleSettings>[] => [
  { id: 'request', title: 'Request settings', fields: googleFields },
  {
    id: 'keys',
    title: 'Decryption keys',
    about:
      'With a key tokens are decrypted to cards, and authorisations, recurring payments, routing and cascading work. Without one the token is passed to the provider. During a rotation several keys decrypt tokens.',
    children: <Keys wallet={wallet} act={act} />,
  },
  {
    id: 'parameters',
    title: 'For your own pages',
    about:
      'The settings that your own app or page passes to Google, so that its tokens can be sent over S2S CARD. The hosted page sets them itself.',
    children: <Code text={tokenization(wallet)} language="json" title="tokenizationSpecification" copy="parameters" />,
  },
];

type PageProps<View, Values> = {
  initial: View;
  valuesOf: (wallet: View) => Values;
  toSend?: (values: Values) => object;
  /** The wallet's own sections. Their actions leave the form as it is. */
  sectionsOf: (wallet: View, act: WalletAction) => Section<Values>[];
};

function WalletPage<View extends WalletView, Values extends FieldValues>(props: PageProps<View, Values>) {
  const { sectionsOf, ...form } = props;
  const path = `/wallets/${form.initial.id}`;
  const settings = useSettings<View, Values>({ ...form, path });
  const { page: wallet, put } = settings;
  const act: WalletAction = async (action, fields) =>
    put(await request<View>(`${path}${action}`, { body: { version: wallet.version, ...fields } }));
  const accounts: Section<Values> = {
    id: 'accounts',
    title: 'Card flow by MID',
    about: 'Routing and cascading use the MIDs whose provider accepts the card in the token.',
    children: <Accounts wallet={wallet} />,
  };
  const remove: Section<Values> = { id: 'remove', title: 'Remove', children: <RemoveWallet wallet={wallet} /> };
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <WalletHeader wallet={wallet} act={act} />
      <SettingsForm
        settings={settings}
        sections={[...sectionsOf(wallet, act), accounts, ...(wallet.mayChange ? [remove] : [])]}
        effect="Takes effect immediately on payment pages"
        saved={`${walletNames[wallet.kind]} saved.`}
        readOnly={!wallet.mayChange && 'wallets'}
      />
    </div>
  );
}

const meanings: Record<WalletView['flow'], string> = {
  card: 'Tokens are decrypted here, and their cards are processed like any other: authorisations, recurring payments, routing and cascading.',
  virtual:
    'Tokens are passed to one provider unchanged. No authorisations, no recurring payments, no cascade; no card is stored.',
  none: 'No MID of the merchant accepts this wallet, neither its tokens nor the cards in them. Change that in the settings of the MIDs.',
};

function WalletHeader({ wallet, act }: { wallet: WalletView; act: WalletAction }) {
  const { ask, dialog } = useQuestion();
  const { kind, merchant, flow, enabled, environment, mayChange, id } = wallet;
  const name = walletNames[kind];
  const { text, tone } = flowNames[flow];
  const verb = enabled ? 'Disable' : 'Enable';
  const askSwitch = () =>
    ask({
      title: `${verb} ${name}`,
      verb,
      text: enabled
        ? `The payment page no longer offers ${name}, and ${name} tokens are refused. Past payments do not change.`
        : `From now on the payment page offers ${name} if a session names it, and S2S CARD accepts its tokens.`,
      onConfirm: () => act('/switch', { enabled: !enabled }),
    });
  return (
    <div className="grid gap-2 border-b border-line px-gutter py-[18px]">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h1 className="min-w-0 text-title break-words font-semibold">
            {name} of <bdi>{merchant.name}</bdi>
          </h1>
          <Tag tone={enabled ? 'ok' : 'warn'}>{enabled ? 'Active' : 'Disabled'}</Tag>
          <Tag tone={tone}>{text}</Tag>
          <Tag>{environment}</Tag>
        </div>
        <div className="flex flex-wrap gap-2">
          <Actions
            of={[
              { text: 'History', icon: 'history', href: `/dashboard/audit-log?on=wallet:${id}` },
              mayChange && {
                ...(enabled ? { text: 'Disable' } : ({ text: `Enable ${name}`, kind: 'primary' } as const)),
                onClick: askSwitch,
              },
            ]}
          />
        </div>
      </div>
      <p className="max-w-[820px] text-ink2">{meanings[flow]}</p>
      {dialog}
    </div>
  );
}

function RemoveWallet({ wallet: { id, kind, merchant, version } }: { wallet: WalletView }) {
  const { ask, dialog } = useQuestion();
  const router = useRouter();
  const name = walletNames[kind];
  const askRemove = () =>
    ask({
      title: `Remove ${name}`,
      danger: true,
      typed: merchant.name,
      text: 'Its private keys are deleted with it, and cannot be restored from here.',
      done: `${name} of ${merchant.name} removed.`,
      onConfirm: async () => {
        await request(`/wallets/${id}/remove`, { body: { version } });
        router.push(`/dashboard/wallets?merchant=${merchant.id}`);
      },
    });
  return (
    <>
      <p className="max-w-[528px] text-ink2">
        Settings, certificates and private keys are deleted permanently. Without settings {name} is a method like any
        other: it redirects to the provider’s page.
      </p>
      <div>
        <Button icon="trash" onClick={askRemove}>
          Remove {name}
        </Button>
      </div>
      {dialog}
    </>
  );
}
