'use client';
// Steps of a setup, one line each: state, title and action.
import type { ReactNode } from 'react';
import { StatusShape } from '../../ui/status.tsx';

export type StepState = 'done' | 'attention' | 'open' | 'wrong';

const shapes: Record<StepState, string> = { done: 'settled', attention: 'pending', open: 'prepare', wrong: 'decline' };
const stateTexts: Record<StepState, string> = {
  done: 'Done',
  attention: 'Needs attention',
  open: 'To do',
  wrong: 'Error',
};

type Props = { state: StepState; title: ReactNode; children?: ReactNode; actions?: ReactNode };

export function SetUpStep({ state, title, children, actions }: Props) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line py-2.5">
      <span className="mt-[3px]">
        <StatusShape status={shapes[state]} />
      </span>
      <div className="min-w-0 flex-1 basis-[240px]">
        <p className="font-medium break-words">
          <span className="unseen">{stateTexts[state]}: </span>
          {title}
        </p>
        {children ? <div className="text-xs break-words text-ink2">{children}</div> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </li>
  );
}

export type Step = { state: StepState; title: string; text?: ReactNode };

type StepsProps = { label: string; of?: readonly Step[]; children?: ReactNode };

export function SetUpSteps({ label, of = [], children }: StepsProps) {
  return (
    <ul aria-label={label} className="border-t border-line">
      {of.map(({ state, title, text }) => (
        <SetUpStep key={title} state={state} title={title}>
          {text}
        </SetUpStep>
      ))}
      {children}
    </ul>
  );
}
