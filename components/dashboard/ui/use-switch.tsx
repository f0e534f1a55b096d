'use client';
// Enables or disables an object of the settings, after a confirmation; disabling asks for its name.
import { useState } from 'react';
import { ConfirmDialog } from './form-dialog';
import type { MenuItem } from './menu';
import { useToast } from './toast';

type Options = {
  name: string;
  /** `MID`, `merchant`. */
  noun: string;
  enabled: boolean;
  /** The effect. */
  about: string;
  act: () => Promise<void>;
};

/** The item of the object's menu, and its dialog. */
export function useSwitch({ name, noun, enabled, about, act }: Options) {
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
        await act();
        toast(`${name} is ${enabled ? 'disabled' : 'enabled'}.`);
      }}
    >
      <p className="text-ink2">{about}</p>
    </ConfirmDialog>
  );
  return { item, dialog };
}
