// A small table inside of a page or a dialog: its columns are data. Lists of objects are an ObjectTable.
import clsx from 'clsx';
import { type ComponentProps, Fragment, type ReactNode } from 'react';

export type SmallColumn<Row> = {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Classes of the heading and the cells, of the heading, and of the cells. */
  className?: string;
  headClass?: string;
  cellClass?: string | ((row: Row) => string);
  /** The cells are the headings of their rows. */
  names?: boolean;
};

type Props<Row> = {
  /** The accessible name. */
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, at: number) => string;
  className?: string;
  /** Classes of the head, and of every heading and cell. */
  head?: string;
  headCell?: string;
  cell?: string;
  row?: (row: Row) => ComponentProps<'tr'> & { 'data-taken'?: boolean };
  /** A further table row below a row. */
  below?: (row: Row) => ReactNode;
  foot?: ReactNode;
};

export function SmallTable<Row>(props: Props<Row>) {
  const { label, columns, rows, keyOf, className, head, headCell, cell, row, below, foot } = props;
  return (
    <table aria-label={label} className={className}>
      <thead className={head}>
        <tr>
          {columns.map((column, at) => (
            <th
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places
              key={at}
              scope="col"
              className={clsx(headCell, column.className, column.headClass) || undefined}
            >
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((each, at) => (
          <Fragment key={keyOf(each, at)}>
            <tr {...row?.(each)}>
              {columns.map((column, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places
                <Cell key={place} column={column} row={each} className={cell} />
              ))}
            </tr>
            {below?.(each)}
          </Fragment>
        ))}
      </tbody>
      {foot}
    </table>
  );
}

type CellProps<Row> = { column: SmallColumn<Row>; row: Row; className?: string };

function Cell<Row>({ column: { cell, cellClass, className: ofColumn, names }, row, className }: CellProps<Row>) {
  const own = typeof cellClass === 'function' ? cellClass(row) : cellClass;
  const all = clsx(className, ofColumn, own) || undefined;
  return names ? (
    <th scope="row" className={all}>
      {cell(row)}
    </th>
  ) : (
    <td className={all}>{cell(row)}</td>
  );
}
