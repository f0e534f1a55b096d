'use client';
// The themes of a merchant: which one is edited, which sessions it applies to, and creating and deleting one.
import { useId } from 'react';
import {
  type BrandingPage,
  type BrandingView,
  type ThemeNames,
  themeBounds,
} from '../../../lib/dashboard/branding/contract.ts';
import { Actions, fieldsOf, listText, optionsOf, request, Select, useGo, useQuestion } from '../ui/index.ts';

/** The page of the editor. */
export const pagePath = '/dashboard/payment-page';

type Props = { themes: BrandingPage['themes']; look: BrandingView };

const { text, chips } = fieldsOf<ThemeNames>();

const nameFields = [
  text('name', 'Name', { maxLength: themeBounds.name, placeholder: 'Autumn sale' }),
  chips('formIds', 'Form IDs', {
    mono: true,
    placeholder: 'autumn',
    optional: true,
    help: 'Values of `form_id`, separated by commas. Sessions with one of them have this theme.',
  }),
];

export function ThemeBar({ themes, look: { merchant, theme, version } }: Props) {
  const id = useId();
  const go = useGo();
  const { ask, dialog } = useQuestion();
  const current = themes.find((each) => each.id === theme?.id);
  const open = (chosen: string) => go(`${pagePath}?merchant=${merchant.id}${chosen && `&theme=${chosen}`}`);
  const create = () =>
    ask<ThemeNames>({
      title: 'New theme',
      verb: 'Create theme',
      about: `Starts as a copy of ${current ? current.name : 'the default theme'}.`,
      defaultValues: { name: '', formIds: [] },
      fields: nameFields,
      done: 'Theme created.',
      onConfirm: async (names) => {
        const body = { ...names, base: theme?.id ?? null };
        open((await request<{ id: string }>(`/look/${merchant.id}/themes`, { body })).id);
      },
    });
  const remove = ({ name }: ThemeNames) =>
    ask({
      title: `Delete ${name}`,
      verb: 'Delete theme',
      danger: true,
      text: 'Payment pages with its form IDs have the default theme from then on, also those that are open.',
      done: 'Theme deleted.',
      onConfirm: async () => {
        await request(`/look/${merchant.id}/themes/${theme?.id}/delete`, { body: { version } });
        open('');
      },
    });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-gutter py-2.5">
      <label htmlFor={id} className="text-ink2">
        Theme
      </label>
      <span className="w-[212px] phone:w-full">
        <Select
          id={id}
          size="full"
          value={theme?.id ?? ''}
          onChange={({ target }) => open(target.value)}
          options={optionsOf(['', 'Default'], ...themes)}
        />
      </span>
      <p className="min-w-0 flex-1 basis-[240px] text-ink2">{usageText(current, themes)}</p>
      <span className="flex gap-2">
        <Actions
          size="small"
          of={[
            current !== undefined && { text: 'Delete theme', onClick: () => remove(current) },
            { text: 'New theme', icon: 'plus', onClick: create },
          ]}
        />
      </span>
      {dialog}
    </div>
  );
}

/** Which sessions have a theme; without one, the default. */
function usageText(current: ThemeNames | undefined, themes: Props['themes']): string {
  if (current?.formIds.length === 0) return 'Not used: it has no form ID.';
  if (current) return `Sessions with form_id ${listText('')(current.formIds)}`;
  return themes.length === 0 ? 'All payment pages' : 'Sessions without form_id, or with one of no theme';
}
