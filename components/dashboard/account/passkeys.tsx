'use client';
// The passkeys of the user's account, and the dialog that creates one.
import type { OwnPasskey, PasskeyResult, PasskeySetup } from '../../../lib/dashboard/account/contract.ts';
import { Icon } from '../icons.tsx';
import { createPasskey } from '../passkeys.ts';
import { Button, FormDialog, fieldsOf, request, Tag } from '../ui/index.ts';
import { Time } from '../zone.tsx';

export const passkeyName = fieldsOf<{ name: string }>().text('name', 'Name', {
  help: 'By which you recognise it, such as the device or the password manager that keeps it.',
});

/** Creates a passkey in the browser and stores it; the answer has recovery codes if it is the first second factor. */
export async function addPasskey({ options }: PasskeySetup, name: string): Promise<PasskeyResult> {
  const passkey = await createPasskey(options as Parameters<typeof createPasskey>[0]);
  return request<PasskeyResult>('/account/passkeys/finish', { body: { name, passkey } });
}

type DialogProps = { setup: PasskeySetup; onDone: (result: PasskeyResult) => void; onClose: () => void };

export function NewPasskeyDialog({ setup, onDone, onClose }: DialogProps) {
  return (
    <FormDialog<{ name: string }>
      title="Add a passkey"
      verb="Create passkey"
      about="Your browser asks where to keep it: in this device, a password manager or a security key."
      defaultValues={{ name: setup.name }}
      fields={[passkeyName]}
      onSend={async ({ name }) => onDone(await addPasskey(setup, name))}
      onClose={onClose}
    />
  );
}

type ListProps = {
  passkeys: OwnPasskey[];
  onAdd: () => void;
  onRename: (passkey: OwnPasskey) => void;
  onRemove: (passkey: OwnPasskey) => void;
};

export function PasskeyList({ passkeys, onAdd, onRename, onRemove }: ListProps) {
  return (
    <>
      {passkeys.length > 0 ? (
        <ul className="mb-4 border-t border-line" aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex min-h-[54px] flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2"
            >
              <span className="text-ink3">
                <Icon name="tokens" />
              </span>
              <span className="grid min-w-0 flex-1 basis-48">
                <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                  {passkey.name}
                  {passkey.backedUp ? <Tag>Synced</Tag> : null}
                </span>
                <span className="text-xs text-ink3">
                  added <Time at={passkey.createdAt} as="day and time" />,{' '}
                  {passkey.lastUsedAt ? (
                    <>
                      used <Time at={passkey.lastUsedAt} as="day and time" />
                    </>
                  ) : (
                    'not used yet'
                  )}
                </span>
              </span>
              <span className="flex gap-2">
                <Button size="small" onClick={() => onRename(passkey)} aria-label={`Rename ${passkey.name}`}>
                  Rename
                </Button>
                <Button size="small" onClick={() => onRemove(passkey)} aria-label={`Remove ${passkey.name}`}>
                  Remove
                </Button>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      <Button onClick={onAdd}>Add a passkey</Button>
    </>
  );
}
