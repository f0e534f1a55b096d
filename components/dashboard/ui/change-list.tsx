import type { FieldChange } from './changes';

/** Each change with its old and new value. */
export function ChangeList({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[fit-content(220px)_minmax(0,1fr)]">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-ink2">{label}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-2 phone:mb-1.5">
            <del className="max-w-full break-words text-bad">{before}</del>{' '}
            <ins className="max-w-full break-words font-medium text-ok no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
