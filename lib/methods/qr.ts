// QR codes rendered on the server, for the hosted page as one SVG path and for S2S APM as an image. Error correction is
// M (15%): screens are clean, and each higher level makes the modules smaller and harder to scan.

import QRCode from 'qrcode';
import { qrBytesMax } from '../core/presentation.ts';
import { rememberLast } from '../core/remember.ts';

const errorCorrectionLevel = 'M';
/** The quiet zone around a code, in modules (ISO/IEC 18004). */
const quietModules = 4;
const leastPixels = 300;

/** Whether a code can hold the payload. */
export const fitsCode = (payload: string): boolean => Buffer.byteLength(payload) <= qrBytesMax;

/**
 * A code as the path of its dark modules in a view box of `size` x `size`, without the quiet zone: the caller adds 4
 * white modules around it. Adjacent modules of a row are one rectangle. Throws unless {@link fitsCode}.
 */
export function qrImage(payload: string): { size: number; path: string } {
  const { modules } = QRCode.create(payload, { errorCorrectionLevel });
  const { size } = modules;
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let from = 0; from < size; from += 1) {
      if (!modules.get(row, from)) continue;
      let to = from + 1;
      while (to < size && modules.get(row, to)) to += 1;
      path += `M${from} ${row}h${to - from}v1H${from}z`;
      from = to;
    }
  }
  return { size, path };
}

/** The pictures that were drawn last, each about 2 KB: drawing takes 10 ms, and a request can be repeated again and again. */
const drawn = rememberLast<Promise<Buffer>>(500);

/** A code as a PNG with its quiet zone: whole pixels per module, at least 300 pixels wide. */
export const qrPng = (payload: string): Promise<Buffer> => drawn(payload, () => drawPng(payload));

async function drawPng(payload: string): Promise<Buffer> {
  const { modules, version, maskPattern } = QRCode.create(payload, { errorCorrectionLevel });
  const scale = Math.ceil(leastPixels / (modules.size + 2 * quietModules));
  return QRCode.toBuffer(payload, {
    ...{ type: 'png', errorCorrectionLevel, margin: quietModules, scale },
    ...{ version, maskPattern: maskPattern as QRCode.QRCodeMaskPattern },
  });
}
