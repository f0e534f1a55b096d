'use client';
// The fields of a merchant, the same for a new one and for one that is there.
import { Controller, useFormContext } from 'react-hook-form';
import type { MerchantValues } from '../../../lib/dashboard/merchants/contract';
import { ChipsInput, FormRow, FormSection, TextInput } from '../ui';

export const merchantSections = [
  { id: 'general', title: 'General' },
  { id: 'payers', title: 'For payers' },
  { id: 'frames', title: 'Frames' },
  { id: 'apps', title: 'Return to apps' },
];

export const merchantLabels: Record<keyof MerchantValues, string> = {
  name: 'Name',
  site: 'Site',
  supportEmail: 'Support e-mail',
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
          help="Stands on the payment page, in messages to payers and, where the provider takes it, on their statement."
        >
          <TextInput {...register('name')} maxLength={100} />
        </FormRow>
        <FormRow label="Site" name="site" help="The shop's host, under the name on the payment page: shop.example">
          <TextInput {...register('site')} size="middle" />
        </FormRow>
      </FormSection>
      <FormSection id="payers" title="For payers" about="What the payment page leads to. What is empty is left out.">
        <FormRow label="Support e-mail" name="supportEmail">
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
        title="Frames"
        about="Sites that may hold the payment page in a frame. Every other site is refused by the payer's browser."
      >
        <FormRow label="Origins" name="frameAncestors" help="Such as https://shop.example, one after the other.">
          <Controller
            control={control}
            name="frameAncestors"
            render={({ field }) => <ChipsInput {...field} mono placeholder="Add an origin" />}
          />
        </FormRow>
      </FormSection>
      <FormSection
        id="apps"
        title="Return to apps"
        about="Return addresses may begin with these schemes of your own apps, besides https and http."
      >
        <FormRow label="Schemes" name="appSchemes" help="Such as myshop for myshop://paid, one after the other.">
          <Controller
            control={control}
            name="appSchemes"
            render={({ field }) => <ChipsInput {...field} mono placeholder="Add a scheme" />}
          />
        </FormRow>
      </FormSection>
    </>
  );
}
