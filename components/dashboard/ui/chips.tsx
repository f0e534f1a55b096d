'use client';
// Several values in one field: typed (ChipsInput), or chosen from a searchable list (MultiSelect). Both are controlled:
// use react-hook-form's Controller.
import clsx from 'clsx';
import { Fragment, type KeyboardEvent, useId, useState } from 'react';
import { Icon } from '../icons.tsx';
import { type Option, Tick, useControl } from './fields.tsx';
import { Popup } from './popup.tsx';

const frame =
  'flex min-h-8 w-full flex-wrap items-center gap-1.5 rounded-control border border-solid border-field bg-raised px-1.5 py-1 has-[input:focus-visible]:border-accent has-[input:focus-visible]:shadow-[0_0_0_3px_var(--ring)] has-aria-invalid:border-bad phone:min-h-11';

type ManyProps<Element> = {
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  placeholder?: string;
  mono?: boolean;
  disabled?: boolean;
  ref?: React.Ref<Element>;
};

type ChipsProps = ManyProps<HTMLInputElement> & {
  /** Normalises the input to a value, or null if invalid: upper case, a trimmed URL. */
  clean?: (text: string) => string | null;
};

const trimmed = (text: string) => text.trim() || null;

/** Typed values: Enter, comma or a space at the end adds one, Backspace removes the last. */
export function ChipsInput({ value, onChange, onBlur, placeholder, clean = trimmed, mono, disabled, ref }: ChipsProps) {
  const control = useControl();
  const [text, setText] = useState('');
  const take = (typed: string) => {
    const words = typed
      .split(/[\s,;]+/)
      .map(clean)
      .filter((word) => word !== null);
    const fresh = [...new Set(words)].filter((word) => !value.includes(word));
    if (fresh.length > 0) onChange([...value, ...fresh]);
    setText('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault();
      take(text);
    } else if (event.key === 'Backspace' && text === '') {
      onChange(value.slice(0, -1));
    }
  };
  return (
    <div className={frame}>
      {value.map((word) => (
        <Chip key={word} text={word} mono={mono} remove={() => onChange(value.filter((each) => each !== word))} />
      ))}
      <input
        ref={ref}
        {...control}
        value={text}
        disabled={disabled}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={press}
        onChange={({ target }) => (/[\s,;]$/.test(target.value) ? take(target.value) : setText(target.value))}
        onBlur={() => {
          take(text);
          onBlur?.();
        }}
        className={clsx(
          'h-6 min-w-[120px] flex-1 border-0 bg-transparent px-1 outline-none placeholder:text-ink3',
          mono && 'font-mono text-xs',
        )}
      />
    </div>
  );
}

export function Chip({ text, remove, mono = false }: { text: string; remove?: () => void; mono?: boolean }) {
  return (
    <span
      className={clsx(
        'inline-flex min-h-6 max-w-full items-center gap-1 rounded-tag bg-hover pl-2 text-xs',
        mono && 'font-mono',
        !remove && 'pr-2',
      )}
    >
      <span className="truncate">{text}</span>
      {remove ? (
        <button
          type="button"
          onClick={remove}
          aria-label={`Remove ${text}`}
          className="grid size-6 place-items-center rounded-tag border-0 bg-transparent p-0 text-ink3 hover:text-ink"
        >
          <Icon name="cross" size={12} />
        </button>
      ) : null}
    </span>
  );
}

type MultiProps = ManyProps<HTMLButtonElement> & {
  options: readonly Option[];
  /** The text of an empty selection, if it has a meaning: `All methods`. */
  none?: string;
};

/** Chips of the selected values, and a searchable list. */
export function MultiSelect({ options, value, onChange, onBlur, placeholder, none, mono, disabled, ref }: MultiProps) {
  const control = useControl();
  const nameOf = (each: string) => options.find((option) => option.value === each)?.label ?? each;
  return (
    <div className={frame}>
      {value.length === 0 && none ? <span className="px-1 text-ink2">{none}</span> : null}
      {value.map((each) => (
        <Chip
          key={each}
          text={nameOf(each)}
          mono={mono}
          remove={disabled ? undefined : () => onChange(value.filter((other) => other !== each))}
        />
      ))}
      <Popup
        onOpenChange={(open) => (open ? undefined : onBlur?.())}
        className="w-[320px] p-1.5"
        trigger={
          <button
            ref={ref}
            type="button"
            {...control}
            disabled={disabled}
            className="inline-flex min-h-6 items-center gap-1 rounded-tag border-0 bg-transparent px-1 text-ink3 hover:text-ink phone:min-h-9"
          >
            <Icon name="plus" size={12} />
            {placeholder}
          </button>
        }
      >
        <SearchedOptions options={options} value={value} onChange={onChange} mono={mono} />
      </Popup>
    </div>
  );
}

type SearchedProps = Pick<MultiProps, 'options' | 'value' | 'onChange' | 'mono'>;

const textOf = ({ label, value, help = '', group = '' }: Option) => `${label} ${value} ${help} ${group}`;

/** Checkboxes, with a search if there are many. The order of the options stays. */
export function SearchedOptions({ options, value, onChange, mono }: SearchedProps) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim().toLowerCase();
  const shown = options.filter((option) => textOf(option).toLowerCase().includes(wanted));
  const toggle = (name: string) => {
    const next = new Set(value);
    if (!next.delete(name)) next.add(name);
    const known = options.map((option) => option.value).filter((each) => next.has(each));
    onChange([...value.filter((each) => next.has(each) && !known.includes(each)), ...known]);
  };
  return (
    <>
      {options.length > 8 ? (
        <input
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            const named = shown.find((option) => option.value.toLowerCase() === wanted);
            const meant = named ?? (shown.length === 1 ? shown[0] : undefined);
            if (meant && !meant.disabled) toggle(meant.value);
          }}
          className="mb-1 h-8 w-full rounded-control border border-solid border-field bg-raised px-2.5 field-focus phone:h-11 phone:text-[16px]"
        />
      ) : null}
      <div className="grid max-h-[280px] grid-cols-[minmax(0,1fr)] overflow-y-auto">
        {shown.map(({ value: name, label, help, disabled, group }, at) => (
          <Fragment key={name}>
            {group && group !== shown[at - 1]?.group ? (
              <p className="px-2 pt-2 pb-1 text-11 font-medium text-ink3">{group}</p>
            ) : null}
            <label
              htmlFor={`${id}-${name}`}
              className="flex min-h-[30px] items-center gap-2.5 rounded-tag px-2 hover:bg-hover has-focus-visible:bg-hover phone:min-h-11"
            >
              <Tick
                id={`${id}-${name}`}
                checked={value.includes(name)}
                disabled={disabled}
                onChange={() => toggle(name)}
              />
              <span className={clsx('min-w-0 truncate', mono && 'font-mono text-xs')}>{label}</span>
              {help ? <span className="ml-auto truncate text-xs text-ink3">{help}</span> : null}
            </label>
          </Fragment>
        ))}
        {shown.length === 0 ? <p className="px-2 py-1.5 text-ink3">No results for “{text.trim()}”.</p> : null}
      </div>
    </>
  );
}
