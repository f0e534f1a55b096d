'use client';
// Steps of a setup, one line each: state, title and action.
import type { ReactNode } from 'react';
import { StatusShape } from '../../ui/status.tsx';
import { Actions, type Offers } from '../ui/index.ts';

export type StepState = 'done' | 'attention' | 'open' | 'wrong';

const shapes: Record<StepState, string> = { done: 'settled', attention: 'pending', open: 'prepare', wrong: 'decline' };
const stateTexts: Record<StepState, string> = {
  done: 'Done',
  attention: 'Needs attention',
  open: 'To do',
  wrong: 'Error',
};

type Props = {
  state: StepState;
  title: ReactNode;
  children?: ReactNode;
  /** False for a user who may not change anything. */
  actions?: Offers | false;
  /** A control after the actions. */
  beside?: ReactNode;
};

export function SetUpStep({ state, title, children, actions = false, beside }: Props) {
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
      {actions || beside ? (
        <div className="flex flex-wrap gap-2">
          <Actions size="small" of={actions || []} />
          {beside}
        </div>
      ) : null}
    </li>
  );
}

export type Step = { state: StepState; title: string; text?: ReactNode };

type StepsProps = { label: string; of?: readonly Step[]; children?: ReactNode; buttons?: Offers | false };

/** Steps in a list, and the buttons below it. */
export function SetUpSteps({ label, of = [], children, buttons = false }: StepsProps) {
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {of.map(({ state, title, text }) => (
          <SetUpStep key={title} state={state} title={title}>
            {text}
          </SetUpStep>
        ))}
        {children}
      </ul>
      {buttons ? (
        <div className="flex flex-wrap gap-2">
          <Actions of={buttons} />
        </div>
      ) : null}
    </>
  );
}
