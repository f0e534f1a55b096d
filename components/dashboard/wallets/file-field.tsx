'use client';
// A file field of a form: a button with the name of the chosen file, and the file's content for a request.
import { useId, useRef } from 'react';
import { useController } from 'react-hook-form';
import { useRow } from '../ui/form.tsx';
import { Button } from '../ui/index.ts';

type Props = {
  name: string;
  /** The browser's file filter: `.cer,.pem`. */
  accept: string;
  /** The message for a missing file; without it the file is optional. */
  missing?: string;
};

export function FileField({ name, accept, missing }: Props) {
  const { field } = useController({ name, rules: { validate: (file) => file !== null || !missing || missing } });
  const { input, choose } = useFileInput(accept, field.onChange);
  const file: File | null = field.value;
  return (
    <span className="flex flex-wrap items-center gap-2.5">
      {input}
      <Button icon="upload" onClick={choose}>
        {file ? 'Choose another file' : 'Choose file'}
      </Button>
      {file ? (
        <span className="min-w-0 break-all text-ink2">
          {file.name} <span className="figures text-ink3">{sizeText(file.size)}</span>
        </span>
      ) : null}
    </span>
  );
}

/** The hidden input of a row, and what opens the browser's dialog. */
export function useFileInput(accept: string, onFile: (file: File) => void) {
  const row = useRow();
  const own = useId();
  const ref = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={ref}
      id={row?.id ?? own}
      type="file"
      accept={accept}
      aria-describedby={row?.describedBy}
      aria-invalid={row?.invalid || undefined}
      tabIndex={-1}
      className="unseen"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        // The same file can be chosen again after a change.
        target.value = '';
        if (file) onFile(file);
      }}
    />
  );
  return { input, choose: () => ref.current?.click() };
}

/** `6 KB`, `412 bytes`. */
function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}

/** A file's bytes in Base64, for a JSON request. */
export async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
