// The screens of a payment that the payer completes elsewhere: one per kind of next step, in the place of the form. All
// follow the server's state and work without script by a plain reload.
import type { ReactNode } from 'react';
import type { Translations } from '../../lib/core/translations';
import type { PresentPage } from '../../lib/payer/contract';
import { AppSheet, QrSheet } from './present-code';
import { CryptoSheet, DetailsSheet } from './present-data';
import { ConfirmSheet, MessageSheet, OneTimeCodeSheet } from './present-elsewhere';

/** The sheet of a payment that waits for the payer. */
export function PresentSheet({ page, words }: { page: PresentPage; words: Translations }): ReactNode {
  const { step } = page;
  switch (step.kind) {
    case 'app':
      return <AppSheet page={page} step={step} words={words} />;
    case 'qr':
      return <QrSheet page={page} step={step} words={words} />;
    case 'confirm':
      return <ConfirmSheet page={page} step={step} words={words} />;
    case 'details':
      return <DetailsSheet page={page} step={step} words={words} />;
    case 'message':
      return <MessageSheet page={page} step={step} words={words} />;
    case 'crypto':
      return <CryptoSheet page={page} step={step} words={words} />;
    case 'code':
      return <OneTimeCodeSheet page={page} step={step} words={words} />;
  }
}
