// GET /sandbox/outbox: the latest messages, so that links in e-mails and text messages can be followed without a
// mailbox. Addresses are masked because the page needs no sign-in; a link to a dashboard account is shown on the
// sandbox's own machine only.

import { isLocal } from '../config/index.ts';
import { maskEmail, maskPhone } from '../core/mask.ts';
import { type Html, type HttpResult, html, plainPage, type Route } from '../http/index.ts';
import { type ListedMessage, latestMessages } from './queue.ts';

const shown = 50;

const style = `
*{box-sizing:border-box}
html{color-scheme:light dark;background:light-dark(#f6f5f1,#16181a);color:light-dark(#1b1d1f,#e8e6e0);font:16px/1.5 system-ui,sans-serif}
body{margin:0}
main{max-width:44rem;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px;line-height:1.2;margin:0 0 8px}
p{margin:0 0 16px}
.soft,dt,time{color:light-dark(#575a5c,#a3a19b)}
a{color:light-dark(#0a5c4a,#7fd1bb)}
:focus-visible{outline:3px solid #d18b00;outline-offset:2px}
ol{list-style:none;margin:24px 0 0;padding:0}
li{padding:16px 20px;margin-bottom:12px;background:light-dark(#fff,#1f2225);border:1px solid light-dark(#dcdad2,#34383c);border-radius:8px}
.top{display:flex;flex-wrap:wrap;gap:4px 16px;justify-content:space-between;font-size:14px}
h2{font-size:17px;margin:8px 0 4px}
.text{margin:6px 0 0;white-space:pre-line;overflow-wrap:anywhere}
.state{margin:12px 0 0;font-size:14px}
.failed{color:light-dark(#a3161f,#ff9a94);font-weight:600}
`;

/** The page with these messages. `local`: the request comes from the sandbox's own machine. */
export function outboxPage(messages: readonly ListedMessage[], local = false): HttpResult {
  const list =
    messages.length === 0
      ? html`<p>Nothing has been sent yet. Pay with a method that sends a link, ptn-email or ptn-sms.</p>`
      : html`<ol>${messages.map((message) => item(message, local))}</ol>`;
  const body = html`<body><main>
<p><a href="/">Florin sandbox</a></p>
<h1>Messages</h1>
<p class="soft">The ${String(shown)} latest, newest first. Without a configured mail server or SMS gateway they are only shown here.</p>
${list}
</main></body>`;
  return plainPage({ title: 'Messages', style, body, policy: ["frame-ancestors 'none'"] });
}

function item(message: ListedMessage, local: boolean): Html {
  const at = message.createdAt.toISOString();
  return html`<li data-payment="${message.paymentId ?? ''}">
<div class="top"><span>${message.channel === 'email' ? 'E-mail' : 'SMS'} to ${masked(message)}</span>
<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time></div>
${message.channel === 'email' ? html`<h2 dir="auto">${message.subject}</h2>` : html``}
<p class="text" dir="auto">${local ? linked(message) : 'The text and its link are shown on the machine of the sandbox only.'}</p>
${stateOf(message)}
</li>`;
}

function masked({ channel, to }: ListedMessage): string {
  if (to === '') return 'an unknown recipient';
  return channel === 'email' ? maskEmail(to) : maskPhone(to);
}

/** The text, with its address as a link if it is a web address. */
function linked({ text, url }: ListedMessage): Html {
  if (text === '') return html`The text was removed after the last attempt to send it.`;
  const at = text.indexOf(url);
  if (at < 0 || !/^https?:\/\//i.test(url)) return html`${text}`;
  return html`${text.slice(0, at)}<a href="${url}" dir="ltr">${url}</a>${text.slice(at + url.length).trimEnd()}`;
}

function stateOf({ state, sentBy, error, attempts }: ListedMessage): Html {
  if (state === 'failed') return html`<p class="state failed">Not sent: ${error ?? 'failed'}</p>`;
  if (state === 'waiting') {
    const why = error === null ? '' : ` after ${attempts === 1 ? 'one attempt' : `${attempts} attempts`} (${error})`;
    return html`<p class="state soft">Waiting to be sent${why}</p>`;
  }
  const by = { smtp: 'Sent by the mail server', gateway: 'Sent by the SMS gateway', outbox: 'Kept here' };
  return html`<p class="state soft">${by[sentBy as keyof typeof by] ?? 'Sent'}</p>`;
}

/** The routes of the outbox. */
export const outboxRoutes: Route[] = [
  {
    method: 'GET',
    path: '/sandbox/outbox',
    only: 'sandbox',
    run: async (request, _params, clientIp) =>
      outboxPage(await latestMessages(shown), isLocal(request.headers, clientIp.address)),
  },
];
