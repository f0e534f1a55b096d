'use client';
// The fields of a merchant, the same for creating and changing.
import { Controller, useFormContext } from 'react-hook-form';
import type { MerchantValues } from '../../../lib/dashboard/merchants/contract';
import { ChipsInput, FormRow, FormSection, TextInput } from '../ui';

export const merchantSections = [
  { id: 'general', title: 'General' },
  { id: 'payers', title: 'For payers' },
  { id: 'frames', title: 'Iframes' },
  { id: 'apps', title: 'Return to apps' },
];

export const merchantLabels: Record<keyof MerchantValues, string> = {
  name: 'Name',
  site: 'Website',
  supportEmail: 'Support email',
  privacyUrl: 'Privacy notice',
  termsUrl: 'Terms',
  frameAncestors: 'Origins',
  appSchemes: 'Schemes',
};

export function MerchantFields() {
  const { register, control } = useFormContext<MerchantValues>();
  return (
    <>
      <FormSection id="general" title="General">
        <FormRow
          label="Name"
          name="name"
          help="Shown on the payment page, in messages to payers and, if the provider supports it, on their statement."
        >
          <TextInput {...register('name')} maxLength={100} />
        </FormRow>
        <FormRow
          label="Website"
          name="site"
          help="The shop's host, shown below the name on the payment page: shop.example"
        >
          <TextInput {...register('site')} size="middle" />
        </FormRow>
      </FormSection>
      <FormSection id="payers" title="For payers" about="Links of the payment page. Empty ones are hidden.">
        <FormRow label="Support email" name="supportEmail">
          <TextInput {...register('supportEmail')} type="email" size="middle" />
        </FormRow>
        <FormRow label="Privacy notice" name="privacyUrl">
          <TextInput {...register('privacyUrl')} type="url" mono />
        </FormRow>
        <FormRow label="Terms" name="termsUrl">
          <TextInput {...register('termsUrl')} type="url" mono />
        </FormRow>
      </FormSection>
      <FormSection
        id="frames"
        title="Iframes"
        about="Allowed iframe origins. The payer's browser refuses every other site."
      >
        <FormRow label="Origins" name="frameAncestors" help="Such as https://shop.example, one entry each.">
          <Controller
            control={control}
            name="frameAncestors"
            render={({ field }) => <ChipsInput {...field} mono placeholder="Add origin" />}
          />
        </FormRow>
      </FormSection>
      <FormSection
        id="apps"
        title="Return to apps"
        about="Return URLs may use these schemes of your own apps, in addition to https and http."
      >
        <FormRow label="Schemes" name="appSchemes" help="Such as myshop for myshop://paid, one entry each.">
          <Controller
            control={control}
            name="appSchemes"
            render={({ field }) => <ChipsInput {...field} mono placeholder="Add scheme" />}
          />
        </FormRow>
      </FormSection>
    </>
  );
}
