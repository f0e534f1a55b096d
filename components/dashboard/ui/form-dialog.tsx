'use client';
// A dialog with a small form: server errors are shown at their fields, or above the footer.
import { type ReactNode, useId, useState } from 'react';
import { type DefaultValues, type FieldValues, FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons';
import { Button } from './button';
import { type Field, Fields } from './described';
import { Dialog } from './dialog';
import { showErrors } from './form-errors';

type Props<Values extends FieldValues> = {
  title: string;
  about?: ReactNode;
  /** The verb with its object. */
  verb: string;
  danger?: boolean;
  /** The note at the left of the footer. */
  logged?: string;
  defaultValues: DefaultValues<Values>;
  /** Must close the dialog when it is done; a thrown error is shown. */
  onSend: (values: Values) => Promise<void>;
  onClose: () => void;
  /** Another dialog is open over it; the values stay. */
  hidden?: boolean;
  fields?: readonly Field<Values>[];
  wide?: boolean;
  /** Further content below the fields. */
  children?: (form: UseFormReturn<Values>) => ReactNode;
};

/** The dialog is unmounted when closed, so that its form starts fresh every time. */
export function FormDialog<Values extends FieldValues>(props: Props<Values>) {
  const {
    title,
    about,
    verb,
    danger = false,
    logged = 'Logged under your name',
    onSend,
    onClose,
    fields,
    children,
  } = props;
  const form = useForm<Values>({ defaultValues: props.defaultValues });
  const [error, setError] = useState<string | null>(null);
  const id = useId();
  const { isSubmitting } = form.formState;
  const send = form.handleSubmit(async (values) => {
    setError(null);
    try {
      await onSend(values);
    } catch (thrown) {
      setError(showErrors(form, thrown));
    }
  });
  const submit = () => {
    if (isSubmitting) return;
    // A server error at a field without rules would block the form until it is cleared.
    form.clearErrors();
    void send();
  };
  return (
    <Dialog
      open={!props.hidden}
      onClose={onClose}
      onConfirm={submit}
      title={title}
      wide={props.wide}
      about={about}
      foot={
        <>
          <span>{logged}</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" form={id} busy={isSubmitting}>
            {verb}
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
            submit();
          }}
        >
          {fields ? <Fields of={fields} stacked /> : null}
          {children?.(form)}
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
