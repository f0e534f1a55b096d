'use client';
// The logo of a payment page: the file that a user chooses, and its removal.
import { Actions } from '../ui/index.ts';
import { base64Of, useFileInput } from '../wallets/file-field.tsx';

/** A chosen file that is not published yet. */
export type LogoDraft = Awaited<ReturnType<typeof readDraft>>;

type Props = {
  /** The current logo as text; '' for none. */
  shown: string;
  src: string | null;
  onChoose: (draft: LogoDraft) => void;
  onRemove: () => void;
};

export function LogoField({ shown, src, onChoose, onRemove }: Props) {
  const { input, choose } = useFileInput(
    'image/png,image/jpeg,image/webp',
    (file) => void readDraft(file).then(onChoose),
  );
  return (
    <div className="flex min-h-[58px] flex-wrap items-center gap-3 rounded-control border border-dashed border-field px-3 py-2.5">
      {input}
      {src ? (
        // biome-ignore lint/performance/noImgElement: a logo of any size, served as it is
        <img src={src} alt="" className="h-8 max-w-[120px] rounded-tag bg-[#fff] object-contain" />
      ) : null}
      <span className="min-w-0 flex-1 basis-[120px] break-words text-ink2">
        {shown || 'No logo: the merchant’s name is shown'}
      </span>
      <span className="flex gap-2">
        <Actions
          size="small"
          of={[
            shown !== '' && { text: 'Remove', onClick: onRemove },
            { text: shown ? 'Replace' : 'Choose file', icon: 'upload', onClick: choose },
          ]}
        />
      </span>
    </div>
  );
}

async function readDraft(chosen: File) {
  const { name, type } = chosen;
  const file = await base64Of(chosen);
  // The server refuses files that are not images, with a message.
  const { width, height } = await createImageBitmap(chosen).catch(() => ({ width: 0, height: 0 }));
  // A JPEG has no transparent parts.
  return { name, file, url: `data:${type};base64,${file}`, width, height, plate: type !== 'image/jpeg' };
}
