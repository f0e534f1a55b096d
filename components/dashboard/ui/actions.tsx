'use client';
// Actions as data: a row of buttons, and the question before an action.
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button, LinkButton } from './button.tsx';
import { ConfirmDialog, FormDialog } from './form-dialog.tsx';
import { useToast } from './toast.tsx';

/** A button, or with `href` a link. */
type Action = Omit<ComponentProps<typeof Button>, 'children'> & { text: string; href?: string };

/** The actions of a place in their order; one that is not offered is false. */
export type Offers = readonly (Action | false)[];

export function Actions({ of, size }: { of: Offers; size?: Action['size'] }) {
  const offered = of.filter((action) => action !== false);
  return offered.map(({ text, href, icon, kind, ...rest }) => {
    const style = { size, icon, kind };
    return href === undefined ? (
      <Button key={text} {...style} {...rest}>
        {text}
      </Button>
    ) : (
      <LinkButton key={text} {...style} href={href}>
        {text}
      </LinkButton>
    );
  });
}

/** A question before an action; `done` is the toast afterwards. */
export type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'open' | 'onClose' | 'children'> & {
  text: ReactNode;
  done?: string;
};

/** A form in a dialog. It stays open after an error, and if `onConfirm` returns false. */
export type FormQuestion<Values extends FieldValues> = Omit<
  ComponentProps<typeof FormDialog<Values>>,
  'onSend' | 'onClose' | 'hidden'
> & { done?: string; onConfirm: (values: Values) => Promise<unknown> };

/** `ask` opens the dialog of a question or a form; the page renders `dialog`. It is `hidden` under another dialog. */
export function useQuestion({ hidden = false } = {}) {
  const [asked, setAsked] = useState<Question | FormQuestion<FieldValues> | null>(null);
  const ask = <Values extends FieldValues>(question: Question | FormQuestion<Values>) =>
    setAsked(question as Question | FormQuestion<FieldValues>);
  const onClose = () => setAsked(null);
  if (asked === null) return { ask, dialog: null };
  const dialog =
    'defaultValues' in asked ? (
      <AskedForm {...asked} {...{ hidden, onClose }} />
    ) : (
      <Asked {...asked} onClose={onClose} />
    );
  return { ask, dialog };
}

function Asked({ text, done, onConfirm, ...rest }: Question & { onClose: () => void }) {
  const toast = useToast();
  const confirm = async () => {
    await onConfirm();
    if (done !== undefined) toast(done);
  };
  return (
    <ConfirmDialog {...rest} open onConfirm={confirm}>
      {typeof text === 'string' ? <p>{text}</p> : text}
    </ConfirmDialog>
  );
}

function AskedForm({ done, onConfirm, ...rest }: FormQuestion<FieldValues> & { hidden: boolean; onClose: () => void }) {
  const toast = useToast();
  const send = async (values: FieldValues) => {
    if ((await onConfirm(values)) === false) return;
    if (done !== undefined) toast(done);
    rest.onClose();
  };
  return <FormDialog {...rest} onSend={send} />;
}
