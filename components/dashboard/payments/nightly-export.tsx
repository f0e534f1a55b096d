// The page that a link of a nightly export leads to: what the file has, and its download.
import type { NightlyExportPage } from '../../../lib/dashboard/contract.ts';
import { ObjectHead } from '../lists/object-head.tsx';
import { FileLink } from '../ui/index.ts';

export function NightlyExport({ page: { id, name, day, zone, columns } }: { page: NightlyExportPage }) {
  return (
    <>
      <ObjectHead
        title={`Payments of ${day}`}
        about={`The view “${name}”, as of now: later refunds of these payments are included.`}
        facts={{ Day: day, 'Time zone': zone, Columns: columns }}
      />
      <div className="px-gutter py-4">
        <FileLink href={`/dashboard/api/payments/views/${id}/${day}/file`}>Download CSV</FileLink>
      </div>
    </>
  );
}
