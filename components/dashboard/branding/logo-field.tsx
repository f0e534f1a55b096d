'use client';
// The logo field: shows the logo and replaces its file. The server validates the file; the browser only draws it.
import { useId, useRef } from 'react';
import { Button } from '../ui';
import { useRow } from '../ui/form';

/** A chosen file that is not published yet. */
export type LogoDraft = {
  name: string;
  /** Base64 of its bytes. */
  file: string;
  /** A data URL for the preview. */
  url: string;
  width: number;
  height: number;
  /** Whether it can have transparent parts; JPEG cannot. */
  plate: boolean;
};

type Props = {
  /** The current logo as text; '' for none. */
  shown: string;
  src: string | null;
  onChoose: (draft: LogoDraft) => void;
  onRemove: () => void;
};

export function LogoField({ shown, src, onChoose, onRemove }: Props) {
  const row = useRow();
  const own = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex min-h-[58px] flex-wrap items-center gap-3 rounded-control border border-dashed border-field px-3 py-2.5">
      <input
        ref={input}
        id={row?.id ?? own}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={row?.describedBy}
        aria-invalid={row?.invalid || undefined}
        tabIndex={-1}
        className="unseen"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void readDraft(file).then(onChoose);
        }}
      />
      {src ? (
        // biome-ignore lint/performance/noImgElement: a logo of any size, served as it is
        <img src={src} alt="" className="h-8 max-w-[120px] rounded-tag bg-[#fff] object-contain" />
      ) : null}
      <span className="min-w-0 flex-1 basis-[120px] break-words text-ink2">
        {shown || 'No logo: the merchant’s name is shown'}
      </span>
      <span className="flex gap-2">
        {shown ? (
          <Button size="small" onClick={onRemove}>
            Remove
          </Button>
        ) : null}
        <Button size="small" icon="upload" onClick={() => input.current?.click()}>
          {shown ? 'Replace' : 'Choose file'}
        </Button>
      </span>
    </div>
  );
}

async function readDraft(file: File): Promise<LogoDraft> {
  const url = await new Promise<string>((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsDataURL(file);
  });
  const size = await new Promise<{ width: number; height: number }>((done) => {
    const image = new Image();
    image.onload = () => done({ width: image.naturalWidth, height: image.naturalHeight });
    // The server refuses files that are not images, with a message.
    image.onerror = () => done({ width: 0, height: 0 });
    image.src = url;
  });
  return { name: file.name, file: url.slice(url.indexOf(',') + 1), url, ...size, plate: file.type !== 'image/jpeg' };
}
