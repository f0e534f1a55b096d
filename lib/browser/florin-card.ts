// <florin-card>: hosted fields as an element for pages without a framework, with labels, boxes and faults of its own. It
// is part of its form like an input: the form is invalid until the card is complete, and never has card data.
import type { FlorinCardMode, FlorinCardTheme, FlorinCard as Published } from './fields/florin-card.d.ts';
import type {
  HostedFieldChange,
  HostedFieldFault,
  HostedFieldFrame,
  HostedFieldName,
  HostedFieldStyle,
  HostedFieldsEvents,
  HostedFieldsResult,
} from './fields/hosted-fields.d.ts';
import { fieldNames, fieldsIn } from './fields/wire.ts';
import { HostedFields } from './hosted-fields.ts';

type CardFrame = HostedFieldName | 'line';

const style = `:host{display:block;--line:var(--florin-border,#8a8680);--bad:var(--florin-error,#b3261e)}
:host([hidden]){display:none}
:host(:focus),.box:focus{outline:none}
:host([theme=light]){--text:#1b1a17;--back:#fff}
:host([theme=dark]){--text:#f2efe9;--back:#1e1d1b;--bad:var(--florin-error,#ffb4ab)}
.fields{display:flex;flex-wrap:wrap;gap:12px}
[name=agreement]{display:block;flex-basis:100%}
.field{flex:1 1 120px;min-width:0}.field.card,.field.line{flex-basis:100%}
.label{display:block;margin:0 0 4px}.label[hidden]{display:none}
.box{box-sizing:border-box;height:var(--florin-height,48px);border:1px solid var(--line);border-radius:var(--florin-radius,8px);background:var(--florin-background,var(--back,transparent));color:var(--text,inherit);overflow:hidden}
.box[data-focused]{outline:2px solid var(--florin-accent,currentcolor);outline-offset:1px}
.box[data-invalid]{border-color:var(--bad)}
.fault{margin:4px 0 0;color:var(--bad)}.fault:empty{display:none}
:host(:disabled){opacity:.55}`;

const noState = { valid: false, empty: true, focused: false, fault: null as HostedFieldFault | null };

class FlorinCard extends HTMLElement implements Omit<Published, 'addEventListener'> {
  static readonly formAssociated = true;
  static readonly observedAttributes = ['token', 'locale', 'mode', 'theme', 'label', 'agreement'];

  #internals = this.attachInternals();
  #root = this.attachShadow({ mode: 'open', delegatesFocus: true });
  #hosted: HostedFields | null = null;
  #fieldStyle: HostedFieldStyle = {};
  #states = new Map<HostedFieldName, typeof noState>();
  #isScheduled = false;
  #isAsked = false;
  #message = '';
  #darkness = matchMedia('(prefers-color-scheme: dark)');
  #restyle = () => this.#hosted?.setStyle(this.#style());

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    // The form focuses the first invalid element, and a label its own.
    this.addEventListener('focus', () => this.#focused());
    this.addEventListener('invalid', () => {
      this.#isAsked = true;
      setTimeout(() => {
        this.#isAsked = false;
      });
    });
  }

  get token() {
    return this.getAttribute('token') ?? '';
  }
  set token(token: string) {
    this.setAttribute('token', token);
  }
  get locale() {
    return this.getAttribute('locale') ?? '';
  }
  set locale(locale: string) {
    this.setAttribute('locale', locale);
  }
  get mode(): FlorinCardMode {
    return this.getAttribute('mode') === 'separate' ? 'separate' : 'line';
  }
  set mode(mode: FlorinCardMode) {
    this.setAttribute('mode', mode);
  }
  get theme(): FlorinCardTheme {
    const theme = this.getAttribute('theme');
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  }
  set theme(theme: FlorinCardTheme) {
    this.setAttribute('theme', theme);
  }
  get label() {
    return this.getAttribute('label') ?? '';
  }
  set label(label: string) {
    this.setAttribute('label', label);
  }
  get name() {
    return this.getAttribute('name') ?? '';
  }
  set name(name: string) {
    this.setAttribute('name', name);
  }
  get agreement() {
    return this.hasAttribute('agreement');
  }
  set agreement(isShown: boolean) {
    this.toggleAttribute('agreement', isShown);
  }
  get disabled() {
    return this.hasAttribute('disabled');
  }
  set disabled(isDisabled: boolean) {
    this.toggleAttribute('disabled', isDisabled);
  }
  get fieldStyle() {
    return this.#fieldStyle;
  }
  set fieldStyle(fieldStyle: HostedFieldStyle) {
    this.#fieldStyle = fieldStyle;
    this.#restyle();
  }
  get complete() {
    return fieldNames.every((name) => this.#states.get(name)?.valid);
  }
  get hosted() {
    return this.#hosted;
  }
  get form() {
    return this.#internals.form;
  }
  get validity() {
    return this.#internals.validity;
  }
  get validationMessage() {
    return this.#internals.validationMessage;
  }
  checkValidity() {
    return this.#internals.checkValidity();
  }
  reportValidity() {
    return this.#internals.reportValidity();
  }

  async submit(): Promise<HostedFieldsResult> {
    const hosted = this.matches(':disabled') ? null : this.#hosted;
    const result = await (hosted ?? new HostedFields()).submit();
    if (result.result === 'success') this.#internals.setFormValue('collected');
    return result;
  }

  focusField(field?: HostedFieldName): void {
    this.#hosted?.focus(field);
  }

  clear(): void {
    this.#hosted?.clear();
  }

  connectedCallback(): void {
    // What a page has set before this script defined the element hides the properties of the same name.
    for (const name of Object.keys(this)) {
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    this.#darkness.addEventListener('change', this.#restyle);
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#darkness.removeEventListener('change', this.#restyle);
    this.#unmount();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'theme') this.#restyle();
    else if (name === 'label') this.#relabel();
    else this.#schedule();
  }

  formResetCallback(): void {
    this.clear();
  }

  formDisabledCallback(isDisabled: boolean): void {
    for (const container of this.children) {
      if (isDisabled) container.querySelector('iframe')?.blur();
      container.toggleAttribute('inert', isDisabled);
    }
  }

  // Several attributes that change together mount once.
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (this.isConnected) this.#mount();
    });
  }

  #unmount(): void {
    this.#hosted?.destroy();
    this.#hosted = null;
    this.replaceChildren();
    this.#states = new Map(fieldNames.map((name) => [name, noState]));
    this.#internals.setFormValue(null);
  }

  get #cardFrames(): readonly CardFrame[] {
    return this.mode === 'line' ? ['line'] : fieldNames;
  }

  #mount(): void {
    this.#unmount();
    const frames: HostedFieldFrame[] = [...this.#cardFrames, ...(this.agreement ? (['agreement'] as const) : [])];
    const fields = Object.assign(document.createElement('div'), { className: 'fields' });
    fields.append(...this.#cardFrames.map((frame) => this.#fieldOf(frame)));
    if (this.agreement) fields.append(Object.assign(document.createElement('slot'), { name: 'agreement' }));
    this.#root.replaceChildren(fields);
    this.#update();
    if (this.token === '') return;
    // Frames of one mount find each other by name, which browsers do only in the tree of the document.
    if (frames.length > 1 && this.getRootNode() !== document) {
      this.#tell('error', {
        type: 'setup',
        message: 'In a shadow tree, use the mode line without agreement',
        faults: [],
      });
      return;
    }
    const hosted = new HostedFields();
    this.#hosted = hosted;
    hosted.on('ready', (words) => this.#ready(words));
    hosted.on('change', (change) => this.#changed(change));
    hosted.on('focus', ({ field }) => this.#patch(field, { focused: true }));
    hosted.on('blur', ({ field }) => this.#patch(field, { focused: false }));
    hosted.on('agreement', (detail) => this.#tell('agreement', detail));
    hosted.on('enter', () => this.form?.requestSubmit());
    hosted.on('error', (error) => {
      for (const fault of error.faults) {
        if (fault.field === 'agreement') hosted.focus(fault.field);
        else this.#patch(fault.field, { fault });
      }
      this.#tell('error', error);
    });
    const options = frames.map((frame) => [frame, { element: this.#containerOf(frame), ...this.#labelOf(frame) }]);
    const language = this.locale || undefined;
    hosted.init({ sessionToken: this.token, fields: Object.fromEntries(options), style: this.#style(), language });
  }

  #labelOf(frame: HostedFieldFrame): { label?: string } {
    return frame === 'line' && this.label ? { label: this.label } : {};
  }

  #relabel(): void {
    const label = this.#root.querySelector<HTMLElement>('.line .label');
    if (!label) return;
    label.textContent = this.label;
    label.hidden = !this.label;
    this.#hosted?.setLabel('line', this.label);
  }

  /** The frame's container is a child of the element, shown in its place in the shadow tree. */
  #containerOf(frame: HostedFieldFrame): HTMLElement {
    const container = document.createElement('div');
    container.slot = frame;
    container.style.height = '100%';
    container.toggleAttribute('inert', this.matches(':disabled'));
    this.append(container);
    return container;
  }

  #fieldOf(frame: CardFrame): HTMLElement {
    const field = document.createElement('div');
    field.className = `field ${frame}`;
    const part = (tag: string, name: string) => {
      const element = Object.assign(document.createElement(tag), { className: name });
      element.setAttribute('part', name);
      return element;
    };
    const [label, box, fault] = [part('div', 'label'), part('div', 'box'), part('p', 'fault')];
    label.textContent = this.#labelOf(frame).label ?? '\u00a0';
    label.hidden = frame === 'line' && !this.label;
    label.addEventListener('click', () => this.#hosted?.focus(fieldsIn(frame)[0]));
    // The form focuses the box. A host with a tabindex would take the frames out of the order of the Tab key.
    box.tabIndex = -1;
    box.append(Object.assign(document.createElement('slot'), { name: frame }));
    field.append(label, box, fault);
    return field;
  }

  #ready(words: HostedFieldsEvents['ready']): void {
    this.#message = words.message;
    for (const name of fieldNames) {
      const label = this.#root.querySelector(`.field.${name} .label`);
      if (label) label.textContent = words.labels[name] ?? '';
    }
    this.#update();
    this.#tell('ready', words);
  }

  #changed(change: HostedFieldChange): void {
    const { field, valid, empty } = change;
    const wasComplete = this.complete;
    this.#patch(field, { valid, empty, ...((valid || empty) && { fault: null }) });
    // What was collected is no longer what the fields contain.
    this.#internals.setFormValue(null);
    const complete = this.complete;
    this.#tell('change', { ...change, complete });
    if (complete && !wasComplete) this.#tell('complete', null);
  }

  #focused(): void {
    const first = fieldNames.find((name) => !this.#states.get(name)?.valid);
    this.#hosted?.focus(first);
    if (this.#isAsked) this.#hosted?.report();
  }

  #patch(field: HostedFieldName, change: Partial<typeof noState>): void {
    this.#states.set(field, { ...(this.#states.get(field) ?? noState), ...change });
    this.#update();
  }

  /** Shows the states, and reports them to the form. */
  #update(): void {
    for (const frame of this.#cardFrames) {
      const states = fieldsIn(frame).map((name) => this.#states.get(name) ?? noState);
      const fault = states.find((state) => state.fault)?.fault;
      const box = this.#root.querySelector(`.field.${frame} .box`);
      box?.toggleAttribute(
        'data-focused',
        states.some(({ focused }) => focused),
      );
      box?.toggleAttribute('data-invalid', Boolean(fault));
      const said = this.#root.querySelector(`.field.${frame} .fault`);
      if (said) said.textContent = fault?.message ?? '';
    }
    const states = [...this.#states.values()];
    if (this.complete) {
      this.#internals.setValidity({});
      return;
    }
    const message = states.find(({ fault }) => fault)?.fault?.message || this.#message || 'The card is incomplete';
    const flags = states.every(({ empty }) => empty) ? { valueMissing: true } : { customError: true };
    this.#internals.setValidity(flags, message, this.#root.querySelector<HTMLElement>('.box') ?? undefined);
  }

  /** The style of the inputs: text and colours of the element, then the page's own. */
  #style(): HostedFieldStyle {
    const { color, fontFamily, fontSize } = getComputedStyle(this.#root.querySelector('.box') ?? this);
    const fault = this.#root.querySelector('.fault');
    // The agreement is on the page's background, outside of the box.
    const outside = getComputedStyle(this).color;
    const base: HostedFieldStyle = {
      input: { color, fontFamily, fontSize, padding: '0 14px' },
      'input.invalid': { color: fault ? getComputedStyle(fault).color : color },
      '::placeholder': { color, opacity: '0.7' },
      agreement: { color: outside },
    };
    const own = this.#fieldStyle;
    return { ...own, ...Object.fromEntries(Object.keys(base).map((name) => [name, { ...base[name], ...own[name] }])) };
  }

  // An `error` that bubbles would reach the window's handler of scripts' errors.
  #tell(name: string, detail: object | null): void {
    this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: name !== 'error' && name !== 'ready', composed: true }),
    );
  }
}

if (!customElements.get('florin-card')) customElements.define('florin-card', FlorinCard);
