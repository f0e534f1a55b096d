// A small table inside of a page or a dialog: its columns are data. Lists of objects are an ObjectTable.
import clsx from 'clsx';
import { Fragment, type ReactNode } from 'react';

export type SmallColumn<Row> = {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Classes of the heading and the cells, of the heading, and of the cells. */
  className?: string;
  headClass?: string;
  cellClass?: string;
  /** The cells are the headings of their rows. */
  names?: boolean;
};

type Props<Row> = {
  label?: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly (Row & { key: string })[];
  className: string;
  rowClass?: string | ((row: Row) => string | undefined);
  below?: (row: Row) => ReactNode;
  /** The headings are for screen readers only. */
  hideHead?: boolean;
  /** Classes of all headings, and of all cells. */
  headCell?: string;
  cell?: string;
};

export function SmallTable<Row>(props: Props<Row>) {
  const { label, columns, rows, className, rowClass, below, hideHead, headCell, cell: every } = props;
  return (
    <table aria-label={label} className={className}>
      <thead className={hideHead ? 'unseen' : undefined}>
        <tr>
          {columns.map(({ head, className: own, headClass }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places
            <th key={at} scope="col" className={clsx(headCell, own, headClass)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.key}>
            <tr className={typeof rowClass === 'function' ? rowClass(row) : rowClass}>
              {columns.map(({ cell, className: own, cellClass, names }, at) => {
                const Cell = names ? 'th' : 'td';
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places
                  <Cell key={at} scope={names ? 'row' : undefined} className={clsx(every, own, cellClass)}>
                    {cell(row)}
                  </Cell>
                );
              })}
            </tr>
            {below?.(row)}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}
