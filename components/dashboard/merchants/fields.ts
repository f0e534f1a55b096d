// The form of a merchant as data, the same for creating and changing.
import type { MerchantValues } from '../../../lib/dashboard/merchants/contract.ts';
import { fieldsOf, type Section } from '../ui/index.ts';

const { text, chips } = fieldsOf<MerchantValues>();

export const merchantSections: readonly Section<MerchantValues>[] = [
  {
    ...{ id: 'general', title: 'General' },
    fields: [
      text('name', 'Name', {
        help: 'Shown on the payment page, in messages to payers and, if the provider supports it, on their statement.',
        maxLength: 100,
      }),
      text('site', 'Website', {
        help: "The shop's host, shown below the name on the payment page: shop.example",
        size: 'middle',
      }),
    ],
  },
  {
    ...{ id: 'payers', title: 'For payers' },
    about: 'Links of the payment page. Empty ones are hidden.',
    fields: [
      text('supportEmail', 'Support email', { type: 'email', size: 'middle' }),
      text('privacyUrl', 'Privacy notice', { type: 'url', mono: true }),
      text('termsUrl', 'Terms', { type: 'url', mono: true }),
    ],
  },
  {
    ...{ id: 'frames', title: 'Iframes' },
    about: "Allowed iframe origins. The payer's browser refuses every other site.",
    fields: [
      chips('frameAncestors', 'Origins', {
        help: 'Such as https://shop.example, one entry each.',
        mono: true,
        placeholder: 'Add origin',
      }),
    ],
  },
  {
    ...{ id: 'apps', title: 'Return to apps' },
    about: 'Return URLs may use these schemes of your own apps, in addition to https and http.',
    fields: [
      chips('appSchemes', 'Schemes', {
        help: 'Such as myshop for myshop://paid, one entry each.',
        mono: true,
        placeholder: 'Add scheme',
      }),
    ],
  },
];
