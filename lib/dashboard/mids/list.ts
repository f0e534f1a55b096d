/** The list of MIDs, the newest first. */
import { exponentOf } from '../../core/currencies';
import { isUuid } from '../../core/ids';
import { connectorNames, type ListedMid, listMids, type MidFilter } from '../../merchants';
import { methods } from '../../methods/catalog';
import { choice, chosen, enabledFilter, isEnabled, optionsOf, text } from '../lists/filters';
import { resource } from '../lists/resource';
import { merchantChoices } from '../merchants/choices';

const modes = { sms: 'SMS', dms: 'DMS', sms_dms: 'SMS/DMS' };

export const mids = resource({
  name: 'mids',
  right: 'settings.read',
  title: 'MIDs',
  nouns: ['MID', 'MIDs'],
  search: 'Name or ID',
  filters: [
    { ...chosen('merchant', 'Merchant', /./), read: (query) => [query.get('merchant') ?? ''].filter(isUuid) },
    enabledFilter,
    choice('mode', 'Mode', optionsOf(modes)),
    choice(
      'method',
      'Method',
      methods.map(({ id, name }) => ({ value: id, label: id, help: name })),
    ),
    text('currency', 'Currency', /^[A-Za-z]{2,10}$/),
  ],
  async choices({ scope }) {
    const merchants = scope === null ? await merchantChoices(scope) : [];
    return { merchant: merchants.map(({ id, name }) => ({ value: id, label: name })) };
  },
  columns: [
    { id: 'name', head: 'MID', width: '20%' },
    { id: 'merchantName', head: 'Merchant', width: '17%', manyMerchants: true },
    { id: 'enabled', head: 'Status', kind: 'enabled', width: 120 },
    { id: 'paymentMode', head: 'Mode', kind: 'tag', labels: modes, width: 100 },
    { id: 'methods', head: 'Methods', kind: 'few', most: 3, none: 'none', hideOnPhone: true },
    { id: 'currencies', head: 'Currencies', kind: 'few', most: 3, none: 'every', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'priority', head: 'Priority', align: 'end', width: 80, hideOnPhone: true },
  ],
  href: '/dashboard/mids/{id}',
  create: { href: '/dashboard/mids/new', label: 'New MID', right: 'settings.change' },
  empty: {
    title: 'No MIDs yet',
    texts: ['A MID is a merchant account at a provider, with its methods, currencies and credentials.'],
  },
  source({ merchantId, search, values }, page) {
    const code = values.currency?.[0]?.toUpperCase() ?? '';
    return listMids(
      {
        merchantId: merchantId ?? values.merchant?.[0] ?? null,
        search,
        enabled: isEnabled(values),
        paymentMode: (values.mode?.[0] ?? null) as MidFilter['paymentMode'],
        method: values.method?.[0] ?? '',
        currency: exponentOf(code) === null ? '' : code,
      },
      page,
    );
  },
  toRow({ createdAt, connector, merchantId: _id, ...row }: ListedMid) {
    const connectorName = connectorNames().find(({ id }) => id === connector)?.name ?? connector;
    return { ...row, connectorName, createdAt: createdAt.toISOString() };
  },
});
