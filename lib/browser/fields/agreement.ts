// The frame with what the payer agrees to besides the payment, in the service's words: the box that has the card saved,
// and the text of later charges. The words come from the service, and the choice goes to it with the card.
import type { FromFrame } from './wire.ts';

/** What the service shows: `mark` names the agreement, so that one that has changed since is shown again. */
export type AgreementWords = {
  mark: string;
  rows: { name: string; value: string }[];
  text: string | null;
  boxes: { name: 'saves' | 'consents'; text: string; error: string | null }[];
};

/** The payer's choice, as it is submitted; null while nothing is to be agreed. */
export type Agreed = { mark: string; language: string; saves?: boolean; consents?: boolean };

/** What the frame offers to its siblings; only documents of this origin can reach it. */
export type AgreementFrame = {
  /** The error of a box that must be ticked, which is then shown. */
  show: () => string | null;
  agreed: () => Agreed | null;
  /** Shows what the service says now, and resolves with the status of its response. */
  refresh: () => Promise<number>;
  /** Focuses the first box whose error is shown. */
  focus: () => void;
  /** Unticks the boxes. */
  clear: () => void;
};

const make = (tag: string, text = '', className = '') =>
  Object.assign(document.createElement(tag), { textContent: text, className });

/** Starts the frame. `load` requests the service's words for a session. */
export function startAgreement(
  root: HTMLElement,
  load: (language: string) => Promise<{ status: number; reply: AgreementWords }>,
  postToPage: (message: FromFrame) => void,
): AgreementFrame {
  const language = root.dataset.language ?? '';
  let words: AgreementWords | null = null;
  const inputs = new Map<string, { input: HTMLInputElement; message: HTMLElement; error: string | null }>();

  const report = () => {
    const shown = words !== null && (words.boxes.length > 0 || words.text !== null);
    const saves = inputs.get('saves')?.input.checked ?? false;
    postToPage({ type: 'agreement', shown, saves, height: shown ? Math.ceil(root.getBoundingClientRect().height) : 0 });
  };

  function draw(): void {
    const list = make('dl');
    for (const { name, value } of words?.rows ?? []) list.append(make('dt', name), make('dd', value));
    inputs.clear();
    const boxes = (words?.boxes ?? []).map(({ name, text, error }) => {
      const [label, input, message] = [make('label'), make('input') as HTMLInputElement, make('p', '', 'error')];
      input.type = 'checkbox';
      input.id = name;
      message.id = `${name}-error`;
      message.setAttribute('role', 'alert');
      input.setAttribute('aria-describedby', message.id);
      input.addEventListener('change', () => {
        if (input.checked) fault(name, null);
        report();
      });
      label.append(input, make('span', text));
      inputs.set(name, { input, message, error });
      return [label, message];
    });
    const text = words?.text ? [make('p', words.text)] : [];
    root.replaceChildren(...boxes.flat(), ...(list.children.length > 0 ? [list] : []), ...text);
    report();
  }

  function fault(name: string, text: string | null): void {
    const { input, message } = inputs.get(name) ?? {};
    if (message) message.textContent = text;
    input?.setAttribute('aria-invalid', String(text !== null));
    report();
  }

  async function refresh(): Promise<number> {
    const { status, reply } = await load(language);
    words = status === 200 ? reply : null;
    draw();
    return status;
  }

  new ResizeObserver(report).observe(root);
  return {
    refresh,
    focus: () => root.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    clear: draw,
    agreed() {
      if (!words) return null;
      const choices = [...inputs].map(([name, { input }]) => [name, input.checked]);
      return { mark: words.mark, language, ...Object.fromEntries(choices) };
    },
    show() {
      const lacking = [...inputs].find(([, { input, error }]) => error !== null && !input.checked);
      if (!lacking) return null;
      const [name, { error }] = lacking;
      fault(name, error);
      return error;
    },
  };
}
