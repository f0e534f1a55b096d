'use client';
// A file to choose: a button, and beside it what was chosen. It is a field of the form around it.
import { useId, useRef } from 'react';
import { useController } from 'react-hook-form';
import { Button } from '../ui';
import { useRow } from '../ui/form';

type Props = {
  name: string;
  /** As the browser's chooser filters by: `.cer,.pem`. */
  accept: string;
  /** What is said where no file was chosen; without it none has to be. */
  missing?: string;
};

export function FileField({ name, accept, missing }: Props) {
  const { field } = useController({ name, rules: { validate: (file) => file !== null || !missing || missing } });
  const file: File | null = field.value;
  const row = useRow();
  const own = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className="flex flex-wrap items-center gap-2.5">
      <input
        ref={input}
        id={row?.id ?? own}
        type="file"
        accept={accept}
        aria-describedby={row?.describedBy}
        aria-invalid={row?.invalid || undefined}
        tabIndex={-1}
        className="unseen"
        onChange={({ target }) => field.onChange(target.files?.[0] ?? null)}
      />
      <Button icon="upload" onClick={() => input.current?.click()}>
        {file ? 'Choose another' : 'Choose file'}
      </Button>
      {file ? (
        <span className="min-w-0 break-all text-ink2">
          {file.name} <span className="figures text-ink3">{sizeText(file.size)}</span>
        </span>
      ) : null}
    </span>
  );
}

/** `6 KB`, `412 bytes`. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
