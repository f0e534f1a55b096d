'use client';
// Creates a merchant: its settings, then its first key with the password, and the remaining setup steps.
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  type CreatedMerchant,
  emptyMerchant,
  type NewMerchantValues,
} from '../../../lib/dashboard/merchants/contract.ts';
import { CreateForm, Empty, fieldsOf, LinkButton, optionsOf, request, type Section } from '../ui/index.ts';
import { environmentNames, KeyPairView } from './key-pair.tsx';
import { merchantSections, setupSteps } from './merchant.tsx';

const { radio } = fieldsOf<NewMerchantValues>();

const sections: Section<NewMerchantValues>[] = [
  ...(merchantSections as Section<NewMerchantValues>[]),
  {
    id: 'integration',
    title: 'Integration',
    about:
      'Each of its mappings can be changed later. Payouts always require the HMAC signature or an IP allowlist, unless a mapping allows open payouts.',
    fields: [
      radio('integration', 'Integration type', {
        options: optionsOf(
          [
            'own_code',
            'Custom integration',
            'Every request requires the header X-Florin-Signature, which covers the whole request',
          ],
          ['shop_plugin', 'Shop plugin', 'Requests are signed only with the contract’s hash, as existing plugins do'],
        ),
      }),
    ],
  },
];

export function NewMerchant({ environment }: { environment: keyof typeof environmentNames }) {
  const form = useForm<NewMerchantValues>({ defaultValues: emptyMerchant });
  const [made, setMade] = useState<{ merchant: CreatedMerchant; name: string } | null>(null);
  const create = async (values: NewMerchantValues) => {
    setMade({ merchant: await request<CreatedMerchant>('/merchants', { body: values }), name: values.name });
  };
  if (made) return <CreatedView {...made} />;
  const kind = environmentNames[environment].toLowerCase();
  return (
    <CreateForm
      title="New merchant"
      sections={sections}
      form={form}
      verb="Create merchant"
      effect={`It gets a ${kind} key and the three protocols. Logged under your name.`}
      onCreate={create}
    />
  );
}

function CreatedView({ merchant, name }: { merchant: CreatedMerchant; name: string }) {
  const { id, pair } = merchant;
  // Reloading shows the merchant's page, which has the open steps too.
  useEffect(() => history.replaceState(history.state, '', `/dashboard/merchants/${id}`), [id]);
  const settings = (
    <LinkButton size="small" href={`/dashboard/merchants/${id}`}>
      Settings
    </LinkButton>
  );
  const steps = [
    { text: 'Merchant, first key, three protocols', done: true },
    ...setupSteps(id, name),
    { text: 'Merchant settings', done: false, aside: settings },
  ];
  const title = `First ${environmentNames[pair.environment].toLowerCase()} key`;
  return (
    <>
      <h1 className="unseen">{name}</h1>
      <Empty title={`${name} is created`} steps={steps} aside={<KeyPairView pair={pair} title={title} />}>
        <p>The API key is active. The merchant can accept payments as soon as it has a MID.</p>
      </Empty>
    </>
  );
}
