// The wallet buttons on the hosted page. A button appears once the device reports that it can pay.
import type { PageData, WalletData } from '../../core/page-data.ts';
import { hasApple, hasGoogle, type Open, openApple, openGoogle } from '../wallets/sheets.ts';
import { showError } from './checks.ts';
import { find } from './dom.ts';
import { showFinal } from './final.ts';
import { type Answer, type Busy, failed, goOn, send, showAnswer } from './form.ts';

type FormTexts = NonNullable<PageData['form']>;

function openOf(form: HTMLFormElement, { applepay, googlepay }: WalletData): Open | undefined {
  if (form.dataset.wallet === 'applepay') {
    return applepay && openApple(applepay.request, (address) => appleSession(form, applepay.validateUrl, address));
  }
  return googlepay && openGoogle(googlepay);
}

async function appleSession(form: HTMLFormElement, validateUrl: string, validationUrl: string): Promise<unknown> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  body.set('validation_url', validationUrl);
  const response = await fetch(validateUrl, { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

async function canPay({ googlepay }: WalletData, id: string): Promise<boolean> {
  return id === 'applepay' ? hasApple() : Boolean(googlepay && (await hasGoogle(googlepay)));
}

/** Starts the buttons; those of wallets that the device cannot pay with stay hidden. */
export function startWallets(data: PageData, texts: FormTexts, busy: Busy): void {
  const { wallets } = texts;
  const area = find('.wallets');
  if (!wallets || !area) return;
  const consent = find<HTMLInputElement>('[name=consent]', area);
  consent?.addEventListener('input', () => showError(consent, ''));
  for (const form of area.querySelectorAll<HTMLFormElement>('form')) {
    const open = openOf(form, wallets);
    if (!open) continue;
    void canPay(wallets, form.dataset.wallet ?? '').then((isAble) => {
      if (!isAble) return;
      form.hidden = false;
      area.hidden = false;
    });
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (busy.now) return;
      if (consent && !consent.checked) {
        showError(consent, texts.errors.consent ?? '');
        consent.focus();
        return;
      }
      busy.now = true;
      const button = find('button', form);
      let answer: Answer | undefined;
      const pay = async (token: string): Promise<boolean> => {
        button?.setAttribute('aria-busy', 'true');
        answer = await send(form, { payment_token: token, ...(consent && { consent: '1' }) });
        return answer.next === 'show'
          ? answer.data.state === 'receipt'
          : answer.next === 'go' && answer.isTaken === true;
      };
      try {
        await open(pay);
        if (answer?.next === 'show') return showFinal(answer.page, answer.data);
        if (answer?.next === 'go') await goOn(answer.url, data, texts);
        else if (answer?.next === 'stay') showAnswer(form, answer);
        else if (answer) location.replace(data.pageUrl);
        if (answer?.next !== 'go') busy.now = false;
      } catch (error) {
        failed(error, data, texts);
      }
      if (answer?.next !== 'go') button?.removeAttribute('aria-busy');
    });
  }
}
