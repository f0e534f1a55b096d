'use client';
// A file to choose: a button, and beside it what was chosen.
import { useId, useRef } from 'react';
import { Button } from '../kit';
import { useRow } from '../kit/form';

type Props = {
  file: File | null;
  onChoose: (file: File | null) => void;
  /** As the browser's chooser filters by: `.cer,.pem`. */
  accept: string;
  verb?: string;
};

export function FileField({ file, onChoose, accept, verb = 'Choose file' }: Props) {
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
        onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
      />
      <Button icon="upload" onClick={() => input.current?.click()}>
        {file ? 'Choose another' : verb}
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
