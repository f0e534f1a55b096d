// Which columns a table leaves out where it is too narrow for all: a table with fixed columns would be wider than its
// container otherwise. The container is measured, not the window, since a panel and the sidebar take space too.

type Fitted = { id: string; width?: number | string; hideBelow?: 'md' | 'lg' | 'xl'; hideOnPhone?: boolean };

/** Widths of the container and the classes that hide a column below them; a phone has two lines a row instead. */
const steps: readonly [width: number, hidden: string][] = [
  [480, 'sm:@max-[480px]:hidden'],
  [560, 'sm:@max-[560px]:hidden'],
  [640, 'sm:@max-[640px]:hidden'],
  [720, 'sm:@max-[720px]:hidden'],
  [800, 'sm:@max-[800px]:hidden'],
  [880, 'sm:@max-[880px]:hidden'],
  [960, 'sm:@max-[960px]:hidden'],
  [1040, 'sm:@max-[1040px]:hidden'],
  [1120, 'sm:@max-[1120px]:hidden'],
  [1200, 'sm:@max-[1200px]:hidden'],
  [1280, 'sm:@max-[1280px]:hidden'],
  [1360, 'sm:@max-[1360px]:hidden'],
  [1520, 'sm:@max-[1520px]:hidden'],
  [1680, 'sm:@max-[1680px]:hidden'],
];

/** The least width of a column without a width in pixels. */
const flexibleWidth = 104;

const widthOf = ({ width }: Fitted) => (typeof width === 'number' ? width : flexibleWidth);

// The first column is the row's link, the second one its state, and the last one its time or number.
const ranks = { xl: 0, lg: 1, md: 2 };
const rankOf = ({ hideBelow, hideOnPhone }: Fitted) => (hideBelow ? ranks[hideBelow] : hideOnPhone ? 3 : 4);

/** The widths of the container from which each column is shown; columns without one are always shown. */
export function columnFits(columns: readonly Fitted[], besides: number): Map<string, number> {
  let needed = besides + columns.reduce((sum, column) => sum + widthOf(column), 0);
  const removable = columns.slice(2, -1).reverse();
  const order = removable.sort((one, other) => rankOf(one) - rankOf(other));
  const fits = new Map<string, number>();
  for (const column of order) {
    fits.set(column.id, needed);
    needed -= widthOf(column);
  }
  return fits;
}

/** The columns with the classes that hide them; `besides` is the width of what is beside them. */
export function fittedColumns<Column extends Fitted>(columns: readonly Column[], besides: number) {
  const fits = columnFits(columns, besides);
  return columns.map((column) => {
    const least = fits.get(column.id) ?? 0;
    const [, fit] = steps.find(([width]) => width >= least) ?? steps.at(-1) ?? [];
    return { ...column, fit: fits.has(column.id) ? fit : undefined };
  });
}
