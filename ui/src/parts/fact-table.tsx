// A table of few rows: columns that a narrow window has no room for are left out, and their facts stand in another cell.
import type { ReactNode } from 'react';

export interface FactColumn<T> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: T) => ReactNode;
  /** The narrowest window that shows the column: every one without it. */
  readonly from?: 'md' | 'lg';
  /** Numbers stand at the end of their column. */
  readonly atEnd?: boolean;
}

export interface FactTableProps<T> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly FactColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}

/** The first cell of a row is its heading. */
export function FactTable<T>({ label, columns, rows, keyOf }: FactTableProps<T>): ReactNode {
  return (
    <table aria-label={label} className="w-full border-collapse text-start">
      <thead>
        <tr className="border-b border-edge text-xs text-soft">
          {columns.map((column) => (
            <th key={column.id} scope="col" className={`${cellClass(column)} py-1 font-normal`}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row)} data-tr={index} className="h-(--row) border-b border-line focus-within:bg-sunk">
            {columns.map((column, at) =>
              at === 0 ? (
                <th key={column.id} scope="row" className={`${cellClass(column)} py-1 font-normal`}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.id} className={`${cellClass(column)} py-1`}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const widths = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell' } as const;

function cellClass<T>({ from, atEnd = false }: FactColumn<T>): string {
  return `${from === undefined ? '' : widths[from]} ${atEnd ? 'text-end' : 'text-start'} pe-3 align-middle last:pe-0`;
}
