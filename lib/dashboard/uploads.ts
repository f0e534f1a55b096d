/** Has the files of a request scanned before anything else reads them (ASVS 5.0, 5.4.3). */
import type { Viewer } from '../auth/index.ts';
import { scanFile } from '../http/index.ts';
import { DashboardError } from './errors.ts';
import { recordRefusedUpload } from './refused-access.ts';

/** The members of a body that are files, and how their bytes are written: `{ 'logo.file': 'base64' }`. */
export type UploadFields = Readonly<Record<string, 'base64' | 'utf8'>>;

const messages = {
  infected: [400, 'The virus scan has found malware in this file.'],
  unscanned: [503, 'The file cannot be scanned for viruses now. Try again later.'],
} as const;

/** Throws an error of the field for a file that is not known to be clean. `target`: the method and the route. */
export async function scanUploads(fields: UploadFields, body: unknown, viewer: Viewer, target: string): Promise<void> {
  for (const [path, encoding] of Object.entries(fields)) {
    const text = memberAt(body, path);
    if (typeof text !== 'string' || text === '') continue;
    const result = await scanFile(Buffer.from(text, encoding));
    if (result.kind === 'clean') continue;
    const [field = ''] = path.split('.');
    await recordRefusedUpload(viewer, target, field, result);
    const [status, message] = messages[result.kind];
    throw new DashboardError(status, message, { [field]: message });
  }
}

const memberAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body);
