'use client';
// Dialogs with a small form, or only a question: server errors are shown at their fields, or above the footer.
import { type ReactNode, useId, useState } from 'react';
import { type DefaultValues, type FieldValues, FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons.tsx';
import { Button } from './button.tsx';
import { type Field, Fields } from './described.tsx';
import { Dialog } from './dialog.tsx';
import { TextInput } from './fields.tsx';
import { useSubmit } from './form.tsx';
import { useToast } from './toast.tsx';

type Props<Values extends FieldValues> = {
  title: string;
  about?: ReactNode;
  /** The verb with its object, or what the button shows for the form as it is; the title by default. */
  verb?: string | ((form: UseFormReturn<Values>) => string);
  cancel?: string;
  /** When fields are checked: when the form is sent by default. */
  mode?: 'onTouched';
  danger?: boolean | ((values: Values) => boolean);
  keys?: string;
  wide?: boolean;
  logged?: string;
  defaultValues: DefaultValues<Values>;
  /** Must close the dialog when it is done; a thrown error is shown. */
  onSend: (values: Values) => Promise<void>;
  onClose: () => void;
  fields?: readonly Field<Values>[];
  children?: ReactNode | ((form: UseFormReturn<Values>) => ReactNode);
};

/** The dialog is unmounted when closed, so that its form starts fresh every time. */
export function FormDialog<Values extends FieldValues>(props: Props<Values>) {
  const { title, about, verb = title, danger = false, logged = 'Logged under your name', cancel = 'Cancel' } = props;
  const { fields, children, keys, wide, mode, defaultValues, onSend, onClose } = props;
  const form = useForm<Values>({ defaultValues, mode });
  const { error, busy, submit } = useSubmit(form, onSend);
  const id = useId();
  const isDanger = typeof danger === 'function' ? danger(form.watch()) : danger;
  return (
    <Dialog
      {...{ title, about, wide, onClose }}
      open
      keep={form.formState.isDirty}
      onConfirm={submit}
      foot={
        <>
          <span>{logged}</span>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" form={id} busy={busy} keys={keys}>
            {typeof verb === 'string' ? verb : verb(form)}
          </Button>
        </>
      }
    >
      <FormProvider {...form}>
        <form
          id={id}
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            // A form around the dialog is not sent with it.
            event.stopPropagation();
            submit();
          }}
        >
          {fields ? <Fields of={fields} stacked /> : null}
          {typeof children === 'function' ? children(form) : children}
          {error ? (
            <p role="alert" className="flex gap-1.5 text-xs text-bad">
              <ErrorIcon />
              {error}
            </p>
          ) : null}
        </form>
      </FormProvider>
    </Dialog>
  );
}

type ConfirmProps = Pick<Props<FieldValues>, 'title' | 'logged' | 'onClose'> & {
  open: boolean;
  danger?: boolean;
  verb?: string;
  children?: ReactNode;
  /** A name that must be entered first, for irreversible actions. */
  typed?: string;
  /** A thrown error is shown in the dialog, which stays open; otherwise it closes. */
  onConfirm: () => Promise<void>;
};

/** Asks before an action. */
export function ConfirmDialog({ open, typed, onConfirm, children, ...dialog }: ConfirmProps) {
  if (!open) return null;
  const send = async ({ name }: { name: string }) => {
    if (typed !== undefined && name.trim() !== typed) throw new Error(`Does not match “${typed}”.`);
    await onConfirm();
    dialog.onClose();
  };
  return (
    <FormDialog<{ name: string }> {...dialog} keys="Ctrl ↵" defaultValues={{ name: '' }} onSend={send}>
      {({ register }) => (
        <>
          {children}
          {typed === undefined ? null : (
            // biome-ignore lint/a11y/noLabelWithoutControl: the input follows
            <label className="block font-medium">
              Type <code className="mono">{typed}</code> to continue
              <TextInput className="mt-1.5 font-normal" {...register('name')} />
            </label>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** A question before an action; `done` is the toast afterwards. */
export type Question = Omit<ConfirmProps, 'open' | 'onClose' | 'children'> & { text: ReactNode; done?: string };

/** A form in a dialog. It stays open after an error, and if `onConfirm` returns false. */
export type FormQuestion<Values extends FieldValues> = Omit<Props<Values>, 'onSend' | 'onClose'> & {
  done?: string;
  onConfirm: (values: Values) => Promise<unknown>;
};

/** `ask` opens the dialog of a question or a form; the page renders `dialog`. */
export function useQuestion() {
  const toast = useToast();
  const [asked, setAsked] = useState<Question | FormQuestion<FieldValues> | null>(null);
  const ask = <Values extends FieldValues>(question: Question | FormQuestion<Values>) =>
    setAsked(question as Question | FormQuestion<FieldValues>);
  const onClose = () => setAsked(null);
  if (asked === null) return { ask, dialog: null };
  const report = () => (asked.done === undefined ? undefined : toast(asked.done));
  if ('defaultValues' in asked) {
    const send = async (values: FieldValues) => {
      if ((await asked.onConfirm(values)) === false) return;
      report();
      onClose();
    };
    return { ask, dialog: <FormDialog {...asked} onSend={send} onClose={onClose} /> };
  }
  const { text, onConfirm, ...question } = asked;
  const dialog = (
    <ConfirmDialog {...question} open onConfirm={() => onConfirm().then(report)} onClose={onClose}>
      {typeof text === 'string' ? <p>{text}</p> : text}
    </ConfirmDialog>
  );
  return { ask, dialog };
}
