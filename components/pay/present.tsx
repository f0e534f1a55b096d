// The screens of a payment that the payer completes elsewhere: one per kind of next step, in the place of the form. All
// follow the server's state and work without script by a plain reload.
import type { ReactNode } from 'react';
import type { PresentPage, PresentStep } from '../../lib/payer/contract.ts';
import { AppSheet, QrSheet } from './present-code.tsx';
import { CryptoSheet, DetailsSheet } from './present-data.tsx';
import { ConfirmSheet, MessageSheet, OneTimeCodeSheet } from './present-elsewhere.tsx';
import type { PartProps } from './shell.tsx';
import type { StepProps } from './step-parts.tsx';

const sheets: { [Kind in PresentStep['kind']]: (props: StepProps<Kind>) => ReactNode } = {
  app: AppSheet,
  qr: QrSheet,
  confirm: ConfirmSheet,
  details: DetailsSheet,
  message: MessageSheet,
  crypto: CryptoSheet,
  code: OneTimeCodeSheet,
};

/** The sheet of a payment that waits for the payer. */
export function PresentSheet(props: PartProps<PresentPage>): ReactNode {
  const Sheet = sheets[props.page.step.kind] as (props: PartProps<PresentPage>) => ReactNode;
  return <Sheet {...props} />;
}
