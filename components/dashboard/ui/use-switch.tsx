'use client';
// Enables or disables an object of the settings, after a confirmation; disabling asks for its name.
import { useState } from 'react';
import { ConfirmDialog } from './form-dialog.tsx';
import type { MenuItem } from './menu.tsx';
import { request } from './request.ts';
import { useToast } from './toast.tsx';

type Switched = { id: string; version: number; enabled: boolean; values: { name: string } };

type Options<Page> = {
  page: Page;
  /** The objects' path: `/mids`. */
  path: string;
  /** `MID`, `merchant`. */
  noun: string;
  /** The effect. */
  about: string;
  take: (page: Page) => void;
};

/** The item of the object's menu, and its dialog. */
export function useSwitch<Page extends Switched>({ page, path, noun, about, take }: Options<Page>) {
  const { id, version, enabled, values } = page;
  const { name } = values;
  const [asking, setAsking] = useState(false);
  const toast = useToast();
  const verb = enabled ? 'Disable' : 'Enable';
  const item: MenuItem = { text: verb, danger: enabled, onSelect: () => setAsking(true) };
  const dialog = (
    <ConfirmDialog
      open={asking}
      onClose={() => setAsking(false)}
      title={`${verb} ${name}`}
      verb={`${verb} ${noun}`}
      danger={enabled}
      typed={enabled ? name : undefined}
      onConfirm={async () => {
        take(await request<Page>(`${path}/${id}/switch`, { body: { version, enabled: !enabled } }));
        toast(`${name} is ${enabled ? 'disabled' : 'enabled'}.`);
      }}
    >
      <p className="text-ink2">{about}</p>
    </ConfirmDialog>
  );
  return { item, dialog };
}
