/** Serves the files of a presented payment: the code as a picture, and the voucher as a PDF. */
import { now } from '../db/clock.ts';
import { type HttpResult, httpResult, type Route, translationsOf } from '../http/index.ts';
import { findMethod } from '../methods/catalog.ts';
import { qrPng } from '../methods/qr.ts';
import { pageContextOf } from './page-context.ts';
import { payloadOf } from './present.ts';
import { unknownLinkPage } from './responses.ts';
import { findView } from './view.ts';
import { voucherPdf } from './voucher.ts';

/** GET /pay/:token/code.png: the displayed code as a picture. */
const codePicture: Route['run'] = async (request, params) => {
  const view = await findView(params.token ?? '', now());
  const payload = view?.screen.kind === 'present' ? payloadOf(view.screen.present) : undefined;
  return payload === undefined ? unknownLinkPage(request) : fileOf(await qrPng(payload), 'image/png', 'code.png');
};

/** GET /pay/:token/ticket.pdf: the voucher with payment data and barcode. */
const downloadVoucher: Route['run'] = async (request, params) => {
  const time = now();
  const view = await findView(params.token ?? '', time);
  const present = view?.screen.kind === 'present' ? view.screen.present : undefined;
  if (!view || present?.kind !== 'details' || present.barcode === undefined) return unknownLinkPage(request);
  const { language } = pageContextOf(request, view, time);
  const { payment, caller } = view;
  const pdf = await voucherPdf(
    {
      merchant: caller.merchant.name,
      method: findMethod(view.attempt?.method ?? '')?.name ?? '',
      order: payment.orderNumber,
      description: payment.description,
      amount: { minor: payment.amountMinor, currency: payment.currency },
      rows: present.rows,
      barcode: present.barcode,
      expiresAt: present.expiresAt === undefined ? undefined : new Date(present.expiresAt),
    },
    translationsOf(language),
  );
  return fileOf(pdf, 'application/pdf', `ticket-${payment.id}.pdf`);
};

function fileOf(bytes: Uint8Array, type: string, name: string): HttpResult {
  return httpResult(new Uint8Array(bytes), {
    headers: {
      'content-type': type,
      'content-disposition': `inline; filename="${name}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    },
  });
}

export const presentRoutes: Route[] = [
  { method: 'GET', path: '/pay/:token/code.png', run: codePicture },
  { method: 'GET', path: '/pay/:token/ticket.pdf', run: downloadVoucher },
];
