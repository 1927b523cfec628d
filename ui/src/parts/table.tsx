// A table: columns beside each other, and on a phone one block a row in which each value bears the name of its column.
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  readonly atEnd?: true;
  /** The name of the column is for screen readers alone, such as that of buttons. */
  readonly hideHead?: true;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Class of the columns' widths from 701 px on, such as `md:grid-cols-[minmax(0,1fr)_auto]`. */
  readonly grid: string;
  /** The last row, such as a sum. */
  readonly foot?: Row | undefined;
}

/** The first column names the row. Roles are explicit, because the layout of a phone is no table to browsers. */
export function DataTable<Row>({ label, columns, rows, rowKey, grid, foot }: DataTableProps<Row>): ReactNode {
  return (
    <div role="table" aria-label={label} className={`md:grid md:gap-x-4 ${grid}`}>
      <div role="row" className={`${rowClass} hidden border-edge text-xs text-soft md:grid`}>
        {columns.map(({ id, head, atEnd, hideHead }) => (
          <div key={id} role="columnheader" className={atEnd === true ? 'text-end' : ''}>
            <span className={hideHead === true ? 'sr-only' : ''}>{head}</span>
          </div>
        ))}
      </div>
      {rows.map((row) => (
        <TableRow key={rowKey(row)} row={row} columns={columns} />
      ))}
      {foot === undefined ? null : <TableRow row={foot} columns={columns} isFoot />}
    </div>
  );
}

const rowClass = 'border-b py-2 md:col-span-full md:grid md:min-h-(--row) md:grid-cols-subgrid md:items-center md:py-1';

function TableRow<Row>({
  row,
  columns,
  isFoot = false,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly isFoot?: boolean;
}): ReactNode {
  return (
    <div role="row" className={`${rowClass} ${isFoot ? 'border-transparent font-semibold' : 'border-line'}`}>
      {columns.map(({ id, head, cell, atEnd, hideHead }, index) => (
        <div
          key={id}
          role={index === 0 ? 'rowheader' : 'cell'}
          className={`flex min-w-0 items-baseline gap-3 py-0.5 md:block md:py-0 ${atEnd === true ? 'md:text-end' : ''} ${index === 0 ? 'font-semibold' : ''}`}
        >
          {index === 0 || hideHead === true ? null : (
            <span className="w-28 shrink-0 text-sm text-soft md:hidden" aria-hidden>
              {head}
            </span>
          )}
          <div className="min-w-0">{cell(row)}</div>
        </div>
      ))}
    </div>
  );
}
