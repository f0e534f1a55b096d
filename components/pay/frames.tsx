// The two documents inside the challenge frame: one sends the browser to the card's bank; the other loads after the
// bank's return and reloads the page around the frame.
import type { Translations } from '../../lib/core/translations';
import type { FrameLeavePage, FrameReturnPage } from '../../lib/payer/contract';
import { ActionForm } from './steps';

/** The script submits the form; the button is for browsers without script. */
export function FrameLeave({ page, words }: { page: FrameLeavePage; words: Translations }) {
  const { t } = words;
  return (
    <main className="bare">
      <h1 className="line">
        <span className="ring" aria-hidden="true" />
        <span>{t('challenge.loading')}</span>
      </h1>
      <ActionForm action={page.action} label={t('challenge.continue')} auto />
    </main>
  );
}

/** Without script the payer presses Continue, which leaves the frame. */
export function FrameReturn({ page, words }: { page: FrameReturnPage; words: Translations }) {
  return (
    <main className="bare">
      <h1 className="line">
        <span className="ring" aria-hidden="true" />
        <span>{words.t('challenge.returned')}</span>
      </h1>
      <a className="filled" href={page.pageUrl} target="_parent">
        <span>{words.t('continue.button')}</span>
      </a>
    </main>
  );
}
